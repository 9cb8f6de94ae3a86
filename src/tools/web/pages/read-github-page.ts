import {
	asList,
	asObject,
	asText,
	isObject,
	type JsonObject,
	parseJson,
	parseJsonObject,
} from "@deputize/ground";
import type { GithubEndpoints, GithubPage } from "./github-page.ts";

export interface GithubText {
	readonly title: string;
	readonly markdown: string;
	readonly truncated: boolean;
}

/** Asks for one address of the interface; undefined when it is refused, missing or over its hourly limit. */
export type GithubGet = (url: string, accept: string) => Promise<string | undefined>;

type ApiPage = Extract<GithubPage, { kind: "directory" | "repository" | "discussion" }>;

const JSON_TYPE = "application/vnd.github+json";
const RAW_TYPE = "application/vnd.github.raw+json";
const COMMENTS_PER_PAGE = 100;
const MAX_ENTRIES = 300;

/** The content behind a page of GitHub, or undefined when the interface does not give it. */
export async function readGithubPage(
	page: ApiPage,
	endpoints: GithubEndpoints,
	get: GithubGet,
): Promise<GithubText | undefined> {
	const api = `${endpoints.api}/repos/${page.repository}`;
	if (page.kind === "repository") return await readRepository(page.repository, api, get);
	if (page.kind === "directory") return await readDirectory(page, api, get);
	return await readDiscussion(page, api, get);
}

async function readRepository(
	repository: string,
	api: string,
	get: GithubGet,
): Promise<GithubText | undefined> {
	const [about, readme, listing] = await Promise.all([
		get(api, JSON_TYPE),
		get(`${api}/readme`, RAW_TYPE),
		get(`${api}/contents/`, JSON_TYPE),
	]);
	const facts = parseJsonObject(about ?? "");
	if (!facts && readme === undefined) return undefined;
	const lines = [
		`# ${repository}`,
		textAt(facts, "description"),
		facts
			? `Default branch: ${textAt(facts, "default_branch")} · language: ${textAt(facts, "language") || "unknown"} · stars: ${Number(facts["stargazers_count"] ?? 0)}`
			: "",
		textAt(facts, "homepage") === "" ? "" : `Homepage: ${textAt(facts, "homepage")}`,
		...renderListing(listing),
		readme === undefined ? "(There is no README.)" : `## README\n\n${readme}`,
	];
	return { title: repository, markdown: joinBlocks(lines), truncated: false };
}

async function readDirectory(
	page: Extract<GithubPage, { kind: "directory" }>,
	api: string,
	get: GithubGet,
): Promise<GithubText | undefined> {
	const listing = await get(`${api}/contents/${page.path}?ref=${encodeURIComponent(page.ref)}`, JSON_TYPE);
	const entries = renderListing(listing);
	if (entries.length === 0) return undefined;
	const title = `${page.repository}/${page.path} at ${page.ref}`;
	return { title, markdown: joinBlocks([`# ${title}`, ...entries]), truncated: false };
}

async function readDiscussion(
	page: Extract<GithubPage, { kind: "discussion" }>,
	api: string,
	get: GithubGet,
): Promise<GithubText | undefined> {
	const issue = parseJsonObject((await get(`${api}/issues/${page.number}`, JSON_TYPE)) ?? "");
	if (!issue) return undefined;
	const total = Number(issue["comments"] ?? 0);
	const listed =
		total > 0
			? await get(`${api}/issues/${page.number}/comments?per_page=${COMMENTS_PER_PAGE}`, JSON_TYPE)
			: "[]";
	const comments = parseObjectList(listed);
	const title = `${textAt(issue, "title")} (${page.repository}#${page.number})`;
	const blocks = [
		`# ${title}`,
		renderIssueFacts(issue),
		textAt(issue, "body"),
		...comments.map(
			(comment) => `## ${author(comment)} · ${textAt(comment, "created_at")}\n\n${textAt(comment, "body")}`,
		),
		comments.length < total ? `(${comments.length} of ${total} comments are shown.)` : "",
	];
	return { title, markdown: joinBlocks(blocks), truncated: comments.length < total };
}

function renderIssueFacts(issue: JsonObject): string {
	const kind = issue["pull_request"] ? "Pull request" : "Issue";
	const names = parseNames(issue["labels"]);
	const labels = names.length === 0 ? "" : ` · labels: ${names.join(", ")}`;
	return `${kind} by ${author(issue)} · ${textAt(issue, "state")} · ${textAt(issue, "created_at")}${labels}`;
}

function renderListing(listing: string | undefined): string[] {
	const entries = parseObjectList(listing);
	if (entries.length === 0) return [];
	const lines = entries
		.slice(0, MAX_ENTRIES)
		.map((entry) => `- ${textAt(entry, "path")}${entry["type"] === "dir" ? "/" : ""}`)
		.sort();
	return ["## Files", lines.join("\n")];
}

function parseNames(value: unknown): string[] {
	return asList(value)
		.map((entry) => (isObject(entry) ? textAt(entry, "name") : String(entry)))
		.filter((name) => name !== "");
}

function author(entry: JsonObject): string {
	return textAt(asObject(entry["user"]), "login") || "unknown";
}

function textAt(object: JsonObject | undefined, name: string): string {
	return asText(object?.[name]);
}

function parseObjectList(body: string | undefined): JsonObject[] {
	return asList(parseJson(body ?? "")).filter(isObject);
}

function joinBlocks(blocks: readonly string[]): string {
	return blocks.filter((block) => block.trim() !== "").join("\n\n");
}
