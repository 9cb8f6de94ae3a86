import { isDeepStrictEqual } from "node:util";
import { asObject, escapePattern, type JsonObject } from "@deputize/ground";
import { parse, stringify } from "smol-toml";
import type { Change } from "./change-json.ts";
import { mergeEntry } from "./merge-entry.ts";

/** The line of a table's name. What follows it in the middle of a list over several lines is no such line. */
const HEADER = /^\s*\[[^\]]+\]\]?\s*(?:#.*)?$/;

/**
 * Sets the keys of one table in a TOML file, line by line, so that comments and order stay. What that cannot do, such as
 * an entry in another form than a table of its own or a value over several lines, is left to the person.
 */
export function changeToml(before: string | undefined, path: readonly string[], entry: JsonObject): Change {
	const text = before ?? "";
	const content = parseToml(text);
	if (content === undefined) return { problem: "is not valid TOML" };
	const wanted = mergeEntry(content, path, entry);
	if (wanted === content) return { text };
	const changed = setKeys(text, path, listAssignments(content, wanted, path));
	// Whatever the editing did not foresee: nothing but the entry may have changed.
	const isRight = wanted && isDeepStrictEqual(parseToml(changed), parseToml(stringify(wanted)));
	return isRight
		? { text: changed }
		: { problem: `has ${path.join(".")} in another form than a table of its own with one line for each key` };
}

function parseToml(text: string): JsonObject | undefined {
	try {
		return parse(text, { integersAsBigInt: "asNeeded" });
	} catch {
		return undefined;
	}
}

type Assignment = readonly [key: string, value: unknown];

function listAssignments(
	before: JsonObject,
	after: JsonObject | undefined,
	path: readonly string[],
): readonly Assignment[] {
	const find = (settings: JsonObject): JsonObject =>
		path.reduce((table, name) => asObject(table[name]), settings);
	const present = find(before);
	return Object.entries(find(after ?? {})).filter(([key, value]) => present[key] !== value);
}

function setKeys(text: string, path: readonly string[], assignments: readonly Assignment[]): string {
	/** Before the end of a line that is added. */
	const mark = text.includes("\r\n") ? "\r" : "";
	const lines = text.split("\n");
	const name = path.map((part) => `"?${escapePattern(part)}"?`).join("\\s*\\.\\s*");
	const header = new RegExp(`^\\s*\\[\\s*${name}\\s*\\]`);
	const start = lines.findIndex((line) => header.test(line));
	if (start === -1) {
		const gap = text === "" || /\n\r?\n$/.test(text) ? [] : text.endsWith("\n") ? [mark] : [mark, mark];
		const added = [`[${path.join(".")}]`, ...assignments.map(writeAssignment)].map((line) => line + mark);
		return text + [...gap, ...added, ""].join("\n");
	}
	const after = lines.findIndex((line, index) => index > start && HEADER.test(line));
	const end = after === -1 ? lines.length : after;
	let block: readonly string[] = lines.slice(start + 1, end);
	for (const assignment of assignments) {
		const key = new RegExp(`^\\s*"?${escapePattern(assignment[0])}"?\\s*=`);
		const at = block.findIndex((line) => key.test(line));
		const line = writeAssignment(assignment) + mark;
		block = at === -1 ? [line, ...block] : block.with(at, line);
	}
	return [...lines.slice(0, start + 1), ...block, ...lines.slice(end)].join("\n");
}

/** Texts, numbers and lists of them are written as in JSON. */
const writeAssignment = ([key, value]: Assignment): string => `${key} = ${JSON.stringify(value)}`;
