import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { WebConfig } from "../../../../../src/contract/config.ts";
import { sendJson, startLoopbackServer } from "../../../../helpers/web-server.ts";
import { openWebToolbox, readMarked } from "../../../../helpers/web-tools.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const entry of opened.splice(0).reverse()) await entry.close();
});

const LONG = Array.from({ length: 4000 }, (_, index) => `line ${index} – 😀 text`).join("\n");

async function open(config: Partial<WebConfig> = {}) {
	const server = await startLoopbackServer((request, response) => {
		if (request.path.startsWith("/search"))
			return sendJson(response, {
				results: [1, 2].map((number) => ({
					title: `Hit ${number}`,
					url: `${server.origin}/page${number}`,
					content: `snippet ${number}`,
				})),
			});
		if (request.path === "/page2") {
			response.writeHead(500);
			return void response.end();
		}
		response.setHeader("content-type", "text/plain; charset=utf-8");
		response.end(request.path === "/long" ? LONG : `text of ${request.path}`);
	});
	const toolbox = await openWebToolbox({
		provider: "searxng",
		searxng: { baseUrl: server.origin, apiKeyEnv: "" },
		...config,
	});
	opened.push(server, toolbox);
	return { server, toolbox };
}

describe("get_search_content", () => {
	it("gives every character of a long page, page by page", async () => {
		const { server, toolbox } = await open({ maxContentChars: 7000 });
		const fetched = await toolbox.call("fetch_content", { url: `${server.origin}/long` });
		const responseId = fetched.details["responseId"];
		let text = readMarked(fetched);
		let next = (fetched.details["results"] as { nextOffset?: number }[])[0]?.nextOffset;
		while (next !== undefined) {
			const page = await toolbox.call("get_search_content", { responseId, urlIndex: 0, offset: next });
			expect(readMarked(page).length).toBeLessThanOrEqual(7000);
			text += readMarked(page);
			next = (page.details["results"] as { nextOffset?: number }[])[0]?.nextOffset;
		}
		expect(text).toBe(LONG);
		expect(server.requests).toHaveLength(1);
	});

	it("tells in the text how to go on, in a form that can be used as it is", async () => {
		const { server, toolbox } = await open({ maxContentChars: 1000 });
		const fetched = await toolbox.call("fetch_content", { url: `${server.origin}/long` });
		const call = JSON.parse(/get_search_content (\{.*\})/.exec(fetched.text)?.[1] ?? "");
		const page = await toolbox.call("get_search_content", call);
		expect(LONG).toContain(readMarked(page));
		expect(readMarked(fetched) + readMarked(page)).toBe(
			LONG.slice(0, readMarked(fetched).length + readMarked(page).length),
		);
	});

	it("survives a restart of the session", async () => {
		const { server, toolbox } = await open();
		const fetched = await toolbox.call("fetch_content", { url: `${server.origin}/a` });
		const page = await toolbox
			.restart()
			.call("get_search_content", { responseId: fetched.details["responseId"] });
		expect(readMarked(page)).toBe("text of /a");
	});

	it("selects by query, by its index, by address and by its index", async () => {
		const { server, toolbox } = await open();
		const found = await toolbox.call("web_search", { queries: ["one", "two"], includeContent: true });
		const { responseId } = found.details;
		const urls = async (selector: Record<string, unknown>) =>
			(
				(await toolbox.call("get_search_content", { responseId, ...selector })).details["results"] as {
					url: string;
				}[]
			).map(({ url }) => url);
		const [first, second] = [`${server.origin}/page1`, `${server.origin}/page2`];
		expect(await urls({})).toEqual([first, second, first, second]);
		expect(await urls({ query: "two" })).toEqual([first, second]);
		expect(await urls({ queryIndex: 1, url: second })).toEqual([second]);
		expect(await urls({ urlIndex: 2 })).toEqual([first]);
	});

	it("keeps the text of pages that a search fetched, and says of the others why there is none", async () => {
		const { toolbox } = await open();
		const found = await toolbox.call("web_search", { query: "one", includeContent: true });
		expect(found.isError).toBe(false);
		expect(found.text).toContain("text of /page1");
		expect(found.text).toContain("not fetched: CONTENT_FETCH_FAILED");
		const page = await toolbox.call("get_search_content", {
			responseId: found.details["responseId"],
			urlIndex: 0,
		});
		expect(readMarked(page)).toBe("text of /page1");
	});

	it("shows a hit without text and says how to read the page", async () => {
		const { toolbox } = await open();
		const found = await toolbox.call("web_search", { query: "one" });
		const page = await toolbox.call("get_search_content", {
			responseId: found.details["responseId"],
			urlIndex: 1,
		});
		expect(page.text).toContain("snippet 2");
		expect(page.text).toContain("fetch_content reads the page");
	});

	it("finds passages with their offsets", async () => {
		const { server, toolbox } = await open();
		const fetched = await toolbox.call("fetch_content", { url: `${server.origin}/long` });
		const found = await toolbox.call("get_search_content", {
			responseId: fetched.details["responseId"],
			findText: "LINE 2345 ",
		});
		const result = (found.details["results"] as { matches: number; offsets: number[] }[])[0];
		expect(result?.matches).toBe(1);
		expect(
			LONG.slice(result?.offsets[0]).startsWith(readMarked(found).slice(readMarked(found).indexOf("\n") + 1)),
		).toBe(true);
		const none = await toolbox.call("get_search_content", {
			responseId: fetched.details["responseId"],
			findText: "no such words",
		});
		expect(none.text).toContain("does not occur");
	});

	it.each([
		[{}, "INVALID_INPUT"],
		[{ responseId: "fetch-000000000000" }, "NOT_FOUND"],
		[{ responseId: "../../etc/passwd" }, "NOT_FOUND"],
		[{ responseId: "KNOWN", urlIndex: 7 }, "NOT_FOUND"],
		[{ responseId: "KNOWN", url: "https://example.org/other" }, "NOT_FOUND"],
		[{ responseId: "KNOWN", queryIndex: 0 }, "NOT_FOUND"],
		[{ responseId: "KNOWN", offset: -1 }, "INVALID_INPUT"],
	])("answers %j with %s and with what there is", async (input, code) => {
		const { server, toolbox } = await open();
		const fetched = await toolbox.call("fetch_content", { url: `${server.origin}/a` });
		const known = String(fetched.details["responseId"]);
		const responseId = (input as { responseId?: string }).responseId?.replace("KNOWN", known);
		const outcome = await toolbox.call("get_search_content", {
			...input,
			...(responseId === undefined ? {} : { responseId }),
		});
		expect(outcome).toMatchObject({ isError: true, details: { error: { code } } });
		if (code === "NOT_FOUND") expect(outcome.text).toMatch(new RegExp(`${known}|0: http`));
	});

	it("does not end in the middle of a page that is gone from disk", async () => {
		const { server, toolbox } = await open();
		const fetched = await toolbox.call("fetch_content", { url: `${server.origin}/a` });
		const { responseId } = fetched.details;
		await writeFile(join(toolbox.directory, "store", `${responseId}.json`), "{ damaged");
		expect(await toolbox.call("get_search_content", { responseId })).toMatchObject({
			details: { error: { code: "NOT_FOUND" } },
		});
	});
});

describe("what is stored", () => {
	it("is readable by the owner only", async () => {
		const { server, toolbox } = await open();
		await toolbox.call("fetch_content", { url: `${server.origin}/a` });
		const store = join(toolbox.directory, "store");
		expect((await stat(store)).mode & 0o777).toBe(0o700);
		for (const name of await readdir(store)) expect((await stat(join(store, name))).mode & 0o777).toBe(0o600);
	});

	it("is not repeated in the details, which hosts write into their session files", async () => {
		const { server, toolbox } = await open();
		const outcome = await toolbox.call("fetch_content", { url: `${server.origin}/long` });
		expect(JSON.stringify(outcome.details).length).toBeLessThan(1000);
	});

	it("is bounded: the oldest responses go first, with all their files", async () => {
		const { server, toolbox } = await open({ maxStoredResults: 3 });
		const ids: unknown[] = [];
		for (let number = 0; number < 5; number += 1)
			ids.push(
				(await toolbox.call("fetch_content", { url: `${server.origin}/${number}` })).details["responseId"],
			);
		const names = await readdir(join(toolbox.directory, "store"));
		const kept = new Set(names.map((name) => name.slice(0, name.indexOf("."))));
		expect(kept.size).toBe(3);
		expect(kept.has(String(ids[4]))).toBe(true);
		expect(names).toHaveLength(6);
	});

	it("keeps at most web.maxStoredContentChars of a text and says that there was more", async () => {
		const { server, toolbox } = await open({ maxStoredContentChars: 500 });
		const outcome = await toolbox.call("fetch_content", { url: `${server.origin}/long` });
		const { responseId } = outcome.details;
		expect((await readFile(join(toolbox.directory, "store", `${responseId}.0.txt`), "utf8")).length).toBe(
			500,
		);
		const page = await toolbox.call("get_search_content", { responseId });
		expect(page.text).toContain("the source was longer than what is stored");
	});

	it("does not cost the answer when it cannot be written, as in a child that may not write", async () => {
		const { server, toolbox } = await open({ maxContentChars: 1000 });
		await writeFile(join(toolbox.directory, "store"), "a file where the directory should be");
		const outcome = await toolbox.call("fetch_content", { url: `${server.origin}/long` });
		expect(outcome.isError).toBe(false);
		expect(outcome.text).toMatch(/^not stored: STORE_FAILED: .*store/);
		expect(outcome.details["responseId"]).toBeUndefined();
		const next = Number(/ask again with \{"offset":(\d+)\}/.exec(outcome.text)?.[1]);
		const rest = await toolbox.call("fetch_content", { url: `${server.origin}/long`, offset: next });
		expect(LONG.startsWith(readMarked(outcome) + readMarked(rest))).toBe(true);
		expect((await toolbox.call("web_search", { query: "one" })).isError).toBe(false);
	});
});

describe("web_search", () => {
	it.each([
		[{}, "WEB_SEARCH_INVALID_QUERY", "Give a query"],
		[{ query: "   " }, "WEB_SEARCH_INVALID_QUERY", "Give a query"],
		[
			{ queries: ["a", "b", "c", "d", "e", "f"] },
			"WEB_SEARCH_INVALID_QUERY",
			"6 queries were given; at most 5",
		],
		[{ query: "a", numResults: 0 }, "INVALID_INPUT", "numResults"],
		[{ query: "a", includeContent: "perhaps" }, "INVALID_INPUT", "includeContent"],
		[{ query: ["a"] }, "INVALID_INPUT", "query must be a string"],
	])("refuses %j", async (input, code, words) => {
		const { toolbox } = await open();
		const outcome = await toolbox.call("web_search", input);
		expect(outcome).toMatchObject({ isError: true, details: { error: { code } } });
		expect(outcome.text).toContain(words);
	});

	it("merges, trims and deduplicates queries, also when the list comes as JSON in a string", async () => {
		const { server, toolbox } = await open();
		const outcome = await toolbox.call("web_search", { query: " a ", queries: '["b", "a"]' });
		expect((outcome.details["queries"] as { query: string }[]).map(({ query }) => query)).toEqual(["a", "b"]);
		expect(server.requests).toHaveLength(2);
	});

	it("gives no more results than asked for or allowed", async () => {
		const { toolbox } = await open({ maxResults: 2 });
		const count = async (numResults: number) => {
			const outcome = await toolbox.call("web_search", { query: "a", numResults });
			return (outcome.details["queries"] as { results: unknown[] }[])[0]?.results.length;
		};
		expect([await count(1), await count(50)]).toEqual([1, 2]);
	});
});
