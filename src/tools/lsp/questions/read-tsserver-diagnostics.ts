import { type Deadline, isObject } from "@deputize/ground";
import type { Diagnostic, Position } from "vscode-languageserver-types";
import { LspError } from "../lsp-error.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import type { LanguageServer } from "../servers/start-language-server.ts";
import type { OpenDocument } from "../workspace/open-documents.ts";

export const TSSERVER_COMMAND = "typescript.tsserverRequest";

const SEVERITY_OF: Readonly<Record<string, 1 | 2 | 3 | 4>> = {
	error: 1,
	warning: 2,
	suggestion: 4,
	message: 3,
};
const KINDS = ["syntacticDiagnosticsSync", "semanticDiagnosticsSync", "suggestionDiagnosticsSync"];

/**
 * typescript-language-server publishes nothing when a file was clean and still is, which cannot be distinguished from
 * not being finished. The compiler service behind it can be asked, and answers for exactly the current text.
 */
export async function readTsserverDiagnostics(
	server: LanguageServer,
	document: OpenDocument,
	deadline: Deadline,
): Promise<readonly Diagnostic[]> {
	// All at once: each would otherwise wait for the way there and back of the one before.
	const answers = await Promise.all(
		KINDS.map(async (kind) => {
			const params = { command: TSSERVER_COMMAND, arguments: [kind, { file: document.uri }] };
			return parseBody(await server.request("workspace/executeCommand", params, deadline), kind);
		}),
	);
	return answers.flat().slice(0, LSP_LIMITS.maxDiagnosticsPerFile);
}

function parseBody(answer: unknown, kind: string): readonly Diagnostic[] {
	if (isObject(answer) && Array.isArray(answer["body"])) return answer["body"].flatMap(toDiagnostic);
	const why = isObject(answer) && typeof answer["message"] === "string" ? answer["message"] : "no answer";
	throw new LspError("LSP_SERVER_FAILED", `TypeScript's own service did not answer ${kind}: ${why}`);
}

function toDiagnostic(value: unknown): Diagnostic[] {
	if (!isObject(value) || typeof value["text"] !== "string") return [];
	const start = toPosition(value["start"]);
	const end = toPosition(value["end"]);
	if (start === undefined || end === undefined) return [];
	const code = value["code"];
	return [
		{
			range: { start, end },
			message: value["text"],
			severity: SEVERITY_OF[String(value["category"])] ?? 1,
			source: "typescript",
			...(typeof code === "number" ? { code } : {}),
		},
	];
}

/** tsserver counts lines and offsets from 1. */
function toPosition(value: unknown): Position | undefined {
	if (!isObject(value) || typeof value["line"] !== "number" || typeof value["offset"] !== "number")
		return undefined;
	return { line: value["line"] - 1, character: value["offset"] - 1 };
}
