import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
import { runPiJson, toolEnds } from "../helpers/pi-door-json.ts";
import { listChildrenOf, listProcessesOf, readCommandLine } from "../helpers/pi-door-processes.ts";
import {
	type ScriptedProvider,
	type ScriptedRequest,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/pi-door-provider.ts";
import { demandInstalled, isLeftOut, PI_VERSIONS } from "../helpers/pi-door-versions.ts";

let provider: ScriptedProvider | undefined;
let home: PiHome | undefined;
/** Extensions that a child was started with, apart from our own; each such list once. */
let loaded: Set<string>;

afterEach(async () => {
	await provider?.close();
	const left = home ? listProcessesOf(home.root) : [];
	home?.remove();
	provider = undefined;
	home = undefined;
	expect(left, "processes left behind").toEqual([]);
});

/** A parent that delegates to one after the other. */
async function open(...agents: readonly string[]): Promise<PiHome> {
	loaded = new Set();
	provider = await startScriptedProvider((request: ScriptedRequest): ScriptedTurn => {
		if (request.isChild) {
			for (const pid of listChildrenOf(home?.root ?? "none")) noteExtensions(readCommandLine(pid));
			const result = "It is there.";
			return { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result } }] };
		}
		const agent = agents[request.turn];
		if (agent === undefined) return { text: "Thank you." };
		return { calls: [{ name: "subagent", arguments: { agent, task: "Where is it?" } }] };
	});
	home = createPiHome(provider.baseUrl);
	return home;
}

function noteExtensions(line: readonly string[]): void {
	const others = line
		.filter((value, index) => line[index - 1] === "-e" && !value.includes("/dist/pi-"))
		.map((value) => value.replace(/^.*\/extensions\//, ""));
	if (others.length > 0) loaded.add(others.join(", "));
}

const KNOWN_MODEL = {
	...{ id: "m", name: "m", api: "openai-completions", reasoning: false, input: ["text"] },
	...{ contextWindow: 100_000, maxTokens: 1000, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
};

const describeModel = (id: string): string =>
	JSON.stringify({
		...{ baseUrl: provider?.baseUrl, apiKey: "none", api: "openai-completions" },
		models: [{ ...KNOWN_MODEL, id, name: id }],
	});

function writeExtension(place: PiHome, path: string, text: string): void {
	place.write(`home/.pi/agent/extensions/${path}`, text);
}

function childModels(): readonly unknown[] {
	return (
		provider?.requests.filter((request) => request.isChild).map((request) => request.body["model"]) ?? []
	);
}

describe.each(PI_VERSIONS)("models of extensions in pi $version", (pi) => {
	describe.skipIf(isLeftOut(pi))("answer in the child too", () => {
		beforeAll(() => demandInstalled(pi));

		// One parent for three children: it costs as much as a child does.
		it("and of several extensions only the one that provides the model is loaded: of the parent's model, of one that only the agent names, and in front of a provider that pi knows", async () => {
			const place = await open("explorer", "helper", "proxied");
			writeExtension(
				place,
				"mine.ts",
				`export default (pi) => pi.registerProvider("mine", ${describeModel("of-parent")});`,
			);
			writeExtension(
				place,
				"theirs.ts",
				`export default (pi) => pi.registerProvider("theirs", ${describeModel("of-agent")});`,
			);
			writeExtension(
				place,
				"proxy.ts",
				`export default (pi) => pi.registerProvider("openai", ${describeModel("in-front")});`,
			);
			writeExtension(
				place,
				"tool.ts",
				'export default (pi) => pi.registerCommand("mine", { handler: async () => {} });',
			);
			for (const [name, model] of [
				["helper", "theirs/of-agent"],
				["proxied", "openai/in-front"],
			])
				place.write(
					`home/.pi/agent/agents/${name}.md`,
					`---\nname: ${name}\ndescription: Help\nmodel: ${model}\n---\nYou help.\n`,
				);
			const run = await runPiJson(place, "go", { args: ["--model", "mine/of-parent"], script: pi.script });
			expect(toolEnds(run).map(({ isError }) => isError)).toEqual([false, false, false]);
			expect(childModels()).toEqual(["of-parent", "of-agent", "in-front"]);
			expect([...loaded]).toEqual(["mine.ts", "theirs.ts", "proxy.ts"]);
		});

		it("when the source is minified and the name put together", async () => {
			const place = await open("explorer");
			writeExtension(
				place,
				"pack/index.js",
				'import{s as a}from"./chunk.js";export default p=>a(p.registerProvider.bind(p));',
			);
			writeExtension(
				place,
				"pack/chunk.js",
				`const n=["mi","ne"].join("");export const s=r=>r(n,${describeModel("m")});`,
			);
			const run = await runPiJson(place, "go", { args: ["--model", "mine/m"], script: pi.script });
			expect(toolEnds(run)[0]?.isError).toBe(false);
			expect([...loaded]).toEqual(["pack/index.js"]);
		});

		it("when they come from a server that pi itself has an extension for", async () => {
			const place = await open("explorer");
			const server = { LLAMA_BASE_URL: provider?.baseUrl.replace("/v1", "") };
			place.write(
				"home/.pi/agent/auth.json",
				JSON.stringify({ "llama.cpp": { type: "api_key", key: "none", env: server } }),
			);
			// What pi keeps of the server's own list of models.
			const model = { ...KNOWN_MODEL, provider: "llama.cpp", baseUrl: provider?.baseUrl };
			place.write(
				"home/.pi/agent/models-store.json",
				JSON.stringify({ "llama.cpp": { models: [model], checkedAt: Date.now() } }),
			);
			const run = await runPiJson(place, "go", { args: ["--model", "llama.cpp/m"], script: pi.script });
			expect(run.stderr).toBe("");
			expect(toolEnds(run)[0]?.isError).toBe(false);
			expect(childModels()).toEqual(["m"]);
		});
	});
});

describe.each(PI_VERSIONS)("an agent with several models in pi $version", (pi) => {
	describe.skipIf(isLeftOut(pi))("of which the first fails in the middle of a run", () => {
		beforeAll(() => demandInstalled(pi));

		it("is continued by the next, with the steps so far", async () => {
			const place = await open("mine");
			provider?.requests.splice(0);
			await provider?.close();
			provider = await startScriptedProvider((request): ScriptedTurn => {
				if (!request.isChild) {
					const task = { agent: "mine", task: "Where is it?" };
					return request.turn === 0
						? { calls: [{ name: "subagent", arguments: task }] }
						: { text: "Thanks." };
				}
				if (request.body["model"] === "first")
					return request.turn === 0 ? { calls: [{ name: "ls", arguments: {} }] } : { status: 401 };
				const result = `second, after ${request.messages.filter(({ role }) => role === "tool").length} tool`;
				return { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result } }] };
			});
			const model = (id: string) => ({ ...KNOWN_MODEL, id, name: id });
			const served = { baseUrl: provider.baseUrl, api: "openai-completions", apiKey: "none" };
			place.write(
				"home/.pi/agent/models.json",
				JSON.stringify({
					providers: {
						scripted: { ...served, models: [model("model-1")] },
						one: { ...served, models: [model("first")] },
						two: { ...served, models: [model("second")] },
					},
				}),
			);
			place.write(
				"home/.pi/agent/agents/mine.md",
				"---\nname: mine\nmodel: no/such, one/first\n---\nYou look.\n",
			);
			place.write(
				"home/.pi/agent/deputize.json",
				JSON.stringify({ subagents: { agents: { mine: { model: "no/such, one/first, two/second" } } } }),
			);
			const run = await runPiJson(place, "go", { script: pi.script });
			const [end] = toolEnds(run);
			expect(end?.isError, run.stderr).toBe(false);
			expect(end?.result.details["finalized"]).toEqual({ status: "SUCCESS", result: "second, after 1 tool" });
			expect(end?.result.details["results"]).toMatchObject([
				{ model: "two/second", failedModels: [{ model: "one/first", cause: { kind: "unauthorized" } }] },
			]);
		});
	});
});
