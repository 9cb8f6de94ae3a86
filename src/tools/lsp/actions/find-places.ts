import { canonicalPath, isInside } from "@deputize/ground";
import { LSP_LIMITS } from "../lsp-limits.ts";
import { askDefinition, askReferences } from "../questions/ask-server.ts";
import {
	buildPage,
	type Place,
	renderPlacePage,
	sortPlaces,
	sortWithinFiles,
} from "../rendering/render-places.ts";
import { listRemarks } from "../rendering/say-unusual.ts";
import type { ProtocolLocation } from "../transport/parse-protocol.ts";
import { toShownPath } from "../workspace/file-uri.ts";
import { toHumanPosition } from "../workspace/text-positions.ts";
import type { ActionAnswer, ActionContext } from "./action-context.ts";
import { type SameNamed, toSymbolPlace } from "./find-symbols.ts";
import { type LocatedTarget, type Target, withTarget } from "./locate-target.ts";

export function findDefinition(context: ActionContext): Promise<ActionAnswer> {
	const askServer = async (located: LocatedTarget) => {
		const { answer, isComplete } = await askDefinition(located, context);
		const places = await withOwnPlace(context, located, toPlaces(context, answer));
		return answerAbout(context, located, sortWithinFiles(places), isComplete);
	};
	return withTarget(context, ["textDocument/definition"], askServer, listSameNamed);
}

/** Several symbols of one name: their places are the answer to "where is it defined". */
function listSameNamed(context: ActionContext, found: SameNamed): ActionAnswer {
	return answerWithPlaces(context, found, sortWithinFiles(found.symbols.map(toSymbolPlace)));
}

export function findReferences(context: ActionContext): Promise<ActionAnswer> {
	return withTarget(context, ["textDocument/references"], async (located) => {
		const { answer, isComplete } = await askReferences(located, context);
		return answerAbout(context, located, sortPlaces(toPlaces(context, answer)), isComplete);
	});
}

/**
 * From a definition clangd leads to the declaration, and from there back to it. The caller asked by name and wants
 * both. A name that is only imported here is not led back to, and is left out.
 */
async function withOwnPlace(
	context: ActionContext,
	{ server, target }: LocatedTarget,
	places: readonly Place[],
): Promise<readonly Place[]> {
	const [first] = places;
	const isOwn = ({ path, position }: Place) => path === target.path && position.line === target.position.line;
	if (target.isDeclaration !== true || places.some(isOwn)) return places;
	const own = { path: target.path, position: target.position };
	if (first === undefined) return [own];
	if (!isInside(context.workspace, first.path)) return places;
	const document = await server.documents.open(first.path);
	const { answer } = await askDefinition({ server, document, position: first.position }, context);
	return toPlaces(context, answer).some(isOwn) ? [own, ...places] : places;
}

function toPlaces(context: ActionContext, locations: readonly ProtocolLocation[]): readonly Place[] {
	const { stampOf } = context.pool.watchOf(context.workspace);
	let before: string | undefined;
	let real = "";
	return locations.map(({ path, uri, range }) => {
		if (path === undefined) return { path: uri, position: range.start };
		// Places of one file follow each other. The walk over the workspace follows no links, so what it knows is real.
		if (path !== before) real = stampOf(path) === undefined ? canonicalPath(path) : path;
		before = path;
		return { path: real, position: range.start };
	});
}

function answerAbout(
	context: ActionContext,
	{ server, target }: LocatedTarget,
	places: readonly Place[],
	isAnswerComplete: boolean,
): ActionAnswer {
	const isComplete = isAnswerComplete && target.isComplete;
	if (places.length > 0) return answerWithPlaces(context, { ...target, isComplete }, places);
	const { action } = context.request;
	const { line, column } = toHumanPosition(target.position, context.sources.linesOf(target.path));
	const where = `${toShownPath(context.workspace, target.path)}:${line}:${column}`;
	const what = action === "definition" ? "no definition" : "no references";
	const text = `${action} of ${target.name}: ${server.id} knows ${what} for ${where}.`;
	return {
		text: [text, ...listRemarks(context, isComplete)].join("\n"),
		details: { action, name: target.name, total: 0, places: [], complete: isComplete },
	};
}

function answerWithPlaces(
	context: ActionContext,
	{ name, isComplete, note }: Pick<Target, "name" | "isComplete" | "note">,
	places: readonly Place[],
): ActionAnswer {
	const { action } = context.request;
	const contextLines = action === "definition" ? LSP_LIMITS.contextLinesAfterDefinition : 0;
	const page = buildPage(context, places, { contextLines });
	const { shown, ...counts } = page;
	return {
		text: [renderPlacePage(`${action} of ${name}`, page), ...listRemarks(context, isComplete, note)].join(
			"\n",
		),
		details: { action, name, complete: isComplete, ...counts, places: shown },
	};
}
