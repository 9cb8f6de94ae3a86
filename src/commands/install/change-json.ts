import { isObject, type JsonObject } from "@deputize/ground";
import { createScanner, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { mergeEntry } from "./merge-entry.ts";

/** The new text of a file, or why it is left alone. */
export type Change = { readonly text: string } | { readonly problem: string };

/** Sets one entry. Everything else stays as it is written, comments included. */
export function changeJson(before: string | undefined, path: readonly string[], entry: JsonObject): Change {
	if (before === undefined || before.trim() === "")
		return { text: `${JSON.stringify(nest(path, entry), null, "  ")}\n` };
	const mark = before.startsWith("\uFEFF") ? "\uFEFF" : "";
	const written = before.slice(mark.length);
	const root = parseObject(written);
	if (root === undefined) return { problem: "is not a JSON object" };
	const content: JsonObject = getNodeValue(root);
	const wanted = mergeEntry(content, path, entry);
	if (wanted === undefined)
		return { problem: `has something other than an object at ${path.slice(0, -1).join(".")}` };
	if (wanted === content) return { text: before };
	const text = setValue(written, root, path, wanted);
	const after = parseObject(text);
	// Whatever the editing did not foresee: nothing but the entry may have changed.
	const isRight = after && JSON.stringify(getNodeValue(after)) === JSON.stringify(wanted);
	return isRight ? { text: mark + text } : { problem: "is written in a way that cannot be changed safely" };
}

/** Undefined when the text is no object of JSON, with or without comments. */
function parseObject(text: string): Node | undefined {
	const errors: ParseError[] = [];
	const root = parseTree(text, errors, { allowTrailingComma: true });
	return errors.length === 0 && root?.type === "object" ? root : undefined;
}

function nest(path: readonly string[], value: unknown): unknown {
	return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

interface Style {
	readonly lineEnd: string;
	readonly indentation: string;
}

/** Not the library's own editing, which puts a new member in front of the comment about the last one and formats both anew. */
function setValue(text: string, root: Node, path: readonly string[], wanted: JsonObject): string {
	const style: Style = {
		lineEnd: text.includes("\r\n") ? "\r\n" : "\n",
		indentation: /^([ \t]+)"/m.exec(text)?.[1] ?? "  ",
	};
	const value = path.reduce<unknown>((table, name) => (isObject(table) ? table[name] : undefined), wanted);
	let table = root;
	for (const [depth, name] of path.entries()) {
		const member = findMember(table, name);
		if (member === undefined) {
			const added = render(nest(path.slice(depth + 1), value), style, depth + 1);
			return insertMember(text, table, { member: `${JSON.stringify(name)}: ${added}`, depth, ...style });
		}
		table = member;
	}
	return (
		text.slice(0, table.offset) + render(value, style, path.length) + text.slice(table.offset + table.length)
	);
}

/** The last one of this name counts, as it does for a parser. */
function findMember(table: Node, name: string): Node | undefined {
	return table.children?.findLast((member) => member.children?.[0]?.value === name)?.children?.[1];
}

function render(value: unknown, { lineEnd, indentation }: Style, depth: number): string {
	return JSON.stringify(value, null, indentation).replaceAll("\n", lineEnd + indentation.repeat(depth));
}

/** At the end of a table, behind what was written there about its last member. */
function insertMember(
	text: string,
	table: Node,
	{ member, depth, lineEnd, indentation }: Style & { readonly member: string; readonly depth: number },
): string {
	const closing = table.offset + table.length - 1;
	const last = table.children?.at(-1);
	const lastEnd = last ? last.offset + last.length : table.offset + 1;
	const commentEnd = text.slice(0, closing).trimEnd().length;
	const scanner = createScanner(text, true);
	scanner.setPosition(lastEnd);
	scanner.scan();
	// A comma that JSON does not allow there, and some clients do.
	const hasComma = last === undefined || text[scanner.getTokenOffset()] === ",";
	return [
		text.slice(0, lastEnd),
		hasComma ? "" : ",",
		text.slice(lastEnd, commentEnd),
		lineEnd + indentation.repeat(depth + 1) + member,
		lineEnd + indentation.repeat(depth),
		text.slice(closing),
	].join("");
}
