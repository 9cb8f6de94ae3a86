import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../../../src/contract/config.ts";
import { createLoopWebTools, createWebTools } from "../../../../src/tools/web/create-web-tools.ts";
import { sendHtml, startLoopbackServer } from "../../../helpers/web-server.ts";
import { readMarked } from "../../../helpers/web-tools.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const entry of opened.splice(0)) await entry.close();
});

async function openDirectory(): Promise<string> {
	const directory = await mkdtemp(join(tmpdir(), "deputize-web-"));
	opened.push({ close: () => rm(directory, { recursive: true, force: true }) });
	return directory;
}

describe("createWebTools", () => {
	it("loads nothing heavy until a tool is called", () => {
		const entry = new URL("../../../../src/tools/web/create-web-tools.ts", import.meta.url).href;
		const program = `
			const { registerHooks } = await import("node:module");
			const loaded = [];
			registerHooks({ resolve: (specifier, context, next) => { loaded.push(specifier); return next(specifier, context); } });
			const { createWebTools } = await import(${JSON.stringify(entry)});
			createWebTools({ config: {}, env: {}, home: "/", storeDirectory: "/nowhere" });
			console.log(JSON.stringify(loaded.filter((name) => !/^(?:\\.|file:|node:|@deputize\\/)/.test(name))));`;
		const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
			encoding: "utf8",
		});
		expect(stderr).toBe("");
		expect(JSON.parse(stdout)).toEqual([]);
	});

	it("makes the three tools under their names, with plain schemas", () => {
		const tools = createWebTools({
			config: DEFAULT_CONFIG.web,
			env: {},
			home: "/",
			storeDirectory: "/nowhere",
		});
		expect(tools.map(({ name }) => name)).toEqual(["web_search", "fetch_content", "get_search_content"]);
		for (const tool of tools)
			expect(JSON.parse(JSON.stringify(tool.parameters))).toMatchObject({ type: "object" });
	});

	it("does not touch the disk before something is stored", async () => {
		const directory = await openDirectory();
		createWebTools({
			config: DEFAULT_CONFIG.web,
			env: {},
			home: directory,
			storeDirectory: join(directory, "store"),
		});
		expect(await readdir(directory)).toEqual([]);
	});

	it("lets the process end by itself after a page was converted and the local index was used", async () => {
		const directory = await openDirectory();
		const server = await startLoopbackServer((_request, response) =>
			sendHtml(response, "<main><h1>Hi</h1><p>text</p></main>"),
		);
		opened.push(server);
		const source = new URL("../../../../src/", import.meta.url).href;
		const program = `
			const { createWebTools } = await import(${JSON.stringify(`${source}tools/web/create-web-tools.ts`)});
			const { DEFAULT_CONFIG } = await import(${JSON.stringify(`${source}contract/config.ts`)});
			const config = { ...DEFAULT_CONFIG.web, allowPrivateNetwork: true };
			const [search, fetch] = createWebTools({ config, env: {}, home: ${JSON.stringify(directory)}, storeDirectory: ${JSON.stringify(join(directory, "store"))} });
			const context = { cwd: ${JSON.stringify(directory)}, signal: new AbortController().signal };
			const page = await fetch.execute({ url: ${JSON.stringify(server.origin)} }, context);
			const found = await search.execute({ query: "x" }, context);
			console.log(page.isError, found.isError);`;
		const { spawn } = await import("node:child_process");
		const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
			timeout: 55_000,
			stdio: ["ignore", "pipe", "inherit"],
		});
		let stdout = "";
		child.stdout.on("data", (chunk) => {
			stdout += chunk;
		});
		const ending = await new Promise((resolve) =>
			child.on("close", (code, signal) => resolve({ code, signal })),
		);
		expect(stdout.trim()).toBe("false false");
		expect(ending).toEqual({ code: 0, signal: null });
	}, 60_000);
});

describe("createLoopWebTools", () => {
	it("offers search_web and scrape_webpage, which keep nothing", async () => {
		const directory = await openDirectory();
		const server = await startLoopbackServer((_request, response) => {
			response.setHeader("content-type", "text/plain");
			response.end("0123456789".repeat(10));
		});
		opened.push(server);
		const [search, scrape] = createLoopWebTools({
			env: {},
			home: directory,
			config: { ...DEFAULT_CONFIG.web, allowPrivateNetwork: true, maxContentChars: 60 },
		});
		const context = { cwd: directory, signal: new AbortController().signal };
		expect([search?.name, scrape?.name]).toEqual(["search_web", "scrape_webpage"]);
		const found = await search?.execute({ query: "anything" }, context);
		expect(found?.text).toContain("answered by: local");
		const first = await scrape?.execute({ url: server.origin }, context);
		expect(first?.text).not.toContain("responseId");
		expect(first?.text).toContain('ask again with {"offset":60}');
		const second = await scrape?.execute({ url: server.origin, offset: 60 }, context);
		expect(second && readMarked(second)).toBe("0123456789".repeat(4));
		expect((await readdir(directory)).filter((name) => name !== ".cache")).toEqual([]);
	});

	it("needs nothing but an environment", () => {
		expect(createLoopWebTools({ env: {} }).map(({ name }) => name)).toEqual(["search_web", "scrape_webpage"]);
	});
});
