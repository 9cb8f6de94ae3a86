import { isObject, type JsonObject, parseJson } from "@deputize/ground";

/** From the first character of a value up to the one behind it. */
export interface TextRange {
	readonly start: number;
	readonly end: number;
}

/** A file of settings, as far as it has to be understood to be changed in one place. */
export interface JsonOutline {
	readonly content: JsonObject;
	/** The same text without comments and commas before a closing bracket, with every other character where it was. */
	readonly plain: string;
	/** Where a value is; undefined when there is none. */
	find(path: readonly string[]): TextRange | undefined;
}

const STRING_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const STRING_OR_COMMA = /"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g;

/** Undefined when the text is no object of JSON, with or without comments. */
export function outlineJson(text: string): JsonOutline | undefined {
	const blank = (part: string): string => (part.startsWith('"') ? part : part.replace(/[^\r\n]/g, " "));
	const plain = text
		.replace(/^\uFEFF/, " ")
		.replace(STRING_OR_COMMENT, blank)
		.replace(STRING_OR_COMMA, blank);
	const content = parseJson(plain);
	return isObject(content) ? { content, plain, find: (path) => findValue(plain, path) } : undefined;
}

function findValue(plain: string, path: readonly string[]): TextRange | undefined {
	let range: TextRange | undefined = { start: plain.search(/\S/), end: plain.trimEnd().length };
	for (const name of path) range = range && findMember(plain, range, name);
	return range;
}

/** The last one of this name counts, as it does for a parser. */
function findMember(plain: string, table: TextRange, name: string): TextRange | undefined {
	if (plain[table.start] !== "{") return undefined;
	let found: TextRange | undefined;
	for (const member of listMembers(plain, table)) if (member.name === name) found = member;
	return found;
}

function* listMembers(plain: string, table: TextRange): Generator<TextRange & { readonly name: string }> {
	for (let at = seek(plain, '"', table.start); at < table.end; ) {
		const nameEnd = skipValue(plain, at);
		const start = skipSpace(plain, seek(plain, ":", nameEnd) + 1);
		const end = skipValue(plain, start);
		yield { name: JSON.parse(plain.slice(at, nameEnd)) as string, start, end };
		at = seek(plain, '"', end);
	}
}

/** From the first character of a value to the one behind its last. */
function skipValue(plain: string, start: number): number {
	const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s"{}[\],:]+/g;
	tokens.lastIndex = start;
	for (let depth = 0, token = tokens.exec(plain); token !== null; token = tokens.exec(plain)) {
		if (/[{[]/.test(token[0][0] ?? "")) depth += 1;
		else if (/[}\]]/.test(token[0][0] ?? "")) depth -= 1;
		if (depth === 0) return tokens.lastIndex;
	}
	return plain.length;
}

function seek(text: string, character: string, from: number): number {
	const at = text.indexOf(character, from);
	return at < 0 ? text.length : at;
}

function skipSpace(text: string, from: number): number {
	return from + text.slice(from).search(/\S|$/);
}
