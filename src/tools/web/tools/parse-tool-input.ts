import { type InputOf, parseToolInput } from "../../../contract/parse-tool-input.ts";
import type { JsonSchema } from "../../../contract/tool.ts";
import { WebError, type WebErrorCode } from "../web-error.ts";
import { FETCH_CONTENT, GET_SEARCH_CONTENT, MAX_QUERIES, MAX_URLS, WEB_SEARCH } from "./describe-tools.ts";

const MAX_QUERY_CHARS = 2000;

export interface WebSearchInput {
	readonly queries: readonly string[];
	readonly numResults: number | undefined;
	readonly includeContent: boolean;
}

export interface FetchContentInput {
	readonly urls: readonly string[];
	readonly preferReader: boolean;
	readonly raw: boolean;
	readonly offset: number;
	readonly limit: number | undefined;
}

export interface GetSearchContentInput {
	readonly responseId: string;
	readonly query: string | undefined;
	readonly queryIndex: number | undefined;
	readonly url: string | undefined;
	readonly urlIndex: number | undefined;
	readonly offset: number;
	readonly limit: number | undefined;
	readonly findText: string | undefined;
}

/** `parameters` of another tool with fewer fields, for the loop's own names. */
export function parseWebSearchInput(
	input: unknown,
	parameters: JsonSchema = WEB_SEARCH.parameters,
): WebSearchInput {
	const fields: InputOf<typeof WEB_SEARCH.parameters> = parseToolInput(
		input,
		acceptLoosely(parameters, "query", "queries"),
	);
	const queries = joinLists(fields.query, fields.queries);
	refuseCount(queries, MAX_QUERIES, "WEB_SEARCH_INVALID_QUERY", {
		none: "Give a query, or queries as a list.",
		many: `queries were given; at most ${MAX_QUERIES} are searched in one call. Split them over several calls.`,
	});
	const long = queries.find((query) => query.length > MAX_QUERY_CHARS);
	if (long !== undefined)
		throw new WebError(
			"WEB_SEARCH_INVALID_QUERY",
			`A query has ${long.length} characters; at most ${MAX_QUERY_CHARS}.`,
		);
	return { queries, numResults: fields.numResults, includeContent: fields.includeContent ?? false };
}

export function parseFetchContentInput(
	input: unknown,
	parameters: JsonSchema = FETCH_CONTENT.parameters,
): FetchContentInput {
	const fields: InputOf<typeof FETCH_CONTENT.parameters> = parseToolInput(
		input,
		acceptLoosely(parameters, "url", "urls"),
	);
	const urls = joinLists(fields.url, fields.urls);
	refuseCount(urls, MAX_URLS, "INVALID_INPUT", {
		none: "Give a url, or urls as a list.",
		many: `URLs were given; at most ${MAX_URLS} are fetched in one call. Split them over several calls.`,
	});
	const { preferReader = false, raw = false, offset = 0, limit } = fields;
	return { urls, preferReader, raw, offset, limit };
}

export function parseGetSearchContentInput(input: unknown): GetSearchContentInput {
	const fields = parseToolInput(input, { ...GET_SEARCH_CONTENT.parameters, required: [] });
	if (fields.responseId === undefined)
		throw new WebError(
			"INVALID_INPUT",
			"responseId is missing. It is in the first line of every search and fetch.",
		);
	return {
		responseId: fields.responseId.trim(),
		query: fields.query?.trim(),
		queryIndex: fields.queryIndex,
		url: fields.url?.trim(),
		urlIndex: fields.urlIndex,
		offset: fields.offset ?? 0,
		limit: fields.limit,
		findText: fields.findText?.trim(),
	};
}

/** What is missing or too much in these two is refused below, with the code of the tool and all together. */
function acceptLoosely(parameters: JsonSchema, single: string, plural: string): JsonSchema {
	const properties = parameters["properties"] as Readonly<Record<string, JsonSchema>>;
	const list = properties[plural] && { [plural]: { type: "array", items: { type: "string" } } };
	return {
		...parameters,
		properties: { ...properties, ...list, [single]: { type: "string" } },
		required: [],
	};
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
function joinLists(single: string | undefined, many: readonly string[] = []): readonly string[] {
	const texts = [...(single === undefined ? [] : [single]), ...many].map((text) => text.trim());
	return [...new Set(texts.filter((text) => text !== ""))];
}
