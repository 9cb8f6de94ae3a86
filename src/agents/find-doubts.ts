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
	"thinking",
	"max_turns",
	"max_cost",
	"output",
	"runtime",
];
/** Near ours, and a field of its own in the agent files of other programs. */
const OF_OTHERS = ["mode"];
/** A letter forgotten, doubled or changed. */
const MAX_TYPOS = 2;

/**
 * Every field of an agent file that means nothing here. Its author believes that it does something: an agent must not
 * think less, or have a tool more, without a word about it.
 */
export function findDoubts(fields: ReadonlyMap<string, FrontmatterValue>): readonly string[] {
	const unknown = [...fields.keys()].filter((name) => !FIELDS.includes(name));
	const misspelled = unknown.flatMap((name) => {
		const meant = OF_OTHERS.includes(name) ? undefined : FIELDS.find((known) => isNear(name, known));
		return meant ? [{ name, meant }] : [];
	});
	const others = unknown.filter((name) => !misspelled.some((field) => field.name === name));
	return [
		...misspelled.map(({ name, meant }) => `the field ${name} means nothing; did you mean ${meant}?`),
		...(others.length > 0 ? [describeIgnored(others)] : []),
	];
}

function describeIgnored(names: readonly string[]): string {
	return names.length === 1
		? `the field ${names[0]} is not known and is ignored`
		: `the fields ${names.join(", ")} are not known and are ignored`;
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
