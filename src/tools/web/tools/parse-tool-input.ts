import { WebError, type WebErrorCode } from "../web-error.ts";
import { MAX_QUERIES, MAX_URLS } from "./describe-tools.ts";

const MAX_QUERY_CHARS = 2000;

type Fields = Readonly<Record<string, unknown>>;

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

export function parseWebSearchInput(input: unknown): WebSearchInput {
	const fields = toFields(input);
	const queries = readList(fields, "query", "queries", "WEB_SEARCH_INVALID_QUERY");
	if (queries.length === 0)
		throw new WebError("WEB_SEARCH_INVALID_QUERY", "Give a query, or queries as a list.");
	if (queries.length > MAX_QUERIES)
		throw new WebError(
			"WEB_SEARCH_INVALID_QUERY",
			`${queries.length} queries were given; at most ${MAX_QUERIES} are searched in one call. Split them over several calls.`,
		);
	const long = queries.find((query) => query.length > MAX_QUERY_CHARS);
	if (long !== undefined)
		throw new WebError(
			"WEB_SEARCH_INVALID_QUERY",
			`A query has ${long.length} characters; at most ${MAX_QUERY_CHARS}.`,
		);
	return {
		queries,
		numResults: readCount(fields, "numResults"),
		includeContent: readFlag(fields, "includeContent"),
	};
}

export function parseFetchContentInput(input: unknown): FetchContentInput {
	const fields = toFields(input);
	const urls = readList(fields, "url", "urls", "INVALID_INPUT");
	if (urls.length === 0) throw new WebError("INVALID_INPUT", "Give a url, or urls as a list.");
	if (urls.length > MAX_URLS)
		throw new WebError(
			"INVALID_INPUT",
			`${urls.length} URLs were given; at most ${MAX_URLS} are fetched in one call. Split them over several calls.`,
		);
	return {
		urls,
		preferReader: readFlag(fields, "preferReader"),
		raw: readFlag(fields, "raw"),
		offset: readCount(fields, "offset", 0) ?? 0,
		limit: readCount(fields, "limit"),
	};
}

export function parseGetSearchContentInput(input: unknown): GetSearchContentInput {
	const fields = toFields(input);
	const responseId = readText(fields, "responseId");
	if (responseId === undefined)
		throw new WebError(
			"INVALID_INPUT",
			"responseId is missing. It is in the first line of every search and fetch.",
		);
	return {
		responseId,
		query: readText(fields, "query"),
		queryIndex: readCount(fields, "queryIndex", 0),
		url: readText(fields, "url"),
		urlIndex: readCount(fields, "urlIndex", 0),
		offset: readCount(fields, "offset", 0) ?? 0,
		limit: readCount(fields, "limit"),
		findText: readText(fields, "findText"),
	};
}

function toFields(input: unknown): Fields {
	if (typeof input !== "object" || input === null || Array.isArray(input))
		throw new WebError("INVALID_INPUT", "The arguments must be an object.");
	return input as Fields;
}

/** One name and its plural together, trimmed and without repetitions. Models also send a list as JSON in a string. */
function readList(fields: Fields, single: string, plural: string, code: WebErrorCode): string[] {
	const many = unpackList(fields[plural]);
	if (many !== undefined && !Array.isArray(many))
		throw new WebError(code, `${plural} must be a list of strings.`);
	const values = [fields[single], ...(many ?? [])].filter((value) => value !== undefined && value !== null);
	const texts = values.map((value) => {
		if (typeof value !== "string")
			throw new WebError(code, `${single} and every entry of ${plural} must be strings.`);
		return value.trim();
	});
	return [...new Set(texts.filter((text) => text !== ""))];
}

function unpackList(value: unknown): unknown {
	if (value === null) return undefined;
	if (typeof value !== "string") return value;
	try {
		const parsed: unknown = JSON.parse(value);
		return Array.isArray(parsed) ? parsed : [value];
	} catch {
		return [value];
	}
}

function readCount(fields: Fields, name: string, smallest = 1): number | undefined {
	const value = fields[name];
	if (value === undefined || value === null) return undefined;
	const count = typeof value === "string" && /^\d{1,12}$/.test(value.trim()) ? Number(value) : value;
	if (typeof count !== "number" || !Number.isFinite(count) || count < smallest)
		throw new WebError("INVALID_INPUT", `${name} must be a number of at least ${smallest}.`);
	return Math.floor(count);
}

function readFlag(fields: Fields, name: string): boolean {
	const value = fields[name];
	if (value === undefined || value === null || value === "") return false;
	if (value === true || value === "true") return true;
	if (value === false || value === "false") return false;
	throw new WebError("INVALID_INPUT", `${name} must be true or false.`);
}

function readText(fields: Fields, name: string): string | undefined {
	const value = fields[name];
	if (value === undefined || value === null || value === "") return undefined;
	if (typeof value !== "string") throw new WebError("INVALID_INPUT", `${name} must be a string.`);
	return value.trim();
}
