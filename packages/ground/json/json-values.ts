/** Readers for JSON of unknown shape. They never throw; what has another type counts as absent. */

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): JsonObject {
	return isObject(value) ? value : {};
}

export function isText(value: unknown): value is string {
	return typeof value === "string";
}

export function asText(value: unknown): string {
	return isText(value) ? value : "";
}

export function asCount(value: unknown): number {
	return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

export function asList(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** Far fewer levels than a stack has: deeper ones can be read as JSON, and not be written again. */
const MAX_LEVELS = 500;

/** Whether it can be gone through, and written as JSON again. */
export function isShallow(value: unknown, levels: number = MAX_LEVELS): boolean {
	if (typeof value !== "object" || value === null) return true;
	return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

/** A price, a cost or a time: a negative one would add to what is left. */
export function isAmount(value: unknown): value is number {
	return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

export function isTextList(value: unknown): value is readonly string[] {
	return Array.isArray(value) && value.every(isText);
}
