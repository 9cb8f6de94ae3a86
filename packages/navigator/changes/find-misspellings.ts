import { classifyPath } from "../classify-path.ts";
import type { CodeIndex } from "../code-index/code-index.ts";
import type { LineFinding } from "./check-added-lines.ts";
import type { ChangedFile } from "./parse-diff.ts";

const IDENTIFIER = /[A-Za-z_$][\w$]{5,}/g;
const MAX_LOOKED_AT = 400;
/** The right spelling is an old one: it occurs more often than a slip would. */
const MIN_OCCURRENCES = 3;

/** Names that occur nowhere else, one letter away from a name that the tree uses again and again. */
export function findMisspellings(
	{ files: indexed }: CodeIndex,
	files: readonly ChangedFile[],
): LineFinding[] {
	const added = files
		.filter(({ path }) => classifyPath(path) === "source")
		.flatMap(({ path, added: lines }) => lines.map((line) => ({ path, ...line })))
		.flatMap((place) => {
			const code = place.text.replace(/"[^"]*"|'[^']*'|\/\/.*$|#.*$/g, "");
			return [...new Set(code.match(IDENTIFIER))].map((name) => ({ name, ...place }));
		})
		.slice(0, MAX_LOOKED_AT);
	if (added.length === 0) return [];
	const counts = countIdentifiers(indexed);
	return added.flatMap(({ name, ...place }) => {
		if ((counts.get(name) ?? 0) > 1) return [];
		const meant = [...counts].find(
			([other, count]) => count >= MIN_OCCURRENCES && other !== name && isOneSlipAway(name, other),
		)?.[0];
		return meant === undefined ? [] : [{ ...place, reason: `\`${name}\` is nowhere else, \`${meant}\` is` }];
	});
}

function countIdentifiers(files: CodeIndex["files"]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const file of files) {
		const kind = classifyPath(file.path);
		if (kind !== "source" && kind !== "test" && kind !== "declaration") continue;
		for (const name of file.text.match(IDENTIFIER) ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return counts;
}

/** One letter more, less, other, or two changed places. Plurals and numbers are other names, not slips. */
function isOneSlipAway(left: string, right: string): boolean {
	if (Math.abs(left.length - right.length) > 1 || left.toLowerCase() === right.toLowerCase()) return false;
	let start = 0;
	while (start < left.length && left[start] === right[start]) start += 1;
	let end = 0;
	while (end < Math.min(left.length, right.length) - start && left.at(-1 - end) === right.at(-1 - end))
		end += 1;
	const [a, b] = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
	// At the end of a name another letter is another name: plurals, numbered ones.
	if (!/^[a-z]+$/.test(a + b) || (end === 0 && left.length !== right.length)) return false;
	if (a.length === 2 && b.length === 2) return a[0] === b[1] && a[1] === b[0];
	return a.length <= 1 && b.length <= 1;
}
