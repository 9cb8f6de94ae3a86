import { asCount, asList, asObject, cutText, isObject } from "@deputize/ground";
import { LSP_LIMITS } from "../lsp-limits.ts";
import { askHover, askSignature } from "../questions/ask-server.ts";
import { listRemarks } from "../rendering/say-unusual.ts";
import { toShownPath } from "../workspace/file-uri.ts";
import type { OpenDocument } from "../workspace/open-documents.ts";
import { findWholeWords, toHumanPosition } from "../workspace/text-positions.ts";
import type { ActionAnswer, ActionContext } from "./action-context.ts";
import { type LocatedTarget, type Target, withTarget } from "./locate-target.ts";

interface Description {
	readonly content: string;
	readonly isComplete: boolean;
}

export function showHover(context: ActionContext): Promise<ActionAnswer> {
	return withTarget(context, ["textDocument/hover"], async (located) =>
		renderDescription(context, located, await readHover(context, located)),
	);
}

/** The signature at a call; for a name, at the first call in the file, or what hovering over the name says. */
export function showSignature(context: ActionContext): Promise<ActionAnswer> {
	return withTarget(context, ["textDocument/signatureHelp", "textDocument/hover"], async (located) =>
		renderDescription(context, located, await readSignature(context, located)),
	);
}

async function readHover(context: ActionContext, located: LocatedTarget): Promise<Description> {
	const { answer, isComplete } = await askHover(located, context);
	return { content: readMarkup(asObject(answer)["contents"]), isComplete };
}

async function readSignature(context: ActionContext, located: LocatedTarget): Promise<Description> {
	const { server, document, target } = located;
	if (!server.supports("textDocument/signatureHelp")) return readHover(context, located);
	for (const position of placesInsideCalls(document, target)) {
		const answer = await server.request(
			"textDocument/signatureHelp",
			{ textDocument: { uri: document.uri }, position, context: { triggerKind: 1, isRetrigger: false } },
			context.deadline,
		);
		const content = renderSignatures(answer);
		if (content !== "") return { content, isComplete: true };
	}
	const { answer, isComplete } = await askSignature(located, context);
	const content = renderSignatures(answer);
	if (content !== "" || !server.supports("textDocument/hover")) return { content, isComplete };
	return readHover(context, located);
}

const MAX_CALLS_TRIED = 3;

/** The given place when it is inside brackets already; after the bracket that follows the name otherwise. */
function placesInsideCalls(document: OpenDocument, target: Target) {
	const given = document.lines[target.position.line] ?? "";
	const after = bracketAfter(given, target.position.character, target.name);
	const here = after === undefined ? [] : [{ line: target.position.line, character: after }];
	const elsewhere = findWholeWords(document.lines, target.name).flatMap(({ line, character }) => {
		const bracket = bracketAfter(document.lines[line] ?? "", character, target.name);
		return bracket === undefined ? [] : [{ line, character: bracket }];
	});
	return [...here, ...elsewhere].slice(0, MAX_CALLS_TRIED);
}

function bracketAfter(line: string, character: number, name: string): number | undefined {
	const start = line.lastIndexOf(name, character);
	if (start === -1 || start + name.length < character) return undefined;
	const rest = line.slice(start + name.length);
	const bracket = /^(?:<[^()]*>)?\s*\(/.exec(rest);
	return bracket === null ? undefined : start + name.length + bracket[0].length;
}

function renderDescription(
	context: ActionContext,
	{ target, document }: LocatedTarget,
	{ content, isComplete }: Description,
): ActionAnswer {
	const { action } = context.request;
	const { line, column } = toHumanPosition(target.position, document.lines);
	const file = toShownPath(context.workspace, target.path);
	const complete = isComplete && target.isComplete;
	const shown = cutText(content, LSP_LIMITS.maxHoverChars, (missing) => `\n[${missing} more characters]`);
	return {
		text: [
			`${action} of ${target.name} at ${file}:${line}:${column}`,
			shown || "The server has nothing to say about this place.",
			...listRemarks(context, complete, target.note),
		].join("\n"),
		details: { action, name: target.name, file, line, column, content: shown, complete },
	};
}

/** `MarkupContent`, a `MarkedString`, or a list of those. */
function readMarkup(value: unknown): string {
	if (typeof value === "string") return value.trim();
	if (Array.isArray(value))
		return value
			.map(readMarkup)
			.filter((part) => part !== "")
			.join("\n\n");
	if (!isObject(value) || typeof value["value"] !== "string") return "";
	const { language } = value;
	const text = value["value"].trim();
	return typeof language === "string" && text !== "" ? `\`\`\`${language}\n${text}\n\`\`\`` : text;
}

function renderSignatures(value: unknown): string {
	const { signatures, activeSignature } = asObject(value);
	const active = asCount(activeSignature);
	const all = asList(signatures).filter(isObject);
	return all
		.map((signature, index) => {
			const mark = all.length === 1 ? "" : index === active ? "* " : "  ";
			const documentation = readMarkup(signature["documentation"]);
			return `${mark}${String(signature["label"])}${documentation === "" ? "" : `\n    ${documentation.replaceAll("\n", "\n    ")}`}`;
		})
		.join("\n");
}
