import { cutText, formatCount, groupBy } from "@deputize/ground";
import type { Position } from "vscode-languageserver-types";
import type { ActionContext } from "../actions/action-context.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import type { LspRequest } from "../parse-lsp-request.ts";
import { toShownPath } from "../workspace/file-uri.ts";
import { toHumanPosition } from "../workspace/text-positions.ts";

/** Something to show: a place, and for symbols what is there. */
export interface Place {
	/** Absolute and without links, or the address of something that is not a file. */
	readonly path: string;
	readonly position: Position;
	readonly label?: string;
}

/** The same place with the positions and path that the caller uses. */
interface ShownPlace {
	readonly file: string;
	readonly line: number;
	readonly column: number;
	readonly label?: string;
	readonly source: string;
	readonly context: readonly string[];
}

/** Some of many. */
interface Cut<Item> {
	readonly shown: readonly Item[];
	readonly total: number;
	readonly offset: number;
	readonly nextOffset?: number;
}

interface Page extends Cut<ShownPlace> {
	readonly files: number;
}

interface PageOptions {
	/** Lines after each place, while there are few places. */
	readonly contextLines?: number;
	/** Instead of the caller's. */
	readonly offset?: number;
}

type PageContext = Pick<ActionContext, "request" | "workspace" | "sources" | "pool">;

export function buildPage(
	context: PageContext,
	places: readonly Place[],
	{ contextLines = 0, offset = context.request.offset }: PageOptions = {},
): Page {
	const { shown, total, ...rest } = cutPage(places, { offset, limit: context.request.limit });
	const linesAfter = shown.length <= LSP_LIMITS.maxItemsWithContext ? contextLines : 0;
	const files = new Set(places.map(({ path }) => path)).size;
	return { shown: showPlaces(context, shown, linesAfter), total, files, ...rest };
}

export function cutPage<Item>(
	items: readonly Item[],
	{ offset, limit }: Pick<LspRequest, "offset" | "limit">,
): Cut<Item> {
	const shown = items.slice(offset, offset + limit);
	const next = offset + shown.length;
	return { shown, total: items.length, offset, ...(next < items.length ? { nextOffset: next } : {}) };
}

/** Which ones are shown, unless it is all of them. */
export function describeRest({ shown, total, offset, nextOffset }: Cut<unknown>): readonly string[] {
	if (nextOffset === undefined && offset === 0) return [];
	const next = nextOffset === undefined ? "" : ` Next page: offset=${nextOffset}`;
	return [`Showing ${offset + 1}-${offset + shown.length} of ${total}.${next}`];
}

/** Places of one file are adjacent, so each file is read only once. */
function showPlaces(
	{ workspace, sources, pool }: PageContext,
	chosen: readonly Place[],
	contextLines: number,
): readonly ShownPlace[] {
	// The workspace was looked at in this call, so its files need no second look.
	const { stampOf } = pool.watchOf(workspace);
	let path = "";
	let file = "";
	let lines: readonly string[] | undefined;
	return chosen.map((place) => {
		if (place.path !== path) {
			path = place.path;
			file = toShownPath(workspace, path);
			lines = path.startsWith("/") ? sources.linesOf(path, stampOf(path)) : undefined;
		}
		const after = contextLines === 0 ? 0 : Math.min(contextLines, linesToNext(place, chosen));
		return toShownPlace(place, file, lines, after);
	});
}

/** Context ends where the next place begins, so that no line is shown twice. */
function linesToNext(place: Place, all: readonly Place[]): number {
	const later = all
		.filter(({ path, position }) => path === place.path && position.line > place.position.line)
		.map(({ position }) => position.line - place.position.line - 1);
	return Math.min(Number.POSITIVE_INFINITY, ...later);
}

function toShownPlace(
	{ position, label }: Place,
	file: string,
	lines: readonly string[] | undefined,
	contextLines: number,
): ShownPlace {
	const start = position.line;
	const { line, column } = toHumanPosition(position, lines);
	const source = cutLine(lines?.[start] ?? "");
	const context =
		contextLines === 0 || lines === undefined
			? []
			: dropBlankEnd(lines.slice(start + 1, start + 1 + contextLines).map(cutLine));
	return label === undefined
		? { file, line, column, source, context }
		: { file, line, column, label, source, context };
}

function dropBlankEnd(lines: readonly string[]): readonly string[] {
	const last = lines.findLastIndex((line) => line !== "");
	return lines.slice(0, last + 1);
}

function cutLine(line: string): string {
	return cutText(line.trimEnd(), LSP_LIMITS.maxSourceLineChars);
}

/**
 * One block per file. A place is `  line:column  source`, a symbol `  line:column  kind name | source`, a line of
 * context `      | text`. This shape is documented and read by programs: change it together with its page.
 */
export function renderPlacePage(heading: string, page: Page): string {
	const lines = [`${heading}: ${page.total} in ${formatCount(page.files, "file")}`];
	for (const [file, places] of groupBy(page.shown, ({ file }) => file)) {
		lines.push(`${file} (${places.length})`);
		for (const place of places) pushPlace(lines, place);
	}
	return [...lines, ...describeRest(page)].join("\n");
}

function pushPlace(lines: string[], place: ShownPlace): void {
	const label = place.label === undefined ? "" : `${place.label} | `;
	lines.push(`  ${place.line}:${place.column}  ${label}${place.source.trim()}`.trimEnd());
	// Context keeps its indentation relative to the line it belongs to.
	const indent = indentOf(place.source);
	for (const line of place.context) lines.push(`      | ${line.slice(Math.min(indent, indentOf(line)))}`);
}

function indentOf(line: string): number {
	return line.length - line.trimStart().length;
}

/** Files stay in the server's order, the best first; inside a file reading order. */
export function sortWithinFiles(places: readonly Place[]): readonly Place[] {
	return [...groupByPath(places).values()].flatMap(sortByPosition);
}

export function sortPlaces(places: readonly Place[]): readonly Place[] {
	const groups = groupByPath(places);
	return [...groups.keys()].sort().flatMap((path) => sortByPosition(groups.get(path) ?? []));
}

/** Hundreds of places lie in a few files: comparing their paths once each is most of the sorting saved. */
function groupByPath(places: readonly Place[]): ReadonlyMap<string, readonly Place[]> {
	return groupBy(places, ({ path }) => path);
}

/** A server that follows links names a place once for each way to its file; the ways are one by now. */
function sortByPosition(places: readonly Place[]): readonly Place[] {
	if (isAscending(places)) return places;
	const sorted = [...places].sort(
		(a, b) => a.position.line - b.position.line || a.position.character - b.position.character,
	);
	return sorted.filter((place, index) => !isSamePlace(place, sorted[index - 1]));
}

/** Servers name the places of a file in reading order, nearly always. */
function isAscending(places: readonly Place[]): boolean {
	for (let index = 1; index < places.length; index += 1) {
		const before = places[index - 1]?.position;
		const here = places[index]?.position;
		if (before === undefined || here === undefined) return false;
		if (before.line > here.line || (before.line === here.line && before.character >= here.character))
			return false;
	}
	return true;
}

function isSamePlace({ position, label }: Place, before: Place | undefined): boolean {
	return (
		before !== undefined &&
		before.position.line === position.line &&
		before.position.character === position.character &&
		before.label === label
	);
}
