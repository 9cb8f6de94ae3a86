import { isObject, type JsonObject } from "../../../json/json-values.ts";
import { parseJson, parseJsonObject } from "../../../json/parse-json.ts";
import { WebError } from "../web-error.ts";

/** The list at `path` of a JSON answer. Anything else is an answer of the wrong shape, never "no results". */
export function parseProviderList(body: string, path: readonly string[]): JsonObject[] {
	let value = parseJson(body);
	if (value === undefined) {
		const isHtml = /^\s{0,100}<(?:!doctype|html|head|body)/i.test(body.slice(0, 400));
		throw wrongShape(isHtml ? "an HTML page instead of JSON" : "something that is not JSON");
	}
	for (const name of path) value = isObject(value) ? value[name] : undefined;
	if (!Array.isArray(value)) throw wrongShape(`JSON without a list at ${path.join(".")}`);
	return value.filter(isObject);
}

/** As above, but a missing list at the end of `path` means that nothing was found. */
export function parseOptionalProviderList(
	body: string,
	path: readonly string[],
	proof: string,
): JsonObject[] {
	try {
		return parseProviderList(body, path);
	} catch (error) {
		if (proof in (parseJsonObject(body) ?? {})) return [];
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

function wrongShape(what: string): WebError {
	return new WebError("PARSE_ERROR", `The service answered with ${what}.`);
}
