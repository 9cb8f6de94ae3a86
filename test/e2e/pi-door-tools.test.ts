import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
import { runPiJson, toolEnds } from "../helpers/pi-door-json.ts";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/pi-door-provider.ts";

let provider: ScriptedProvider | undefined;
let home: PiHome | undefined;

afterEach(async () => {
	await provider?.close();
	const left = home ? listProcessesOf(home.root) : [];
	home?.remove();
	provider = undefined;
	home = undefined;
	expect(left, "processes left behind").toEqual([]);
});

const HAND_OVER = {
	calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result: "Read." } }],
};

describe("the web, document and language tools in pi", () => {
	it("come to the main agent when it asks for them, and work", async () => {
		provider = await startScriptedProvider((request) => {
			if (request.turn === 0) {
				return { calls: [{ name: "load_tools", arguments: { names: ["convert_content"] } }] };
			}
			if (request.turn === 1) {
				return { calls: [{ name: "convert_content", arguments: { path: "table.csv" } }] };
			}
			return request.turn === 2
				? { calls: [{ name: "convert_content", arguments: { path: "missing.csv" } }] }
				: { text: "Done." };
		});
		home = createPiHome(provider.baseUrl);
		home.write("project/table.csv", "name,size\nalpha,1\n");
		const run = await runPiJson(home, "go");
		expect(provider.requests[0]?.tools).not.toContain("convert_content");
		expect(provider.requests[1]?.tools).toContain("convert_content");
		const [converted, missing] = toolEnds(run, "convert_content");
		expect(converted?.isError).toBe(false);
		expect(converted?.result.content[0]?.text).toContain("alpha");
		expect(missing?.isError).toBe(true);
		expect(missing?.result.details).toHaveProperty("error");
		expect(home.readJournal()).toMatchObject([
			{ kind: "convert", name: "convert_content", ok: true },
			{ kind: "convert", name: "convert_content", ok: false },
		]);
	});

	it("are there from the start when the user wants them always", async () => {
		provider = await startScriptedProvider(() => ({ text: "Done." }));
		home = createPiHome(provider.baseUrl);
		home.write("home/.pi/agent/deputize.json", '{"subagents":{"mainTools":"always"}}');
		await runPiJson(home, "go");
		const tools = provider.requests[0]?.tools;
		expect(tools).toEqual(expect.arrayContaining(["web_search", "fetch_content", "convert_content", "lsp"]));
		expect(tools).not.toContain("load_tools");
	});

	it("remove what earlier sessions stored when it is old", async () => {
		provider = await startScriptedProvider((request) =>
			request.turn === 0
				? { calls: [{ name: "web_search", arguments: { queries: ["alpha"] } }] }
				: { text: "Done." },
		);
		home = createPiHome(provider.baseUrl);
		home.write("project/README.md", "# alpha\n\nAll about alpha.\n");
		const stores = join(home.agentDirectory, "deputize", "web");
		for (const name of ["old", "recent"]) home.write(`home/.pi/agent/deputize/web/${name}/a.json`, "{}");
		const longAgo = new Date(Date.now() - 40 * 24 * 3_600_000);
		for (const path of ["old/a.json", "old"]) utimesSync(join(stores, path), longAgo, longAgo);
		const run = await runPiJson(home, "go", { args: ["--tools", "web_search"] });
		expect(toolEnds(run, "web_search")[0]?.isError).toBe(false);
		const left = readdirSync(stores);
		expect(left).toHaveLength(2);
		expect(left).toContain("recent");
	});

	it("are there from the start when they are named on pi's command line", async () => {
		provider = await startScriptedProvider(() => ({ text: "Hello." }));
		home = createPiHome(provider.baseUrl);
		await runPiJson(home, "go", { args: ["--tools", "read,lsp"] });
		expect(provider.requests[0]?.tools).toEqual(["read", "lsp"]);
	});

	it("reach a child that was granted them, and nothing else does", async () => {
		provider = await startScriptedProvider((request) => {
			if (!request.isChild) {
				const task = { agent: "researcher", task: "Convert table.csv." };
				return request.turn === 0 ? { calls: [{ name: "subagent", arguments: task }] } : { text: "Done." };
			}
			return request.turn === 0
				? { calls: [{ name: "convert_content", arguments: { path: "table.csv" } }] }
				: HAND_OVER;
		});
		home = createPiHome(provider.baseUrl);
		home.write("project/table.csv", "name,size\nalpha,1\n");
		const run = await runPiJson(home, "go");
		expect(toolEnds(run)[0]?.isError).toBe(false);
		const children = provider.requests.filter((request) => request.isChild);
		expect(children[0]?.tools).toContain("web_search");
		expect(children[0]?.tools).not.toContain("bash");
		expect(JSON.stringify(children[1]?.messages)).toContain("alpha");
		expect(home.readJournal()).toMatchObject([
			{ kind: "convert", ok: true },
			{ kind: "subagent", ok: true },
		]);
	});

	it("give a child the language servers of its parent", async () => {
		provider = await startScriptedProvider((request) => {
			if (!request.isChild) {
				const task = { agent: "explorer", task: "Which servers are there?" };
				return request.turn === 0 ? { calls: [{ name: "subagent", arguments: task }] } : { text: "Done." };
			}
			return request.turn === 0 ? { calls: [{ name: "lsp", arguments: { action: "servers" } }] } : HAND_OVER;
		});
		home = createPiHome(provider.baseUrl);
		const run = await runPiJson(home, "go");
		expect(toolEnds(run)[0]?.isError).toBe(false);
		const answered = JSON.stringify(
			provider.requests.filter((request) => request.isChild)[1]?.messages.at(-1),
		);
		expect(answered).toContain("typescript");
		// Answered by the parent, and noted once.
		expect(home.readJournal().filter((record) => record["kind"] === "lsp").length).toBe(1);
	});
});
