import { WebError } from "../web-error.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** The list at `path` of a JSON answer. Anything else is an answer of the wrong shape, never "no results". */
export function readProviderList(body: string, path: readonly string[]): JsonObject[] {
	let value: unknown;
	try {
		value = JSON.parse(body);
	} catch {
		const isHtml = /^\s{0,100}<(?:!doctype|html|head|body)/i.test(body.slice(0, 400));
		throw wrongShape(isHtml ? "an HTML page instead of JSON" : "something that is not JSON");
	}
	for (const name of path) value = isObject(value) ? value[name] : undefined;
	if (!Array.isArray(value)) throw wrongShape(`JSON without a list at ${path.join(".")}`);
	return value.filter(isObject);
}

/** As above, but a missing list at the end of `path` means that nothing was found. */
export function readOptionalProviderList(body: string, path: readonly string[], proof: string): JsonObject[] {
	try {
		return readProviderList(body, path);
	} catch (error) {
		if (isObject(parseQuietly(body)) && hasField(parseQuietly(body), proof)) return [];
		throw error;
	}
}

export function readString(object: JsonObject, ...names: readonly string[]): string {
	for (const name of names) {
		const value = object[name];
		if (typeof value === "string" && value !== "") return value;
	}
	return "";
}

function parseQuietly(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
}

function hasField(value: unknown, name: string): boolean {
	return isObject(value) && name in value;
}

function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrongShape(what: string): WebError {
	return new WebError("PARSE_ERROR", `The service answered with ${what}.`);
}
