import type { JsonObject } from "./json-values.ts";

/** The same object without these keys. */
export function omit(object: Readonly<JsonObject>, ...keys: readonly string[]): JsonObject {
	return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
