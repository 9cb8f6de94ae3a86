import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { DEFAULT_CONFIG, type WebConfig } from "../../../../../src/contract/config.ts";
import { planProviders } from "../../../../../src/tools/web/search/plan-providers.ts";
import { sendJson, startLoopbackServer } from "../../../../helpers/web-server.ts";
import { openWebToolbox } from "../../../../helpers/web-tools.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const entry of opened.splice(0)) await entry.close();
});

const HIT = { title: "Found", url: "https://example.org/found", content: "text" };

async function openAuto(
	answers: { tavily?: number; exa?: number; searxng?: number },
	config: Partial<WebConfig> = {},
) {
	const asked: string[] = [];
	const endpoints: Record<string, { baseUrl: string; apiKeyEnv: string }> = {};
	for (const [name, status] of Object.entries(answers)) {
		const server = await startLoopbackServer((_request, response) => {
			asked.push(name);
			sendJson(response, status === 200 ? { results: [HIT] } : { error: "no" }, status);
		});
		opened.push(server);
		endpoints[name] = { baseUrl: server.origin, apiKeyEnv: name === "searxng" ? "" : "SEARCH_KEY" };
	}
	const toolbox = await openWebToolbox({ ...endpoints, ...config }, { env: { SEARCH_KEY: "k" } });
	opened.push(toolbox);
	await mkdir(join(toolbox.directory, "docs"));
	await writeFile(
		join(toolbox.directory, "docs", "guide.md"),
		"# Guide\n\n## Widgets\n\nHow to frobnicate a widget.\n",
	);
	return { toolbox, asked };
}

describe("provider: auto", () => {
	it("asks the first configured service by priority and nobody else", async () => {
		const { toolbox, asked } = await openAuto({ tavily: 200, exa: 200, searxng: 200 });
		const outcome = await toolbox.call("web_search", { query: "anything" });
		expect(asked).toEqual(["tavily"]);
		expect(outcome.text).toContain("answered by: tavily");
	});

	it("falls through failures in order, and says who failed and who answered", async () => {
		const { toolbox, asked } = await openAuto({ tavily: 401, exa: 400, searxng: 200 });
		const outcome = await toolbox.call("web_search", { query: "anything" });
		expect(asked).toEqual(["tavily", "exa", "searxng"]);
		expect(outcome.isError).toBe(false);
		expect(outcome.text).toContain("answered by: searxng");
		expect(outcome.text).toContain("tried before: PROVIDER_AUTH_FAILED: tavily: HTTP 401.");
		expect(outcome.text).toContain("tried before: WEB_SEARCH_FAILED: exa: HTTP 400.");
	});

	it("ends at the documentation on this machine, and says that the web was not searched", async () => {
		const { toolbox } = await openAuto({ tavily: 401 });
		const outcome = await toolbox.call("web_search", { query: "frobnicate widget" });
		expect(outcome.isError).toBe(false);
		expect(outcome.text).toContain("answered by: local. The web was not searched");
		expect(outcome.text).toContain("docs/guide.md#L3");
		expect(outcome.text).toContain("tried before: PROVIDER_AUTH_FAILED");
	});

	it("does not ask a service again for the next query when its key was refused", async () => {
		const { toolbox, asked } = await openAuto(
			{ tavily: 401, exa: 200 },
			{ concurrency: { maxConcurrent: 1, maxQueueSize: 10 } },
		);
		await toolbox.call("web_search", { queries: ["one", "two", "three"] });
		expect(asked).toEqual(["tavily", "exa", "exa", "exa"]);
	});

	it("leaves DuckDuckGo alone unless it is named", async () => {
		const plan = planProviders(DEFAULT_CONFIG.web, {});
		expect(plan.find(({ provider }) => provider === "duckduckgo")?.usable).toBe(false);
		const named = planProviders({ ...DEFAULT_CONFIG.web, providerPriority: ["duckduckgo"] }, {});
		expect(named[0]).toMatchObject({ provider: "duckduckgo", usable: true });
	});
});

describe("an explicit provider", () => {
	it("has no fallback", async () => {
		const { toolbox, asked } = await openAuto({ tavily: 500, exa: 200 }, { provider: "tavily" });
		const outcome = await toolbox.call("web_search", { query: "anything" });
		expect(new Set(asked)).toEqual(new Set(["tavily"]));
		expect(outcome).toMatchObject({ isError: true, details: { error: { code: "PROVIDER_UNAVAILABLE" } } });
	});
});

describe("planProviders", () => {
	it("names every provider once, in the order in which they would be asked, with a reason", () => {
		const env = { BRAVE_SEARCH_API_KEY: "secret-value" };
		const plan = planProviders(DEFAULT_CONFIG.web, env);
		expect(plan.map(({ provider }) => provider).sort()).toEqual(
			["brave", "duckduckgo", "exa", "jina", "local", "perplexity", "searxng", "serper", "tavily"].sort(),
		);
		expect(plan.filter(({ usable }) => usable).map(({ provider }) => provider)).toEqual(["brave", "local"]);
		expect(plan.every(({ reason }) => reason.length > 0)).toBe(true);
		expect(JSON.stringify(plan)).not.toContain("secret-value");
	});

	it("says that the others are out of play when one is named", () => {
		const plan = planProviders({ ...DEFAULT_CONFIG.web, provider: "exa" }, {});
		expect(plan[0]).toMatchObject({
			provider: "exa",
			usable: false,
			reason: expect.stringContaining("EXA_API_KEY"),
		});
		expect(plan.slice(1).every(({ usable, reason }) => !usable && reason === "web.provider is exa")).toBe(
			true,
		);
	});
});
