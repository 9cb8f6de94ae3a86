import type { JsonObject } from "../../json/json-values.ts";
import type { Change } from "./change-json.ts";

/**
 * Sets the keys of one table in a TOML file, line by line, so that comments and order stay. Whatever is written in another
 * way than a table of its own with one line for each key is left to the person.
 */
export function changeToml(before: string | undefined, path: readonly string[], entry: JsonObject): Change {
	const text = before ?? "";
	const lines = text.split("\n");
	const name = path.join(".");
	const parent = path.slice(0, -1).join(".");
	if (lines.some((line) => new RegExp(`^\\s*${quoteForPattern(parent)}\\s*[.=]`).test(line))) {
		return { problem: `has ${parent} in another form than tables` };
	}
	const wanted = Object.entries(entry).map(([key, value]) => ({
		key,
		line: `${key} = ${JSON.stringify(value)}`,
	}));
	const header = new RegExp(
		`^\\s*\\[\\s*${path.map((part) => `"?${quoteForPattern(part)}"?`).join("\\s*\\.\\s*")}\\s*\\]`,
	);
	const start = lines.findIndex((line) => header.test(line));
	if (start === -1) {
		const gap = text === "" || text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
		return { text: `${text}${gap}[${name}]\n${wanted.map(({ line }) => line).join("\n")}\n` };
	}
	const after = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line));
	const end = after === -1 ? lines.length : after;
	const block = lines.slice(start + 1, end);
	if (block.some((line) => /^[^#]*(?:\[[^\]]*|"""|''')\s*$/.test(line))) {
		return { problem: `has a value over several lines in [${name}]` };
	}
	const changed = wanted.reduce<readonly string[]>((present, { key, line }) => {
		const at = present.findIndex((candidate) =>
			new RegExp(`^\\s*"?${quoteForPattern(key)}"?\\s*=`).test(candidate),
		);
		return at === -1
			? [line, ...present]
			: present.map((candidate, index) => (index === at ? line : candidate));
	}, block);
	return { text: [...lines.slice(0, start + 1), ...changed, ...lines.slice(end)].join("\n") };
}

function quoteForPattern(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
