import { isObject, type JsonObject, parseJson } from "@deputize/ground";
import { WebError } from "../web-error.ts";
import type { SearchHit } from "./search-provider.ts";

/** For each field of a hit, the names under which a service may write it; the first that is not empty counts. */
export type HitNames = Partial<
	Readonly<Record<"url" | "snippet" | "source" | "publishedAt", readonly string[]>>
>;

/**
 * The hits in the list at `path` of a JSON answer. Anything else is an answer of the wrong shape, never "no results",
 * unless it has the field `proof`, which only answers of this service have.
 */
export function parseProviderHits(
	body: string,
	path: readonly string[],
	names: HitNames,
	proof?: string,
): SearchHit[] {
	const answer = parseJson(body);
	const list = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), answer);
	if (Array.isArray(list)) return list.filter(isObject).map((entry) => toHit(entry, names));
	if (proof !== undefined && isObject(answer) && proof in answer) return [];
	throw new WebError(
		"PARSE_ERROR",
		`The service answered with ${answer === undefined ? describeForeignBody(body) : `JSON without a list at ${path.join(".")}`}.`,
	);
}

function toHit(entry: JsonObject, { url = ["url"], ...names }: HitNames): SearchHit {
	const read = (candidates: readonly string[] = []): string =>
		candidates.map((name) => joinTexts(entry[name])).find((text) => text !== "") ?? "";
	return {
		title: read(["title"]),
		url: read(url),
		snippet: read(names.snippet),
		source: read(names.source),
		publishedAt: read(names.publishedAt),
	};
}

function joinTexts(value: unknown): string {
	if (Array.isArray(value)) return value.filter((entry) => typeof entry === "string").join(" … ");
	return typeof value === "string" ? value : "";
}

function describeForeignBody(body: string): string {
	const isHtml = /^\s{0,100}<(?:!doctype|html|head|body)/i.test(body.slice(0, 400));
	return isHtml ? "an HTML page instead of JSON" : "something that is not JSON";
}
