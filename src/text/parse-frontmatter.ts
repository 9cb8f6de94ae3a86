import { LIMITS } from "../contract/limits.ts";

/** A field is a plain string or a list of plain strings. There are no anchors, tags, numbers or code. */
export type FrontmatterValue = string | readonly string[];

export type ParsedFrontmatter =
	| { readonly ok: true; readonly fields: ReadonlyMap<string, FrontmatterValue>; readonly body: string }
	| { readonly ok: false; readonly reason: string };

const FENCE = "---";
const FIELD = /^([A-Za-z_][\w-]*):(?:\s(.*))?$/;

/**
 * Reads `key: value` lines, comma lists, `[a, b]` lists, dash lists and block text (`|`, `>`).
 * Deliberately not YAML: a file from a repository must not be able to cost time or run code.
 */
export function parseFrontmatter(text: string): ParsedFrontmatter {
	const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
	if (lines[0]?.trimEnd() !== FENCE) {
		return refuse(`the first line must be ${FENCE}`);
	}
	const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === FENCE);
	if (end === -1) return refuse(`the frontmatter has no closing ${FENCE}`);
	const header = lines.slice(1, end);
	if (header.join("\n").length > LIMITS.maxFrontmatterBytes) {
		return refuse(`the frontmatter is longer than ${LIMITS.maxFrontmatterBytes} bytes`);
	}
	const fields = readFields(header);
	if (typeof fields === "string") return refuse(fields);
	return {
		ok: true,
		fields,
		body: lines
			.slice(end + 1)
			.join("\n")
			.trim(),
	};
}

function refuse(reason: string): ParsedFrontmatter {
	return { ok: false, reason };
}

/** The fields, or the reason why they cannot be read. */
function readFields(lines: readonly string[]): Map<string, FrontmatterValue> | string {
	const fields = new Map<string, FrontmatterValue>();
	let index = 0;
	while (index < lines.length) {
		const line = lines[index] ?? "";
		index += 1;
		if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
		const match = FIELD.exec(line.trimEnd());
		if (!match?.[1]) return `line ${index + 1} is not "key: value": ${line.trim().slice(0, 60)}`;
		const name = match[1];
		// The first of two would win silently in one parser and the last in another: refuse both.
		if (fields.has(name)) return `the field ${name} is given twice`;
		const nested = takeNested(lines, index);
		index += nested.length;
		fields.set(name, readValue((match[2] ?? "").trim(), nested));
	}
	return fields;
}

/** The lines that belong to the field above them: indented, or dashes at any depth. */
function takeNested(lines: readonly string[], start: number): readonly string[] {
	let end = start;
	while (end < lines.length && /^(\s+\S|\s*-\s|\s*-$|\s*$)/.test(lines[end] ?? "")) end += 1;
	return lines.slice(start, end);
}

function readValue(inline: string, nested: readonly string[]): FrontmatterValue {
	const below = nested.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
	if (/^[|>][+-]?$/.test(inline)) return below.join(inline.startsWith(">") ? " " : "\n");
	if (inline === "" && below.some((line) => line.startsWith("-"))) {
		return below.filter((line) => line.startsWith("-")).map((line) => unquote(line.slice(1).trim()));
	}
	if (inline.startsWith("[") && inline.endsWith("]")) return splitList(inline.slice(1, -1));
	return [unquote(inline), ...below].filter((part) => part !== "").join(" ");
}

function unquote(value: string): string {
	const quote = value[0];
	if (value.length >= 2 && (quote === '"' || quote === "'") && value.endsWith(quote))
		return value.slice(1, -1);
	const comment = value.indexOf(" #");
	return comment === -1 ? value : value.slice(0, comment).trimEnd();
}

function splitList(text: string): readonly string[] {
	return text
		.split(",")
		.map((item) => unquote(item.trim()))
		.filter((item) => item !== "");
}

/** A comma list and a dash list mean the same; duplicates count once. */
export function toNameList(value: FrontmatterValue): readonly string[] {
	const items = typeof value === "string" ? splitList(value) : value.filter((item) => item !== "");
	return [...new Set(items)];
}
