import { canonicalPath, groupBy, isInside } from "@deputize/ground";
import type { Position } from "vscode-languageserver-types";
import { LspError } from "../lsp-error.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import { askDocumentSymbols, askWorkspaceSymbols } from "../questions/ask-server.ts";
import type { Place } from "../rendering/render-places.ts";
import { toKindName } from "../rendering/symbol-kinds.ts";
import { languageOf } from "../servers/select-server.ts";
import type { PooledServer } from "../servers/server-slot.ts";
import type { ServerDefinition } from "../servers/server-table.ts";
import type { ProtocolSymbol } from "../transport/parse-protocol.ts";
import { scanWorkspaceText, type TextHit } from "../workspace/scan-workspace-text.ts";
import { findWholeWords } from "../workspace/text-positions.ts";
import { type ActionContext, withServer } from "./action-context.ts";
import { matchesQuery, type SymbolQuery } from "./parse-symbol-query.ts";

export interface FoundSymbol {
	readonly path: string;
	/** Where the name itself is. */
	readonly position: Position;
	readonly name: string;
	readonly kind: number;
	readonly container: readonly string[];
}

interface SymbolSearch {
	readonly symbols: readonly FoundSymbol[];
	readonly isComplete: boolean;
	/** Files that contain the name at all, best first; what is left when no server knows the symbol. */
	readonly mentions: readonly string[];
	/** One line per server that could not be asked. */
	readonly problems: readonly string[];
}

/** Several different symbols have this name. */
export interface SameNamed extends Pick<SymbolSearch, "symbols" | "isComplete"> {
	readonly name: string;
}

/** Opening a few likely files makes servers load the projects they belong to. */
const MAX_FILES_ASKED_PER_SERVER = 12;

/**
 * Symbols of the whole workspace. The text decides which servers and files are worth asking: with `exact` every
 * file that declares the name is asked for its symbols, since a server's own search knows loaded projects only.
 */
export async function findSymbolsInWorkspace(
	context: ActionContext,
	query: SymbolQuery,
	exact: boolean,
): Promise<SymbolSearch> {
	const watch = context.pool.watchOf(context.workspace);
	await watch.refresh();
	const { server } = context.request;
	const definitions = context.definitions.filter(({ id }) => (server ?? id) === id);
	const files = watch
		.files()
		.filter((file) => definitions.some((row) => languageOf(row, file) !== undefined));
	const hits = await scanWorkspaceText(files, query.name, context.deadline.isPassed);
	context.deadline.check();
	const groups = groupByServer(
		definitions,
		exact || hits.length > 0 ? hits : files.map((path) => ({ path, score: 0 })),
	);
	const problems: string[] = [];
	const found: FoundSymbol[] = [];
	let isComplete = true;
	let firstError: LspError | undefined;
	for (const [definition, group] of groups.slice(0, LSP_LIMITS.maxServersPerNameSearch)) {
		try {
			const paths = group.slice(0, MAX_FILES_ASKED_PER_SERVER).map((hit) => hit.path);
			const answer = await withServer(context, definition, paths[0], (pooled) =>
				searchOneServer(context, pooled, query, exact, paths),
			);
			found.push(...answer.symbols);
			isComplete &&= answer.isComplete;
		} catch (error) {
			if (!(error instanceof LspError) || error.code === "LSP_CANCELLED") throw error;
			firstError ??= error;
			problems.push(`${definition.id}: ${error.message}`);
		}
	}
	if (firstError !== undefined && problems.length === groups.length) throw firstError;
	return {
		symbols: keepFirstOfPlace(found),
		isComplete,
		mentions: hits.slice(0, LSP_LIMITS.maxNameFiles).map((hit) => hit.path),
		problems,
	};
}

/** The server with the most likely declaration comes first, then the one with more files. */
function groupByServer(
	definitions: readonly ServerDefinition[],
	hits: readonly TextHit[],
): readonly (readonly [ServerDefinition, readonly TextHit[]])[] {
	const groups = groupBy(hits, ({ path }) => definitions.find((row) => languageOf(row, path) !== undefined));
	const best = (group: readonly TextHit[]) => group[0]?.score ?? 0;
	return [...groups]
		.flatMap(([definition, group]) => (definition === undefined ? [] : [[definition, group] as const]))
		.sort(([, a], [, b]) => best(b) - best(a) || b.length - a.length);
}

async function searchOneServer(
	context: ActionContext,
	{ server }: PooledServer,
	query: SymbolQuery,
	exact: boolean,
	paths: readonly string[],
): Promise<Pick<SymbolSearch, "symbols" | "isComplete">> {
	const wanted = createSymbolFilter(query, exact);
	const found: FoundSymbol[] = [];
	for (const path of paths) {
		const document = await server.documents.open(path);
		const symbols = await askDocumentSymbols(server, document, context);
		found.push(...symbols.filter(wanted).map((symbol) => toFoundSymbol(symbol, document.lines)));
		if (!exact && server.supports("workspace/symbol")) break;
	}
	if (!server.supports("workspace/symbol")) return { symbols: found, isComplete: true };
	// What the text scan reached was asked file by file; the search adds what it did not reach.
	if (exact && found.length > 0 && paths.length < MAX_FILES_ASKED_PER_SERVER)
		return { symbols: found, isComplete: true };
	const { answer, isComplete } = await askWorkspaceSymbols(server, query.name, context);
	for (const symbol of answer.filter(wanted)) {
		if (symbol.location.path === undefined) continue;
		const path = canonicalPath(symbol.location.path);
		if (!isInside(context.workspace, path) || path.includes("/node_modules/")) continue;
		found.push({ ...toFoundSymbol(symbol, context.sources.linesOf(path)), path });
	}
	return { symbols: found, isComplete };
}

function createSymbolFilter(query: SymbolQuery, exact: boolean): (symbol: ProtocolSymbol) => boolean {
	if (exact) return (symbol) => matchesQuery(query, symbol.name, symbol.container);
	const letters = query.name.toLowerCase();
	return (symbol) =>
		symbol.name.toLowerCase().includes(letters) &&
		(query.container.length === 0 ||
			matchesQuery({ ...query, name: symbol.name }, symbol.name, symbol.container));
}

/** Flat symbols carry the range of the whole construct: the name is searched for from its start. */
export function toFoundSymbol(symbol: ProtocolSymbol, lines: readonly string[] | undefined): FoundSymbol {
	const { start } = symbol.location.range;
	const path = symbol.location.path ?? symbol.location.uri;
	const base = { path, name: symbol.name, kind: symbol.kind, container: symbol.container };
	const [first, ...next] = lines?.slice(start.line, start.line + 3) ?? [];
	if (first === undefined) return { ...base, position: start };
	const searched = [first.slice(start.character).padStart(first.length), ...next];
	const name = findWholeWords(searched, symbol.name, 1)[0];
	if (name === undefined) return { ...base, position: start };
	return { ...base, position: { line: start.line + name.line, character: name.character } };
}

export function toSymbolPlace({ path, position, kind, container, name }: FoundSymbol): Place {
	return { path, position, label: `${toKindName(kind)} ${[...container, name].join(".")}` };
}

/** Overloads and merged declarations stay apart here: they are different places. */
export function keepFirstOfPlace<Item extends Pick<Place, "path" | "position">>(
	items: readonly Item[],
): readonly Item[] {
	return keepFirstOfEach(items, ({ path, position }) => `${path}:${position.line}:${position.character}`);
}

/** The first of all that have the same key. */
export function keepFirstOfEach<Item>(
	items: readonly Item[],
	toKey: (item: Item) => string,
): readonly Item[] {
	return [...groupBy(items, toKey).values()].flatMap((group) => group.slice(0, 1));
}
