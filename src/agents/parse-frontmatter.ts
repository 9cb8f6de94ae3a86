import { cutText, matchAt } from "@deputize/ground";
import { LIMITS } from "../contract/limits.ts";

/** A field is a plain string or a list of plain strings. There are no anchors, tags, numbers or code. */
export type FrontmatterValue = string | readonly string[];

type ParsedFrontmatter =
	| { readonly ok: true; readonly fields: ReadonlyMap<string, FrontmatterValue>; readonly body: string }
	| { readonly ok: false; readonly reason: string };

const FENCE = "---";
/** A sentence, in which `#12` is a word and no comment. */
const PROSE = "description";
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
	const fields = parseFields(header);
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
function parseFields(lines: readonly string[]): Map<string, FrontmatterValue> | string {
	const fields = new Map<string, FrontmatterValue>();
	let index = 0;
	while (index < lines.length) {
		const line = lines[index] ?? "";
		index += 1;
		if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
		const match = FIELD.exec(line.trimEnd());
		if (!match?.[1]) return `line ${index + 1} is not "key: value": ${cutText(line.trim(), 60)}`;
		const name = match[1];
		// One parser would take the first of two and another the last: refuse both.
		if (fields.has(name)) return `the field ${name} is given twice`;
		const nested = takeNested(lines, index);
		index += nested.length;
		const inline = (match[2] ?? "").trim();
		fields.set(name, parseValue(inline, nested, name === PROSE ? asWritten : withoutComment));
	}
	return fields;
}

/** The lines that belong to the field above them: indented, or dashes at any depth. */
function takeNested(lines: readonly string[], start: number): readonly string[] {
	let end = start;
	while (end < lines.length && /^(\s+\S|\s*-\s|\s*-$|\s*$)/.test(lines[end] ?? "")) end += 1;
	return lines.slice(start, end);
}

/** `|`, `>-`, `|2`: how block text begins. */
const BLOCK = /^([|>])[+-]?([1-9])?[+-]?(?:\s+#.*)?$/;

function parseValue(
	inline: string,
	nested: readonly string[],
	readBare: (value: string) => string,
): FrontmatterValue {
	const block = BLOCK.exec(inline);
	if (block) return parseBlock(nested, block[1] === ">", block[2]);
	const below = nested.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
	if (inline === "" && below.some((line) => line.startsWith("-"))) {
		return below.filter((line) => line.startsWith("-")).map((line) => unquote(line.slice(1).trim()));
	}
	if (inline.startsWith("[") && inline.endsWith("]")) return splitList(inline.slice(1, -1));
	return [unquote(inline, readBare), ...below].filter((part) => part !== "").join(" ");
}

/** Block text without the indentation of its first line, and without line ends after it. */
function parseBlock(nested: readonly string[], folded: boolean, indicator: string | undefined): string {
	const first = nested.find((line) => line.trim() !== "") ?? "";
	const indentation = indicator === undefined ? first.length - first.trimStart().length : Number(indicator);
	const lines = nested.map((line) =>
		line.trim() === "" ? "" : line.slice(countIndentation(line, indentation)).trimEnd(),
	);
	const text = lines.join("\n");
	return (folded ? foldLines(text) : text).replace(/^\n+|\n+$/g, "");
}

function countIndentation(line: string, maximum: number): number {
	return Math.min(maximum, line.length - line.trimStart().length);
}

/** A line end between two lines of a paragraph is a space; a blank line is a line end; deeper lines are as they are. */
function foldLines(text: string): string {
	return text.replace(/(?<=^\S.*)\n(\n*)(?=\S)/gm, (_, blank: string) => (blank === "" ? " " : blank));
}

const ESCAPES: Readonly<Record<string, string>> = {
	n: "\n",
	t: "\t",
	r: "\r",
	"0": "\0",
	'"': '"',
	"\\": "\\",
	"/": "/",
};
const DOUBLE_QUOTED = /^"((?:[^"\\]|\\.)*)"\s*(?:\s#.*)?$/;
const SINGLE_QUOTED = /^'((?:[^']|'')*)'\s*(?:\s#.*)?$/;

/** A quoted value as it is meant; a bare one without its comment, unless that is a part of it. */
function unquote(value: string, readBare = withoutComment): string {
	const double = DOUBLE_QUOTED.exec(value)?.[1];
	if (double !== undefined) return double.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, unescapeCharacter);
	const single = SINGLE_QUOTED.exec(value)?.[1];
	if (single !== undefined) return single.replaceAll("''", "'");
	return readBare(value);
}

function withoutComment(value: string): string {
	const comment = value.indexOf(" #");
	return comment === -1 ? value : value.slice(0, comment).trimEnd();
}

const asWritten = (value: string): string => value;

function unescapeCharacter(written: string, code: string | undefined, letter: string | undefined): string {
	return code === undefined
		? (ESCAPES[letter ?? ""] ?? written)
		: String.fromCharCode(Number.parseInt(code, 16));
}

const LIST_ITEM = /\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,"'][^,]*|["'][^,]*)?\s*(?:,|$)/y;

function splitList(text: string): readonly string[] {
	const items: string[] = [];
	for (let at = 0; at < text.length; ) {
		const match = matchAt(LIST_ITEM, text, at) ?? [text.slice(at), text.slice(at)];
		items.push(unquote((match[1] ?? "").trim()));
		at += Math.max(1, match[0].length);
	}
	return items.filter((item) => item !== "");
}

/** A comma list and a dash list mean the same; duplicates count once. */
export function toNameList(value: FrontmatterValue): readonly string[] {
	const items = typeof value === "string" ? splitList(value) : value.filter((item) => item !== "");
	return [...new Set(items)];
}
