import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectOfficialClient, hasMcpPeers } from "../helpers/mcp-client.ts";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
import { runPiJson, toolEnds } from "../helpers/pi-door-json.ts";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/pi-door-provider.ts";
import { runCli } from "../helpers/run-cli.ts";
import { ANSWER, hasLlamaCpp, type LlamaCpp, startLlamaCpp } from "../helpers/start-llama-cpp.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

/** Its own name for the model, whatever it is asked for. */
const MODEL = "llamacpp/tiny.gguf";

describe.skipIf(!hasLlamaCpp)("a real llama.cpp", () => {
	let server: LlamaCpp;
	let home: TestHome;
	let env: Record<string, string>;
	beforeAll(async () => {
		server = await startLlamaCpp();
	}, 120_000);
	afterAll(() => server.close());
	beforeEach(() => {
		home = createTestHome({ "a.js": "export const x = 1;\n" });
		env = { ...home.env, LLAMACPP_BASE_URL: server.baseUrl };
	});
	afterEach(() => home.remove());

	it("answers deputize run: it calls a tool, gets its result and hands over", async () => {
		const args = ["run", "explorer", "Where is x?", "--model", "llamacpp/any", "--json"];
		const { stdout } = await runCli(args, { cwd: home.project, env });
		const [result] = JSON.parse(stdout).details.results;
		expect(result).toMatchObject({ exitCode: 0, output: ANSWER, model: MODEL, toolCalls: 1 });
		expect(result.usage).toMatchObject({ turns: 2 });
		expect(result.usage.input).toBeGreaterThan(100);
		expect(result.usage.output).toBeGreaterThan(0);
	});

	it("is found by deputize init and models, and then answers without a flag", async () => {
		const options = { cwd: home.project, env: { ...env, PATH: "/usr/bin:/bin" } };
		await runCli(["init", "--yes"], options);
		expect(JSON.parse(readFileSync(join(home.agentDirectory, "deputize.json"), "utf8"))).toEqual({
			models: {
				llamacpp: { baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/), model: "tiny.gguf" },
			},
		});
		expect((await runCli(["models"], options)).stdout).toContain(`${MODEL} (default)`);
		expect((await runCli(["run", "explorer", "Where is x?"], options)).stdout.trim()).toBe(ANSWER);
	});

	it("answers deputize batch", async () => {
		const input = home.write(
			"in.jsonl",
			'{"agent":"explorer","task":"a"}\n{"agent":"explorer","task":"b"}\n',
		);
		const args = ["batch", input, "--agent", "explorer", "-o", "out.jsonl", "--model", "llamacpp/any"];
		const { code, stderr } = await runCli(args, { cwd: home.project, env });
		expect([code, stderr]).toEqual([0, expect.any(String)]);
		const records = readFileSync(join(home.project, "out.jsonl"), "utf8").trim().split("\n");
		expect(records.map((line) => JSON.parse(line).answer)).toEqual([ANSWER, ANSWER]);
	});

	it.skipIf(!hasMcpPeers)("answers an MCP client", async () => {
		home.write(
			join(home.agentDirectory, "deputize.json"),
			JSON.stringify({ subagents: { model: "llamacpp/any" } }),
		);
		const { client } = await connectOfficialClient({ era: "auto", cwd: home.project, env });
		try {
			const call = { name: "subagent", arguments: { agent: "explorer", task: "Where is x?" } };
			const { content, isError } = await client.callTool(call);
			expect([isError ?? false, content[0]?.text]).toEqual([false, expect.stringContaining(ANSWER)]);
		} finally {
			await client.close();
		}
	});

	describe("answers a child that is pi", () => {
		let provider: ScriptedProvider | undefined;
		let piHome: PiHome | undefined;
		afterEach(async () => {
			await provider?.close();
			const left = piHome ? listProcessesOf(piHome.root) : [];
			piHome?.remove();
			expect(left, "processes left behind").toEqual([]);
		});

		it("whose models.json names it", async () => {
			provider = await startScriptedProvider((request) =>
				request.turn === 0
					? { calls: [{ name: "subagent", arguments: { agent: "local", task: "Where is x?" } }] }
					: { text: "Thank you." },
			);
			piHome = createPiHome(provider.baseUrl);
			const file = join(piHome.agentDirectory, "models.json");
			const { providers } = JSON.parse(readFileSync(file, "utf8"));
			const model = { ...providers.scripted.models[0], id: "tiny.gguf" };
			const local = { ...providers.scripted, baseUrl: server.baseUrl, models: [model] };
			piHome.write("home/.pi/agent/models.json", JSON.stringify({ providers: { ...providers, local } }));
			piHome.write(
				"home/.pi/agent/agents/local.md",
				"---\nname: local\ndescription: Look\ntools: ls\nmodel: local/tiny.gguf\n---\nYou look.\n",
			);
			const [end] = toolEnds(await runPiJson(piHome, "go"));
			expect(end?.isError).toBe(false);
			expect(JSON.stringify(end)).toContain(ANSWER);
			expect(piHome.readJournal().at(-1)).toMatchObject({ model: "local/tiny.gguf" });
		});
	});
});
