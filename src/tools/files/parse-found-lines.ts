import { groupBy } from "@deputize/ground";

export interface FoundLine {
	readonly path: string;
	readonly line: number;
	readonly text: string;
	/** False for a line around a match. */
	readonly isMatch: boolean;
}

/** What ripgrep prints with `--null`: the path, a NUL, the number, `:` or `-`, the text. Sorted by path. */
export function parseFoundLines(lines: readonly string[]): readonly FoundLine[] {
	// A remark about a binary file has no number.
	const found = lines.map(parseRow).filter((line) => line !== undefined);
	const files = groupBy(found, ({ path }) => path);
	return [...files.keys()].sort(comparePaths).flatMap((path) => files.get(path) ?? []);
}

function parseRow(row: string): FoundLine | undefined {
	const end = row.indexOf("\0");
	if (end === -1) return undefined;
	let at = end + 1;
	while (row.charCodeAt(at) >= 48 && row.charCodeAt(at) <= 57) at += 1;
	const mark = row[at];
	if (at === end + 1 || (mark !== ":" && mark !== "-")) return undefined;
	return {
		path: row.startsWith("./") ? row.slice(2, end) : row.slice(0, end),
		line: Number(row.slice(end + 1, at)),
		text: row.slice(at + 1).replaceAll("\r", ""),
		isMatch: mark === ":",
	};
}

/** Directory by directory: a directory comes before a file whose name only begins like it. */
export function comparePaths(left: string, right: string): number {
	const a = left.replaceAll("/", "\0");
	const b = right.replaceAll("/", "\0");
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
