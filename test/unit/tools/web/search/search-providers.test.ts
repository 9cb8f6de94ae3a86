import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { stripControlSequences } from "../../../../../packages/ground/text/strip-control-sequences.ts";
import type { WebConfig } from "../../../../../src/contract/config.ts";
import type { SearchProviderName } from "../../../../../src/contract/search-providers.ts";
import {
	type LoopbackServer,
	type RecordedRequest,
	sendHtml,
	sendJson,
	startLoopbackServer,
} from "../../../../helpers/web-server.ts";
import { openWebToolbox, type WebToolbox } from "../../../../helpers/web-tools.ts";

const KEY = "key-that-must-not-leak-0123456789";
const fixture = (name: string) =>
	readFileSync(new URL(`../../../../fixtures/web/${name}`, import.meta.url), "utf8");

interface ProviderCase {
	readonly name: Exclude<SearchProviderName, "local">;
	/** An answer with the fields the service documents. */
	readonly answer: unknown;
	readonly checkRequest: (request: RecordedRequest) => void;
}

const CASES: readonly ProviderCase[] = [
	{
		name: "searxng",
		answer: {
			query: "streams",
			number_of_results: 2,
			results: [
				{
					url: "https://example.org/one",
					title: "First &amp; foremost",
					content: "About <b>streams</b>",
					engine: "duckduckgo",
					engines: ["duckduckgo", "brave"],
					score: 4,
					publishedDate: "2026-01-02T00:00:00",
				},
				{ url: "https://example.org/two", title: "Second", content: "More", engine: "brave" },
			],
			answers: [],
			infoboxes: [],
			suggestions: [],
			unresponsive_engines: [["google", "timeout"]],
		},
		checkRequest({ method, path }) {
			const url = new URL(path, "http://x");
			expect([method, url.pathname]).toEqual(["GET", "/search"]);
			expect([url.searchParams.get("q"), url.searchParams.get("format")]).toEqual([
				"streams in node",
				"json",
			]);
		},
	},
	{
		name: "brave",
		answer: {
			type: "search",
			query: { original: "streams in node", more_results_available: true },
			web: {
				type: "search",
				results: [
					{
						title: "First &amp; foremost",
						url: "https://example.org/one",
						description: "About <strong>streams</strong>",
						page_age: "2026-01-02T00:00:00",
						meta_url: { hostname: "example.org" },
					},
					{ title: "Second", url: "https://example.org/two", description: "More" },
				],
			},
		},
		checkRequest({ method, path, headers }) {
			const url = new URL(path, "http://x");
			expect([method, url.pathname]).toEqual(["GET", "/res/v1/web/search"]);
			expect([url.searchParams.get("q"), url.searchParams.get("count")]).toEqual(["streams in node", "5"]);
			expect(headers["x-subscription-token"]).toBe(KEY);
		},
	},
	{
		name: "tavily",
		answer: {
			query: "streams in node",
			answer: null,
			results: [
				{
					title: "First &amp; foremost",
					url: "https://example.org/one",
					content: "About streams",
					score: 0.98,
					raw_content: null,
					published_date: "2026-01-02",
				},
				{ title: "Second", url: "https://example.org/two", content: "More", score: 0.5 },
			],
			response_time: 1.2,
			request_id: "r",
		},
		checkRequest({ method, path, headers, body }) {
			expect([method, path, headers.authorization]).toEqual(["POST", "/search", `Bearer ${KEY}`]);
			expect(JSON.parse(body)).toMatchObject({ query: "streams in node", max_results: 5 });
		},
	},
	{
		name: "exa",
		answer: {
			requestId: "r",
			results: [
				{
					id: "https://example.org/one",
					title: "First &amp; foremost",
					url: "https://example.org/one",
					publishedDate: "2026-01-02T00:00:00.000Z",
					author: "A. Author",
					text: "A long text",
					highlights: ["About streams"],
				},
				{ id: "2", title: null, url: "https://example.org/two", text: "More" },
			],
			costDollars: { total: 0.005 },
		},
		checkRequest({ method, path, headers, body }) {
			expect([method, path, headers["x-api-key"]]).toEqual(["POST", "/search", KEY]);
			expect(JSON.parse(body)).toMatchObject({ query: "streams in node", numResults: 5, type: "auto" });
		},
	},
	{
		name: "serper",
		answer: {
			searchParameters: { q: "streams in node", type: "search" },
			organic: [
				{
					title: "First & foremost",
					link: "https://example.org/one",
					snippet: "About streams",
					position: 1,
					date: "Jan 2, 2026",
				},
				{ title: "Second", link: "https://example.org/two", snippet: "More", position: 2 },
			],
			peopleAlsoAsk: [],
			credits: 1,
		},
		checkRequest({ method, path, headers, body }) {
			expect([method, path, headers["x-api-key"]]).toEqual(["POST", "/search", KEY]);
			expect(JSON.parse(body)).toEqual({ q: "streams in node", num: 5 });
		},
	},
	{
		name: "perplexity",
		answer: {
			id: "s",
			results: [
				{
					title: "First & foremost",
					url: "https://example.org/one",
					snippet: "About streams",
					date: "2026-01-02",
					last_updated: null,
				},
				{ title: "Second", url: "https://example.org/two", snippet: "More", date: null },
			],
			server_time: null,
		},
		checkRequest({ method, path, headers, body }) {
			expect([method, path, headers.authorization]).toEqual(["POST", "/search", `Bearer ${KEY}`]);
			expect(JSON.parse(body)).toMatchObject({ query: "streams in node", max_results: 5 });
		},
	},
	{
		name: "jina",
		answer: {
			code: 200,
			status: 20000,
			data: [
				{
					title: "First & foremost",
					url: "https://example.org/one",
					description: "About streams",
					date: "Jan 2, 2026",
					usage: { tokens: 10 },
				},
				{ title: "Second", url: "https://example.org/two", description: "More" },
			],
		},
		checkRequest({ method, path, headers }) {
			expect([method, new URL(path, "http://x").searchParams.get("q")]).toEqual(["GET", "streams in node"]);
			expect([headers.authorization, headers["x-respond-with"]]).toEqual([`Bearer ${KEY}`, "no-content"]);
		},
	},
];
const JSON_NAMES = CASES.map(({ name }) => name);
const ALL_NAMES = [...JSON_NAMES, "duckduckgo"] as const;

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const entry of opened.splice(0)) await entry.close();
});

async function openProvider(
	name: Exclude<SearchProviderName, "local">,
	answer: (request: RecordedRequest, response: ServerResponse) => void,
	config: Partial<WebConfig> = {},
): Promise<{ server: LoopbackServer; toolbox: WebToolbox }> {
	const server = await startLoopbackServer(answer);
	const toolbox = await openWebToolbox(
		{
			provider: name,
			// The address is in the user's own configuration, so it may be private without any other setting.
			allowPrivateNetwork: false,
			[name]: {
				baseUrl: server.origin,
				apiKeyEnv: name === "searxng" || name === "duckduckgo" ? "" : "SEARCH_KEY",
			},
			...config,
		},
		{ env: { SEARCH_KEY: KEY } },
	);
	opened.push(server, toolbox);
	return { server, toolbox };
}

const search = (toolbox: WebToolbox) => toolbox.call("web_search", { query: "streams in node" });

describe("every search service, answering as it documents", () => {
	it.each(CASES)("$name", async ({ name, answer, checkRequest }) => {
		const { server, toolbox } = await openProvider(name, (_request, response) => sendJson(response, answer));
		const outcome = await search(toolbox);
		expect(outcome.isError).toBe(false);
		expect(server.requests).toHaveLength(1);
		checkRequest(server.requests[0] as RecordedRequest);
		const query = (
			outcome.details["queries"] as { provider: string; results: Record<string, unknown>[] }[]
		)[0];
		expect(query?.provider).toBe(name);
		expect(query?.results.map(({ url }) => url)).toEqual([
			"https://example.org/one",
			"https://example.org/two",
		]);
		expect(query?.results[0]).toMatchObject({ title: "First & foremost", snippet: "About streams" });
		expect(String(query?.results[0]?.["publishedAt"])).toMatch(/2026/);
		expect(outcome.text).toContain(`answered by: ${name}`);
		expect(outcome.text).toMatch(/^responseId: search-[0-9a-f]{12}$/m);
		expect(JSON.stringify(outcome)).not.toContain(KEY);
	});

	it.each(CASES)("$name may have nothing to say, which is a success", async ({ name, answer }) => {
		const emptied = JSON.parse(JSON.stringify(answer), (key, value) =>
			["results", "organic", "data"].includes(key) ? [] : value,
		);
		const { toolbox } = await openProvider(name, (_request, response) => sendJson(response, emptied));
		const outcome = await search(toolbox);
		expect(outcome.isError).toBe(false);
		expect(outcome.text).toContain("No results.");
	});

	it("reads DuckDuckGo's page, without its advertisements and its counting links", async () => {
		const { server, toolbox } = await openProvider("duckduckgo", (_request, response) =>
			sendHtml(response, fixture("duckduckgo-results.html")),
		);
		const outcome = await search(toolbox);
		expect(server.requests[0]?.path).toBe("/html/?q=streams+in+node");
		const query = (outcome.details["queries"] as { results: Record<string, unknown>[] }[])[0];
		expect(query?.results).toEqual([
			{
				title: "Backpressuring in Streams | Node.js Learn",
				url: "https://nodejs.org/en/learn/modules/backpressuring-in-streams",
				snippet:
					"There is a general problem with data handling called backpressure & it is a buildup of data behind a buffer.",
				chars: 0,
			},
			{
				title: "How does backpressure work?",
				url: "https://stackoverflow.com/questions/1?a=b&c=d",
				snippet: "Call write until it returns false.",
				chars: 0,
			},
		]);
	});

	it.each([200, 202])("takes DuckDuckGo's challenge page with status %i for what it is", async (status) => {
		const { toolbox } = await openProvider("duckduckgo", (_request, response) =>
			sendHtml(response, fixture("duckduckgo-challenge.html"), status),
		);
		const outcome = await search(toolbox);
		expect(outcome).toMatchObject({ isError: true, details: { error: { code: "PROVIDER_RATE_LIMITED" } } });
	});

	it("does not take a page of DuckDuckGo without readable results for an empty answer", async () => {
		const { toolbox } = await openProvider("duckduckgo", (_request, response) =>
			sendHtml(response, "<html><body><p>Something else entirely</p></body></html>"),
		);
		expect(await search(toolbox)).toMatchObject({
			isError: true,
			details: { error: { code: "PARSE_ERROR" } },
		});
	});
});

describe("every search service, failing", () => {
	const STATUS_CODES = [
		[401, "PROVIDER_AUTH_FAILED"],
		[403, "PROVIDER_AUTH_FAILED"],
		[429, "PROVIDER_RATE_LIMITED"],
		[500, "PROVIDER_UNAVAILABLE"],
		[400, "WEB_SEARCH_FAILED"],
	] as const;

	it.each(ALL_NAMES.flatMap((name) => STATUS_CODES.map(([status, code]) => ({ name, status, code }))))(
		"$name with HTTP $status is $code",
		async ({ name, status, code }) => {
			const { toolbox } = await openProvider(name, (_request, response) => {
				response.writeHead(status, { "content-type": "application/json", "retry-after": "3600" });
				response.end(`the key ${KEY} is not \u001b[31mwelcome\u001b]0;title\u0007`);
			});
			const outcome = await search(toolbox);
			expect(outcome).toMatchObject({ isError: true, details: { error: { code } } });
			expect(outcome.text).toContain(name);
			expect(outcome.text).toContain(`HTTP ${status}`);
			expect(stripControlSequences(outcome.text)).toBe(outcome.text);
			if (name !== "searxng" && name !== "duckduckgo") expect(JSON.stringify(outcome)).not.toContain(KEY);
		},
	);

	it.each(JSON_NAMES)(
		"%s answering with an HTML page is a parse error, not an empty success",
		async (name) => {
			const { toolbox } = await openProvider(name, (_request, response) =>
				sendHtml(response, "<!doctype html><html><body>Welcome to the login portal</body></html>"),
			);
			const outcome = await search(toolbox);
			expect(outcome).toMatchObject({ isError: true, details: { error: { code: "PARSE_ERROR" } } });
			expect(outcome.text).toContain("HTML page instead of JSON");
		},
	);

	it.each(JSON_NAMES)("%s answering with JSON of another shape is a parse error", async (name) => {
		const { toolbox } = await openProvider(name, (_request, response) =>
			sendJson(response, { hello: "world" }),
		);
		expect(await search(toolbox)).toMatchObject({
			isError: true,
			details: { error: { code: "PARSE_ERROR" } },
		});
	});

	it.each(ALL_NAMES)("%s that never finishes is a timeout", async (name) => {
		const { toolbox } = await openProvider(
			name,
			(_request, response) => {
				response.writeHead(200, { "content-type": "application/json" });
				response.write("{");
			},
			{ timeoutMs: 300 },
		);
		expect(await search(toolbox)).toMatchObject({
			isError: true,
			details: { error: { code: "WEB_SEARCH_TIMEOUT" } },
		});
	});

	it.each(ALL_NAMES)("%s that sends without end is stopped", async (name) => {
		const chunk = Buffer.alloc(256 * 1024, "x");
		const { toolbox } = await openProvider(name, (_request, response) => {
			response.writeHead(200, { "content-type": "application/json" });
			const send = () => {
				while (!response.destroyed && response.write(chunk));
				if (!response.destroyed) response.once("drain", send);
			};
			send();
		});
		const outcome = await search(toolbox);
		expect(outcome).toMatchObject({ isError: true, details: { error: { code: "WEB_SEARCH_FAILED" } } });
		expect(outcome.text).toContain("larger than the limit");
	});

	it.each(ALL_NAMES)("%s that redirects does not carry the key elsewhere", async (name) => {
		const thief = await startLoopbackServer((_request, response) => sendJson(response, {}));
		opened.push(thief);
		const { toolbox } = await openProvider(name, (_request, response) => {
			response.writeHead(307, { location: `${thief.origin}/search` });
			response.end();
		});
		expect((await search(toolbox)).isError).toBe(true);
		expect(thief.requests).toEqual([]);
	});

	it.each(JSON_NAMES.filter((name) => name !== "searxng"))(
		"%s without a key says which variable is missing",
		async (name) => {
			const toolbox = await openWebToolbox({ provider: name });
			opened.push(toolbox);
			const outcome = await search(toolbox);
			expect(outcome).toMatchObject({ isError: true, details: { error: { code: "PROVIDER_AUTH_FAILED" } } });
			expect(outcome.text).toMatch(/environment variable [A-Z_]+_API_KEY/);
		},
	);

	it("tells how to enable SearXNG's json format when it is refused", async () => {
		const { toolbox } = await openProvider("searxng", (_request, response) =>
			sendHtml(response, "Forbidden", 403),
		);
		expect((await search(toolbox)).text).toContain("settings.yml");
	});

	it("waits as long as Retry-After says when that is short, and asks once more", async () => {
		let asked = 0;
		const { toolbox } = await openProvider("tavily", (_request, response) => {
			asked += 1;
			if (asked > 1) return sendJson(response, CASES[2]?.answer);
			response.writeHead(429, { "retry-after": "0" });
			response.end();
		});
		expect((await search(toolbox)).isError).toBe(false);
		expect(asked).toBe(2);
	});
});
