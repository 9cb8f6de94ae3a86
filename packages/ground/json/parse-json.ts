import { isObject, type JsonObject } from "./json-values.ts";

/** The value, or undefined when the text is not JSON. A byte order mark is skipped. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
	} catch {
		return undefined;
	}
}

/** The object, or undefined when the text is not JSON or is JSON of another kind. */
export function parseJsonObject(text: string): JsonObject | undefined {
	const value = parseJson(text);
	return isObject(value) ? value : undefined;
}
