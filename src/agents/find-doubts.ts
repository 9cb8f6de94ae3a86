import type { FrontmatterValue } from "../text/parse-frontmatter.ts";

const FIELDS = [
	"name",
	"description",
	"readonly",
	"tools",
	"approved_tools",
	"allowed_tools",
	"denied_tools",
	"model",
	"runtime",
];
const READONLY_VALUES = ["true", "1", "false", "0", ""];
/** Near ours, and a field of its own in the agent files of other programs. */
const OF_OTHERS = ["mode"];
/** A letter forgotten, doubled or changed. */
const MAX_TYPOS = 2;

/**
 * What an agent file says that means nothing here and looks as if it should: an agent that its author believes to be
 * readonly, or without a tool, must not become something else without a word. Other unknown fields belong to other
 * programs.
 */
export function findDoubts(fields: ReadonlyMap<string, FrontmatterValue>): readonly string[] {
	const doubts = [...fields.keys()].flatMap((name) => {
		const isKnown = FIELDS.includes(name) || OF_OTHERS.includes(name);
		const meant = isKnown ? undefined : FIELDS.find((known) => isNear(name, known));
		return meant ? [`the field ${name} means nothing; did you mean ${meant}?`] : [];
	});
	const readonly = String(fields.get("readonly") ?? "").trim();
	if (!READONLY_VALUES.includes(readonly)) {
		doubts.push(`readonly: ${readonly} does not make an agent readonly; only true or 1 does`);
	}
	return doubts;
}

function isNear(name: string, known: string): boolean {
	const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, "");
	const sorted = (text: string): string => [...letters(text)].sort().join("");
	return (
		sorted(name) === sorted(known) ||
		countEdits(letters(name), letters(known)) <= Math.min(MAX_TYPOS, known.length / 4)
	);
}

/** Levenshtein's distance. Names in a frontmatter are short. */
function countEdits(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i += 1) {
		const next = [i];
		for (let j = 1; j <= b.length; j += 1) {
			const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
		}
		row = next;
	}
	return row[b.length] ?? 0;
}
