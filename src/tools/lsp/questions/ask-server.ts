import { isObject } from "@deputize/ground";
import type { Position } from "vscode-languageserver-types";
import type { ActionContext } from "../actions/action-context.ts";
import type { LanguageServer } from "../servers/start-language-server.ts";
import {
	type ProtocolSymbol,
	parseDocumentSymbols,
	parseLocations,
	parseWorkspaceSymbols,
} from "../transport/parse-protocol.ts";
import type { OpenDocument } from "../workspace/open-documents.ts";
import { type AnswerScope, type SettledAnswer, settleAnswer } from "./settle-answer.ts";

type Timing = Pick<ActionContext, "deadline" | "coldTimeoutMs">;

export interface AskedPlace {
	readonly server: LanguageServer;
	readonly document: OpenDocument;
	readonly position: Position;
}

export function askDefinition(place: AskedPlace, timing: Timing) {
	return askAt(place, timing, "textDocument/definition", "symbol", parseLocations);
}

export function askReferences(place: AskedPlace, timing: Timing) {
	const context = { includeDeclaration: true };
	return askAt(place, timing, "textDocument/references", "workspace", parseLocations, { context });
}

/** The shape of the answer is read by the caller. */
export function askHover(place: AskedPlace, timing: Timing) {
	return askAt(place, timing, "textDocument/hover", "symbol", keepRaw);
}

export function askSignature(place: AskedPlace, timing: Timing) {
	const context = { triggerKind: 1, isRetrigger: false };
	return askAt(place, timing, "textDocument/signatureHelp", "symbol", keepRaw, { context });
}

export function askRename(place: AskedPlace, newName: string, timing: Timing) {
	return askAt(place, timing, "textDocument/rename", "workspace", keepRaw, { newName });
}

export async function askDocumentSymbols(
	server: LanguageServer,
	{ uri, text }: OpenDocument,
	timing: Timing,
): Promise<readonly ProtocolSymbol[]> {
	if (!server.supports("textDocument/documentSymbol")) return [];
	const { answer } = await askSettled(server, timing, {
		method: "textDocument/documentSymbol",
		scope: "file",
		params: { textDocument: { uri } },
		parse: (raw) => parseDocumentSymbols(raw, uri),
		isEmpty: (symbols) => symbols.length === 0 && text.trim() !== "",
	});
	return answer;
}

export function askWorkspaceSymbols(server: LanguageServer, query: string, timing: Timing) {
	return askSettled(server, timing, {
		method: "workspace/symbol",
		scope: "workspace",
		params: { query },
		parse: parseWorkspaceSymbols,
	});
}

function askAt<Answer>(
	{ server, document, position }: AskedPlace,
	timing: Timing,
	method: string,
	scope: AnswerScope,
	parse: (raw: unknown) => Answer,
	more: object = {},
): Promise<SettledAnswer<Answer>> {
	const params = { textDocument: { uri: document.uri }, position, ...more };
	return askSettled(server, timing, { method, scope, params, parse });
}

interface Asking<Answer> {
	readonly method: string;
	readonly scope: AnswerScope;
	readonly params: object;
	readonly parse: (raw: unknown) => Answer;
	readonly isEmpty?: (answer: Answer) => boolean;
}

function askSettled<Answer>(
	server: LanguageServer,
	{ deadline, coldTimeoutMs }: Timing,
	{ method, scope, params, parse, isEmpty = isNothing }: Asking<Answer>,
): Promise<SettledAnswer<Answer>> {
	const ask = async () => parse(await server.request(method, params, deadline));
	return settleAnswer({ server, scope, deadline, coldTimeoutMs, ask, isEmpty });
}

function keepRaw(raw: unknown): unknown {
	return raw;
}

function isNothing(answer: unknown): boolean {
	const list = isObject(answer) ? answer["signatures"] : answer;
	return answer === null || answer === undefined || (Array.isArray(list) && list.length === 0);
}
