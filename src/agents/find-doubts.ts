import { findNearWord } from "@deputize/ground";
import type { FrontmatterValue } from "./parse-frontmatter.ts";

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
	"skills",
	"background",
	"network",
	"runtime",
];
/** Near ours, and a field of its own in the agent files of other programs. */
const OF_OTHERS = ["mode"];

/**
 * Every field of an agent file that means nothing here. Its author believes that it does something: an agent must not
 * think less, or have a tool more, without a word about it.
 */
export function findDoubts(fields: ReadonlyMap<string, FrontmatterValue>): readonly string[] {
	const unknown = [...fields.keys()].filter((name) => !FIELDS.includes(name));
	const misspelled = unknown.flatMap((name) => {
		const meant = OF_OTHERS.includes(name) ? undefined : findNearWord(name, FIELDS);
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
