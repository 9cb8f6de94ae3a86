import { isObject, type JsonObject } from "@deputize/ground";
import { mergeEntry } from "./merge-entry.ts";
import { type JsonOutline, outlineJson, type TextRange } from "./outline-json.ts";

/** The new text of a file, or why it is left alone. */
export type Change = { readonly text: string } | { readonly problem: string };

/** Sets one entry. Everything else stays as it is written, comments included. */
export function changeJson(before: string | undefined, path: readonly string[], entry: JsonObject): Change {
	if (before === undefined || before.trim() === "")
		return { text: `${JSON.stringify(nest(path, entry), null, "  ")}\n` };
	const outline = outlineJson(before);
	if (outline === undefined) return { problem: "is not a JSON object" };
	const wanted = setEntry(outline.content, path, entry);
	if (wanted === undefined)
		return { problem: `has something other than an object at ${path.slice(0, -1).join(".")}` };
	if (wanted === outline.content) return { text: before };
	const text = editOutline(before, outline, path, wanted);
	// Whatever the editing did not foresee: nothing but the entry may have changed.
	const isRight = JSON.stringify(outlineJson(text)?.content) === JSON.stringify(wanted);
	return isRight ? { text } : { problem: "is written in a way that cannot be changed safely" };
}

/** The same object when nothing would change; undefined when there is no room for the entry. */
function setEntry(
	table: JsonObject,
	[name = "", ...rest]: readonly string[],
	entry: JsonObject,
): JsonObject | undefined {
	const inner = Object.hasOwn(table, name) ? table[name] : undefined;
	if (rest.length === 0) {
		const merged = mergeEntry(inner, entry);
		return JSON.stringify(inner) === JSON.stringify(merged) ? table : { ...table, [name]: merged };
	}
	if (inner !== undefined && !isObject(inner)) return undefined;
	const changed = setEntry(inner ?? {}, rest, entry);
	if (changed === undefined || changed === inner) return changed && table;
	return { ...table, [name]: changed };
}

function nest(path: readonly string[], value: unknown): unknown {
	return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

function editOutline(
	text: string,
	outline: JsonOutline,
	path: readonly string[],
	wanted: JsonObject,
): string {
	const style: Style = {
		lineEnd: text.includes("\r\n") ? "\r\n" : "\n",
		indentation: /^([ \t]+)"/m.exec(text)?.[1] ?? "  ",
	};
	const value = path.reduce<unknown>((table, name) => (isObject(table) ? table[name] : undefined), wanted);
	const present = outline.find(path);
	if (present !== undefined) {
		const { start, end } = present;
		return text.slice(0, start) + render(value, style, path.length) + text.slice(end);
	}
	// The innermost table that is there.
	const depth = path.findIndex((_name, index) => outline.find(path.slice(0, index + 1)) === undefined);
	const table = outline.find(path.slice(0, depth)) ?? { start: 0, end: text.length };
	const member = `${JSON.stringify(path[depth])}: ${render(nest(path.slice(depth + 1), value), style, depth + 1)}`;
	return insertMember(text, outline.plain, table, { member, depth, ...style });
}

interface Style {
	readonly lineEnd: string;
	readonly indentation: string;
}

function render(value: unknown, { lineEnd, indentation }: Style, depth: number): string {
	return JSON.stringify(value, null, indentation).replaceAll("\n", lineEnd + indentation.repeat(depth));
}

/** At the end of a table, behind what was written there about its last member. */
function insertMember(
	text: string,
	plain: string,
	table: TextRange,
	{ member, depth, lineEnd, indentation }: Style & { readonly member: string; readonly depth: number },
): string {
	const closing = table.end - 1;
	const lastEnd = plain.slice(0, closing).trimEnd().length;
	const commentEnd = text.slice(0, closing).trimEnd().length;
	const isEmpty = lastEnd === table.start + 1;
	// A comma that JSON does not allow there, and some clients do.
	const hasComma = isEmpty || /,/.test(dropComments(text.slice(lastEnd, closing)));
	return [
		text.slice(0, lastEnd),
		hasComma ? "" : ",",
		text.slice(lastEnd, commentEnd),
		lineEnd + indentation.repeat(depth + 1) + member,
		lineEnd + indentation.repeat(depth),
		text.slice(closing),
	].join("");
}

/** No string can be in what is given. */
function dropComments(text: string): string {
	return text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "");
}
