import { defined } from "@deputize/ground";
import { LspError } from "../lsp-error.ts";
import { askDocumentSymbols } from "../questions/ask-server.ts";
import { buildPage, type Place, renderPlacePage, sortPlaces } from "../rendering/render-places.ts";
import { explainUnsupported, listRemarks } from "../rendering/say-unusual.ts";
import { toShownPath } from "../workspace/file-uri.ts";
import { type ActionAnswer, type ActionContext, needFile, withFile } from "./action-context.ts";
import { findSymbolsInWorkspace, keepFirstOfPlace, toFoundSymbol, toSymbolPlace } from "./find-symbols.ts";
import { parseSymbolQuery } from "./parse-symbol-query.ts";

export async function listSymbols(context: ActionContext): Promise<ActionAnswer> {
	const { file, query } = context.request;
	if (file !== undefined) return listFileSymbols(context, needFile(context), query);
	if (query === undefined)
		throw new LspError("INVALID_INPUT", "symbols needs file, or query to search the workspace.");
	return searchWorkspace(context, query);
}

async function listFileSymbols(
	context: ActionContext,
	path: string,
	query: string | undefined,
): Promise<ActionAnswer> {
	return withFile(context, path, async ({ server }, document) => {
		if (!server.supports("textDocument/documentSymbol")) return explainUnsupported(server.id, "symbols");
		const symbols = await askDocumentSymbols(server, document, context);
		const letters = query === undefined ? "" : parseSymbolQuery(query).name.toLowerCase();
		const places = symbols
			.filter((symbol) => symbol.name.toLowerCase().includes(letters))
			.map((symbol) => toSymbolPlace(toFoundSymbol(symbol, document.lines)));
		const shown = toShownPath(context.workspace, path);
		const heading = query === undefined ? `symbols of ${shown}` : `symbols of ${shown} matching ${query}`;
		return answerWithSymbols(context, heading, places, true, []);
	});
}

/** Exact names first, then names that contain the query. */
async function searchWorkspace(context: ActionContext, query: string): Promise<ActionAnswer> {
	const asked = parseSymbolQuery(query);
	const exact = await findSymbolsInWorkspace(context, asked, true);
	const wide = await findSymbolsInWorkspace(context, asked, false);
	const places = [exact, wide].flatMap(({ symbols }) => sortPlaces(symbols.map(toSymbolPlace)));
	const isComplete = exact.isComplete && wide.isComplete;
	const heading = `symbols matching ${query}`;
	return answerWithSymbols(context, heading, keepFirstOfPlace(places), isComplete, wide.problems);
}

function answerWithSymbols(
	context: ActionContext,
	heading: string,
	places: readonly Place[],
	isComplete: boolean,
	problems: readonly string[],
): ActionAnswer {
	const page = buildPage(context, places);
	const text = [
		places.length === 0 ? `${heading}: none` : renderPlacePage(heading, page),
		...problems.map((problem) => `Not asked: ${problem}`),
		...listRemarks(context, isComplete),
	].join("\n");
	return {
		text,
		details: {
			action: "symbols",
			total: page.total,
			offset: page.offset,
			...defined({ nextOffset: page.nextOffset }),
			complete: isComplete,
			places: page.shown,
			...(problems.length === 0 ? {} : { problems }),
		},
	};
}
