import { isObject } from "../../../json/json-values.ts";
import { cutText } from "../../../text/cut-text.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import { askHover, askSignature } from "../questions/ask-server.ts";
import { describeIncomplete, explainUnsupported, renderAmbiguity } from "../rendering/say-unusual.ts";
import type { LanguageServer } from "../servers/start-language-server.ts";
import { toShownPath } from "../workspace/file-uri.ts";
import type { OpenDocument } from "../workspace/open-documents.ts";
import { findWholeWords, toHumanPosition } from "../workspace/text-positions.ts";
import { type ActionAnswer, type ActionContext, withFile } from "./action-context.ts";
import { type Location, locateTarget, type Target } from "./locate-target.ts";

export async function showHover(context: ActionContext): Promise<ActionAnswer> {
	const location = await locateTarget(context);
	if (location.kind === "many") return renderAmbiguity(context, location.name, location.symbols);
	return withFile(context, location.target.path, async ({ server }, document) => {
		if (!server.supports("textDocument/hover")) return explainUnsupported(server.id, "hover");
		const asked = { document, position: location.target.position };
		const { answer, isComplete } = await askHover(server, asked, context);
		const content = readMarkup(isObject(answer) ? answer["contents"] : undefined);
		return renderDescription(context, "hover", location, document, content, isComplete);
	});
}

/** The signature at a call; for a name, at the first call in the file, or what hovering over the name says. */
export async function showSignature(context: ActionContext): Promise<ActionAnswer> {
	const location = await locateTarget(context);
	if (location.kind === "many") return renderAmbiguity(context, location.name, location.symbols);
	return withFile(context, location.target.path, async ({ server }, document) => {
		if (!server.supports("textDocument/signatureHelp") && !server.supports("textDocument/hover")) {
			return explainUnsupported(server.id, "signature");
		}
		const { content, isComplete } = await readSignature(context, server, document, location.target);
		return renderDescription(context, "signature", location, document, content, isComplete);
	});
}

async function readSignature(
	context: ActionContext,
	server: LanguageServer,
	document: OpenDocument,
	target: Target,
): Promise<{ readonly content: string; readonly isComplete: boolean }> {
	if (server.supports("textDocument/signatureHelp")) {
		for (const position of placesInsideCalls(document, target)) {
			const answer = await server.request(
				"textDocument/signatureHelp",
				{ textDocument: { uri: document.uri }, position, context: { triggerKind: 1, isRetrigger: false } },
				context.deadline,
			);
			const content = renderSignatures(answer);
			if (content !== "") return { content, isComplete: true };
		}
		const { answer, isComplete } = await askSignature(
			server,
			{ document, position: target.position },
			context,
		);
		const content = renderSignatures(answer);
		if (content !== "" || !server.supports("textDocument/hover")) return { content, isComplete };
	}
	const { answer, isComplete } = await askHover(server, { document, position: target.position }, context);
	return { content: readMarkup(isObject(answer) ? answer["contents"] : undefined), isComplete };
}

const MAX_CALLS_TRIED = 3;

/** The given place when it is inside brackets already; after the bracket that follows the name otherwise. */
function placesInsideCalls(document: OpenDocument, target: Target) {
	const given = document.lines[target.position.line] ?? "";
	const after = bracketAfter(given, target.position.character, target.name);
	const here = after === undefined ? [] : [{ line: target.position.line, character: after }];
	const elsewhere = findWholeWords(document.lines, target.name, 200).flatMap(({ line, character }) => {
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
	action: string,
	location: Location & { kind: "one" },
	document: OpenDocument,
	content: string,
	isComplete: boolean,
): ActionAnswer {
	const { target } = location;
	const { line, column } = toHumanPosition(target.position, document.lines);
	const file = toShownPath(context.workspace, target.path);
	const heading = `${action} of ${target.name} at ${file}:${line}:${column}`;
	const complete = isComplete && location.isComplete;
	const body = content === "" ? "The server has nothing to say about this place." : cutHover(content);
	return {
		text: [
			heading,
			body,
			...(target.note === undefined ? [] : [target.note]),
			...(complete ? [] : [describeIncomplete(context)]),
		].join("\n"),
		details: { action, name: target.name, file, line, column, content: cutHover(content), complete },
	};
}

function cutHover(text: string): string {
	return cutText(text, LSP_LIMITS.maxHoverChars, (missing) => `\n[${missing} more characters]`);
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
	const signatures = isObject(value) && Array.isArray(value["signatures"]) ? value["signatures"] : [];
	const active =
		isObject(value) && typeof value["activeSignature"] === "number" ? value["activeSignature"] : 0;
	return signatures
		.filter(isObject)
		.map((signature, index) => {
			const mark = signatures.length > 1 && index === active ? "* " : signatures.length > 1 ? "  " : "";
			const documentation = readMarkup(signature["documentation"]);
			return `${mark}${String(signature["label"])}${documentation === "" ? "" : `\n    ${documentation.replaceAll("\n", "\n    ")}`}`;
		})
		.join("\n");
}
