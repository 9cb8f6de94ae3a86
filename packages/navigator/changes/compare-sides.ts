import type { CodeIndex } from "../code-index/code-index.ts";
import type { FileFacts } from "../syntax/file-facts.ts";
import type { ChangedFile, ChangedLine } from "./parse-diff.ts";

/** A file before or after a change, whole where the tree has it, else the changed lines alone. */
export interface Side {
	readonly text: string;
	readonly facts?: FileFacts;
	/** The number that a line of the text has in the diff; undefined for one that was not changed. */
	changedLine(line: number): number | undefined;
}

export interface Sides {
	readonly before: Side;
	readonly after: Side;
}

/**
 * Both sides of a change. The tree usually is the later one, and for a diff that was not applied the earlier one; the other is
 * made from it and the diff. Where the tree is neither, the changed lines have to do.
 */
export function compareSides({ files, syntax }: CodeIndex, file: ChangedFile): Sides {
	const { path, added, removed } = file;
	const current = files.find((candidate) => candidate.path === path)?.text.split("\n");
	const toSide = (text: string, lines: ReadonlyMap<number, number>): Side => {
		const facts = syntax?.read(path, text);
		return { text, ...(facts && { facts }), changedLine: (line) => lines.get(line) };
	};
	const whole = (lines: readonly string[], changed: readonly ChangedLine[]): Side =>
		toSide(lines.join("\n"), new Map(changed.map(({ line }) => [line, line])));
	const alone = (changed: readonly ChangedLine[]): Side =>
		toSide(
			changed.map(({ text }) => text).join("\n"),
			new Map(changed.map(({ line }, at) => [at + 1, line])),
		);
	if (current !== undefined && hasLines(current, added))
		return { before: whole(exchange(current, added, removed), removed), after: whole(current, added) };
	if (current !== undefined && hasLines(current, removed))
		return { before: whole(current, removed), after: whole(exchange(current, removed, added), added) };
	return { before: alone(removed), after: alone(added) };
}

function hasLines(lines: readonly string[], wanted: readonly ChangedLine[]): boolean {
	return wanted.every(
		({ line, text }) => lines[line - 1]?.replace(/\r$/, "").startsWith(text.replace(/\r$/, "")) === true,
	);
}

/** The text without some of its lines, and with others at the numbers they have in the result. */
function exchange(
	lines: readonly string[],
	out: readonly ChangedLine[],
	into: readonly ChangedLine[],
): string[] {
	const gone = new Set(out.map(({ line }) => line));
	const result = lines.filter((_line, at) => !gone.has(at + 1));
	for (const { line, text } of [...into].sort((a, b) => a.line - b.line))
		result.splice(Math.min(line - 1, result.length), 0, text);
	return result;
}
