import { type InputOf, parseToolInput } from "../../../contract/parse-tool-input.ts";
import type { JsonSchema } from "../../../contract/tool.ts";
import { WebError, type WebErrorCode } from "../web-error.ts";
import {
	type FETCH_CONTENT,
	GET_SEARCH_CONTENT,
	MAX_QUERIES,
	MAX_URLS,
	type WEB_SEARCH,
} from "./describe-tools.ts";

const MAX_QUERY_CHARS = 2000;

type SearchFields = InputOf<typeof WEB_SEARCH.parameters>;
type FetchFields = InputOf<typeof FETCH_CONTENT.parameters>;

export type WebSearchInput = Omit<SearchFields, "query"> & { readonly queries: readonly string[] };
export type FetchContentInput = Omit<FetchFields, "url"> & { readonly urls: readonly string[] };
export type GetSearchContentInput = InputOf<typeof GET_SEARCH_CONTENT.parameters>;

export function parseWebSearchInput(input: unknown, parameters: JsonSchema): WebSearchInput {
	const {
		query,
		queries: more,
		...fields
	} = parseLoosely<SearchFields>(input, parameters, "query", "queries");
	const queries = joinLists(query, more);
	refuseCount(queries, MAX_QUERIES, "WEB_SEARCH_INVALID_QUERY", {
		none: "Give a query, or queries as a list.",
		many: `queries were given; at most ${MAX_QUERIES} are searched in one call. Split them over several calls.`,
	});
	const long = queries.find((text) => text.length > MAX_QUERY_CHARS);
	if (long !== undefined)
		throw new WebError(
			"WEB_SEARCH_INVALID_QUERY",
			`A query has ${long.length} characters; at most ${MAX_QUERY_CHARS}.`,
		);
	return { ...fields, queries };
}

export function parseFetchContentInput(input: unknown, parameters: JsonSchema): FetchContentInput {
	const { url, urls: more, ...fields } = parseLoosely<FetchFields>(input, parameters, "url", "urls");
	const urls = joinLists(url, more);
	refuseCount(urls, MAX_URLS, "INVALID_INPUT", {
		none: "Give a url, or urls as a list.",
		many: `URLs were given; at most ${MAX_URLS} are fetched in one call. Split them over several calls.`,
	});
	return { ...fields, urls };
}

export function parseGetSearchContentInput(input: unknown): GetSearchContentInput {
	const fields = parseToolInput(input, { ...GET_SEARCH_CONTENT.parameters, required: [] });
	if (fields.responseId === undefined)
		throw new WebError(
			"INVALID_INPUT",
			"responseId is missing. It is in the first line of every search and fetch.",
		);
	const trimmed = Object.entries(fields).map(([name, value]) => [
		name,
		typeof value === "string" ? value.trim() : value,
	]);
	return Object.fromEntries(trimmed) as GetSearchContentInput;
}

/** What is missing or too much in these two is refused by the caller, with the code of the tool and all together. */
function parseLoosely<Fields>(
	input: unknown,
	parameters: JsonSchema,
	single: string,
	plural: string,
): Fields {
	const properties = parameters["properties"] as Readonly<Record<string, JsonSchema>>;
	const list = properties[plural] && { [plural]: { type: "array", items: { type: "string" } } };
	return parseToolInput(input, {
		...parameters,
		properties: { ...properties, ...list, [single]: { type: "string" } },
		required: [],
	}) as Fields;
}

function refuseCount(
	values: readonly string[],
	max: number,
	code: WebErrorCode,
	messages: { readonly none: string; readonly many: string },
): void {
	if (values.length === 0) throw new WebError(code, messages.none);
	if (values.length > max) throw new WebError(code, `${values.length} ${messages.many}`);
}

/** One name and its plural together, trimmed and without repetitions. */
function joinLists(single = "", many: readonly string[] = []): readonly string[] {
	const texts = [single, ...many].map((text) => text.trim());
	return [...new Set(texts.filter((text) => text !== ""))];
}
