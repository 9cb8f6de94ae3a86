import type { NavigatorToolStep } from "./navigator-tool-step.ts";
import type { QuotedPlace } from "./quote-line.ts";

/** The text is empty when the answer does not quote the line. */
interface SymbolPlace extends QuotedPlace {
	/** The name of the symbol there, with what contains it; empty for a mere place. */
	readonly name: string;
}

const MAX_PLACES = 200;
/** The `lsp` tool groups places by file: `path (count)`, then `  line:column  kind name | source`. */
const FILE_HEADING = /^(\S.*?) \(\d+\)$/;
const PLACE = /^ {2}(\d+):\d+ {2}(?:(\S+) (\S+) \| ?)?(.*)$/;
const PATH_AND_LINE = /(?:^|[\s`([])((?:[\w@.-]+\/)*[\w@.-]+\.[A-Za-z]\w{0,7}):(\d+)(?::\d+)?/;

/**
 * Places a language server named. Errors and "incomplete" answers give no or fewer places, never a failure; a text of
 * another shape still gives what it writes as `path:line`.
 */
export function parseSymbolText(step: NavigatorToolStep): SymbolPlace[] {
	if (step.isError) return [];
	const places: SymbolPlace[] = [];
	let file: string | undefined;
	for (const row of step.text.split("\n")) {
		const heading = FILE_HEADING.exec(row)?.[1];
		if (heading !== undefined) file = heading.replace(/^\.\//, "");
		const place = heading === undefined ? toPlace(row, file) : undefined;
		if (place !== undefined) places.push(place);
		if (places.length === MAX_PLACES) break;
	}
	return places;
}

function toPlace(row: string, file: string | undefined): SymbolPlace | undefined {
	const listed = file === undefined ? null : PLACE.exec(row);
	if (file !== undefined && listed?.[1] !== undefined) {
		return { path: file, line: Number(listed[1]), text: listed[4] ?? "", name: listed[3] ?? "" };
	}
	const written = PATH_AND_LINE.exec(row);
	if (written?.[1] === undefined || written[2] === undefined || /^\s+\|/.test(row)) return undefined;
	return { path: written[1].replace(/^\.\//, ""), line: Number(written[2]), text: "", name: "" };
}
