import { isObject, type JsonObject } from "../../json/json-values.ts";
import { parseJson } from "../../json/parse-json.ts";

/** The new text of a file, or why it is left alone. */
export type Change = { readonly text: string } | { readonly problem: string };

/** Sets one entry. Everything else keeps its order and the file its indentation. */
export function changeJson(before: string | undefined, path: readonly string[], entry: JsonObject): Change {
	if (before === undefined || before.trim() === "")
		return { text: `${render(setEntry({}, path, entry), "  ")}\n` };
	const content = parseJson(before);
	if (!isObject(content)) return { problem: "is not plain JSON (comments, perhaps)" };
	const changed = setEntry(content, path, entry);
	if (changed === undefined)
		return { problem: `has something else than an object at ${path.slice(0, -1).join(".")}` };
	if (changed === content) return { text: before };
	const indentation = /^([ \t]+)"/m.exec(before)?.[1] ?? "  ";
	return { text: render(changed, indentation) + (/\s*$/.exec(before)?.[0] ?? "") };
}

const render = (content: JsonObject | undefined, indentation: string): string =>
	JSON.stringify(content, null, indentation);

/** The same object when nothing would change; undefined when there is no room for the entry. */
function setEntry(
	table: JsonObject,
	[name = "", ...rest]: readonly string[],
	entry: JsonObject,
): JsonObject | undefined {
	const inner = Object.hasOwn(table, name) ? table[name] : undefined;
	if (rest.length === 0) {
		// What a person added to the entry, such as variables, stays.
		const merged = isObject(inner) ? { ...inner, ...entry, ...keepFilled(inner, entry) } : entry;
		return JSON.stringify(inner) === JSON.stringify(merged) ? table : { ...table, [name]: merged };
	}
	if (inner !== undefined && !isObject(inner)) return undefined;
	const changed = setEntry(inner ?? {}, rest, entry);
	if (changed === undefined || changed === inner) return changed && table;
	return { ...table, [name]: changed };
}

/** Tables that we would write empty and that are not. */
function keepFilled(inner: JsonObject, entry: JsonObject): JsonObject {
	return Object.fromEntries(
		Object.entries(inner).filter(([name, value]) => isObject(value) && JSON.stringify(entry[name]) === "{}"),
	);
}
