import { defined } from "../../../json/defined.ts";
import { canonicalPath } from "../../../paths/canonical-path.ts";
import { isInside } from "../../../paths/is-inside.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import { askDefinition, askReferences } from "../questions/ask-server.ts";
import {
	buildPage,
	type Page,
	type Place,
	renderPlacePage,
	sortPlaces,
	sortWithinFiles,
} from "../rendering/render-places.ts";
import { describeIncomplete, explainUnsupported, renderAmbiguity } from "../rendering/say-unusual.ts";
import type { LanguageServer } from "../servers/start-language-server.ts";
import type { ProtocolLocation } from "../transport/parse-protocol.ts";
import { toShownPath } from "../workspace/file-uri.ts";
import { toHumanPosition } from "../workspace/text-positions.ts";
import { type ActionAnswer, type ActionContext, withFile } from "./action-context.ts";
import { toSymbolPlace } from "./find-symbols.ts";
import { type Location, locateTarget, type Target } from "./locate-target.ts";

export async function findDefinition(context: ActionContext): Promise<ActionAnswer> {
	const location = await locateTarget(context);
	// Several symbols of one name: their places are the answer to "where is it defined".
	if (location.kind === "many") {
		const places = sortWithinFiles(location.symbols.map(toSymbolPlace));
		return answerWithPlaces(context, "definition", location.name, places, location.isComplete);
	}
	return askForPlaces(context, location, "definition");
}

export async function findReferences(context: ActionContext): Promise<ActionAnswer> {
	const location = await locateTarget(context);
	if (location.kind === "many") return renderAmbiguity(context, location.name, location.symbols);
	return askForPlaces(context, location, "references");
}

async function askForPlaces(
	context: ActionContext,
	location: Location & { kind: "one" },
	action: "definition" | "references",
): Promise<ActionAnswer> {
	const { target } = location;
	return withFile(context, target.path, async ({ server }, document) => {
		const method = `textDocument/${action}`;
		if (!server.supports(method)) return explainUnsupported(server.id, action);
		const asked = { document, position: target.position };
		const ask = action === "definition" ? askDefinition : askReferences;
		const { answer, isComplete } = await ask(server, asked, context);
		const places = toPlaces(context, answer);
		const ordered =
			action === "references"
				? sortPlaces(places)
				: sortWithinFiles(await withOwnPlace(context, server, target, places));
		const complete = isComplete && location.isComplete;
		if (ordered.length === 0) return explainNothing(context, target, action, server.id, complete);
		return answerWithPlaces(context, action, target.name, ordered, complete, target.note);
	});
}

/**
 * From a definition clangd leads to the declaration, and from there back to it. The caller asked by name and wants
 * both. A name that is only imported here is not led back to, and is left out.
 */
async function withOwnPlace(
	context: ActionContext,
	server: LanguageServer,
	target: Target,
	places: readonly Place[],
): Promise<readonly Place[]> {
	const [first] = places;
	const isOwn = ({ path, position }: Place) => path === target.path && position.line === target.position.line;
	if (target.isDeclaration !== true || places.some(isOwn)) return places;
	const own = { path: target.path, position: target.position };
	if (first === undefined) return [own];
	if (!isInside(context.workspace, first.path)) return places;
	const document = await server.documents.open(first.path);
	const { answer } = await askDefinition(server, { document, position: first.position }, context);
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

function explainNothing(
	context: ActionContext,
	target: Target,
	action: string,
	serverId: string,
	isComplete: boolean,
): ActionAnswer {
	const { line, column } = toHumanPosition(target.position, context.sources.linesOf(target.path));
	const where = `${toShownPath(context.workspace, target.path)}:${line}:${column}`;
	const what = action === "definition" ? "no definition" : "no references";
	const text = `${action} of ${target.name}: ${serverId} knows ${what} for ${where}.`;
	return {
		text: isComplete ? text : `${text}\n${describeIncomplete(context)}`,
		details: { action, name: target.name, total: 0, places: [], complete: isComplete },
	};
}

function answerWithPlaces(
	context: ActionContext,
	action: string,
	name: string,
	places: readonly Place[],
	isComplete: boolean,
	note?: string,
): ActionAnswer {
	const { request, workspace, sources } = context;
	const contextLines = action === "definition" ? LSP_LIMITS.contextLinesAfterDefinition : 0;
	const { offset, limit } = request;
	const { stampOf } = context.pool.watchOf(workspace);
	const page = buildPage(places, { workspace, sources, stampOf, offset, limit, contextLines });
	const text = [
		renderPlacePage(`${action} of ${name}`, page),
		...(note === undefined ? [] : [note]),
		...(isComplete ? [] : [describeIncomplete(context)]),
	].join("\n");
	return { text, details: { action, name, complete: isComplete, ...toPageDetails(page) } };
}

function toPageDetails(page: Page): Readonly<Record<string, unknown>> {
	return {
		total: page.total,
		files: page.files,
		offset: page.offset,
		...defined({ nextOffset: page.nextOffset }),
		places: page.shown,
	};
}
