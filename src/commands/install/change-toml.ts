import { escapePattern, type JsonObject, parseJson } from "@deputize/ground";
import type { Change } from "./change-json.ts";
import { mayStay } from "./merge-entry.ts";

/**
 * Sets the keys of one table in a TOML file, line by line, so that comments and order stay. Whatever is written in another
 * way than a table of its own with one line for each key is left to the person.
 */
export function changeToml(before: string | undefined, path: readonly string[], entry: JsonObject): Change {
	const text = before ?? "";
	/** Before the end of a line that is added. */
	const mark = text.includes("\r\n") ? "\r" : "";
	const lines = text.split("\n");
	const name = path.join(".");
	if (isOtherForm(lines, path)) return { problem: `has ${name} in another form than a table of its own` };
	const wanted = Object.entries(entry).map(([key, value]) => ({
		key,
		value,
		line: `${key} = ${JSON.stringify(value)}${mark}`,
	}));
	const header = new RegExp(
		`^\\s*\\[\\s*${path.map((part) => `"?${escapePattern(part)}"?`).join("\\s*\\.\\s*")}\\s*\\]`,
	);
	const start = lines.findIndex((line) => header.test(line));
	if (start === -1) {
		const gap = text === "" || /\n\r?\n$/.test(text) ? [] : text.endsWith("\n") ? [mark] : [mark, mark];
		const added = [...gap, `[${name}]${mark}`, ...wanted.map(({ line }) => line), ""];
		return { text: text + added.join("\n") };
	}
	const after = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line));
	const end = after === -1 ? lines.length : after;
	const block: readonly string[] = lines.slice(start + 1, end);
	if (block.some((line) => /^[^#]*(?:\[[^\]]*|"""|''')\s*$/.test(line))) {
		return { problem: `has a value over several lines in [${name}]` };
	}
	const changed = wanted.reduce(setAssignment, block);
	return { text: [...lines.slice(0, start + 1), ...changed, ...lines.slice(end)].join("\n") };
}

/** As a value of a table around it (`deputize = { … }`), or with its name in front of each key (`mcp_servers.deputize.command = …`). */
function isOtherForm(lines: readonly string[], path: readonly string[]): boolean {
	let table: readonly string[] = [];
	for (const line of lines) {
		const header = HEADER.exec(line)?.[1];
		if (header !== undefined) table = splitKeyPath(header);
		const key = header === undefined ? KEY.exec(line)?.[1] : undefined;
		const isAround = table.length < path.length && table.every((part, index) => part === path[index]);
		if (key === undefined || !isAround) continue;
		const named = [...table, ...splitKeyPath(key)];
		// Also a part of the path: `mcp_servers = { … }` has no room for tables.
		if (path.every((part, index) => index >= named.length || part === named[index])) return true;
	}
	return false;
}

const HEADER = /^\s*\[\[?([^[\]]+)\]/;
const KEY = /^\s*([\w."' \t-]+?)\s*=/;
const splitKeyPath = (name: string): readonly string[] =>
	name.split(".").map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2"));

function setAssignment(
	block: readonly string[],
	{ key, value, line }: { readonly key: string; readonly value: unknown; readonly line: string },
): readonly string[] {
	const assignment = new RegExp(`^\\s*"?${escapePattern(key)}"?\\s*=([\\s\\S]*)$`);
	const at = block.findIndex((candidate) => assignment.test(candidate));
	const present = assignment.exec(block[at] ?? "")?.[1];
	if (present === undefined) return [line, ...block];
	return mayStay(key, parseTomlValue(present), value) ? block : block.with(at, line);
}

/** Texts, numbers and lists of them are written as in JSON; undefined for what is not. */
function parseTomlValue(text: string): unknown {
	return parseJson(text) ?? parseJson(text.replace(/\s#[\s\S]*$/, ""));
}
