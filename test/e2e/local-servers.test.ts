import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../helpers/run-cli.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";
import { startWireServer, type WireServer } from "../helpers/wire-server.ts";

let home: TestHome;
let server: WireServer | undefined;
beforeEach(() => {
	home = createTestHome({ "a.js": "export const x = 1;\n" });
});
afterEach(async () => {
	await server?.close();
	server = undefined;
	home.remove();
});

/** Asks the explorer over a server that answers with these replies. */
async function ask(model: string, ...wires: readonly string[]) {
	server = await startWireServer(...wires);
	const [service = ""] = model.split("/");
	const env = { ...home.env, [`${service.toUpperCase()}_BASE_URL`]: `http://127.0.0.1:${server.port}` };
	const run = await runCli(["run", "explorer", "Where is x?", "--model", model, "--json"], {
		cwd: home.project,
		env,
	});
	const [result] = JSON.parse(run.stdout).details.results;
	return { result, stderr: run.stderr, asked: server.requests };
}

describe("what local servers send", () => {
	it("llama.cpp: calls a tool, then hands over; the result names the model that answered, not the name that it ignored", async () => {
		const { result, asked } = await ask("llamacpp/any", "llama.cpp-call.sse", "llama.cpp-handover.sse");
		expect(result).toMatchObject({
			exitCode: 0,
			output: "A real server answered.",
			model: "llamacpp/tiny.gguf",
			usage: { input: 651, output: 10, cacheRead: 738, turns: 2 },
		});
		expect(asked.map(({ model }) => model)).toEqual(["any", "any"]);
	});

	it("Ollama: thoughts in a field of their own, and a call in one piece", async () => {
		const { result } = await ask("ollama/qwen3:8b", "ollama-thoughts-and-call.sse");
		expect(result).toMatchObject({ exitCode: 0, output: "It is in a.js.", model: "ollama/qwen3:8b" });
	});

	it("LM Studio: a call in pieces", async () => {
		const { result } = await ask("lmstudio/qwen/qwen3-8b", "lmstudio-call.sse");
		expect(result).toMatchObject({ exitCode: 0, output: "It is in a.js.", model: "lmstudio/qwen/qwen3-8b" });
	});

	it("a call that is written as text, behind thoughts that are too", async () => {
		const { result, asked } = await ask("lmstudio/qwen/qwen3-8b", "lmstudio-written-call.sse");
		expect(result).toMatchObject({ exitCode: 0, output: "It is in a.js." });
		expect(asked).toHaveLength(1);
	});

	it("thoughts that are written as text are no answer", async () => {
		const env = { ...home.env, K: "k" };
		server = await startWireServer("llama.cpp-thoughts.sse");
		const payload = {
			...{ model: "m", provider: "openai-chat", api_key_name: "K", prompt: "x", system_prompt: "" },
			url: `http://127.0.0.1:${server.port}/v1/chat/completions`,
		};
		const run = await runCli(["exec"], { cwd: home.project, env, input: JSON.stringify(payload) });
		const deltas = (type: string) =>
			[...run.stdout.matchAll(/^data: (.*)$/gm)]
				.map(([, json = ""]) => JSON.parse(json))
				.filter((event) => event.type === type)
				.map(({ delta }) => delta)
				.join("");
		expect(deltas("output_text")).toBe("It is in a.js.");
		expect(deltas("reasoning_content")).toBe("\nIt may be in a.js.\n");
	});

	it("a model that takes no tools is asked once more without any, and the answer says so", async () => {
		const { result, asked } = await ask(
			"ollama/gemma3:4b",
			"ollama-no-tools.400.json",
			"ollama-plain-words.sse",
		);
		expect(result).toMatchObject({ exitCode: 0, model: "ollama/gemma3:4b" });
		expect(result.output).toBe(
			"gemma3:4b cannot call tools: this answer was written without a look at any file.\n\nProbably in a.js.",
		);
		expect(asked.map(({ tools }) => tools !== undefined)).toEqual([true, false]);
		expect(JSON.stringify(asked[1]?.["messages"])).toContain("There are no tools in this conversation");
	});

	it.each([
		["is not pulled", "ollama/qwen3:8b", "ollama-not-pulled.404.json", "Get it with: ollama pull qwen3:8b."],
		[
			"has a context that is too short",
			"llamacpp/any",
			"llama.cpp-too-long.400.json",
			"exceeds the available context size (32768 tokens), try increasing it. Ask for less, or take a model or a server setting with a longer context.",
		],
	])("a model that %s", async (_what, model, wire, said) => {
		const { result, asked } = await ask(model, wire);
		expect(result.exitCode).toBe(1);
		expect(result.error).toContain(said);
		expect(asked).toHaveLength(1);
	});
});

describe("a server that streams nothing", () => {
	it.each<[string, string | undefined, RegExp]>([
		["and ends", "", /The provider's answer was cut off: .*finish_reason/],
		["but comments, and ends", ": hello\n\n", /The provider's answer was cut off/],
		["and waits", undefined, /did nothing for 3 seconds.*waiting for its model, which had sent nothing/],
	])("%s", async (_what, body, said) => {
		const silent = createServer((_request, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.flushHeaders();
			if (body !== undefined) response.end(body);
		});
		await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
		try {
			home.write(join(home.agentDirectory, "deputize.json"), '{"subagents":{"idleTimeoutMs":3000}}');
			const env = {
				...home.env,
				LLAMACPP_BASE_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
			};
			const args = ["run", "explorer", "Where is x?", "--model", "llamacpp/any", "--json"];
			const run = await runCli(args, { cwd: home.project, env });
			const [result] = JSON.parse(run.stdout).details.results;
			expect(result.exitCode).not.toBe(0);
			expect(result.error).toMatch(said);
		} finally {
			silent.closeAllConnections();
			await new Promise((resolve) => silent.close(resolve));
		}
	});
});
