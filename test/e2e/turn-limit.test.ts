import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runCli } from "../helpers/run-cli.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";
import { startWireServer, type WireServer } from "../helpers/wire-server.ts";

let home: TestHome;
let server: WireServer;
beforeEach(async () => {
	home = createTestHome();
	// It looks around for ever.
	server = await startWireServer("llama.cpp-call.sse");
});
afterEach(async () => {
	await server.close();
	home.remove();
});

it.each(["loop", "pi"])("an agent with max_turns: 3 makes three requests under %s", async (runtime) => {
	const baseUrl = `http://127.0.0.1:${server.port}/v1`;
	home.write(
		join(home.agentDirectory, "agents/mine.md"),
		"---\nname: mine\ndescription: Look\ntools: ls\nmax_turns: 3\n---\nYou look.\n",
	);
	const model = {
		id: "m",
		name: "m",
		reasoning: false,
		input: ["text"],
		contextWindow: 99_999,
		maxTokens: 999,
	};
	const own = { baseUrl, api: "openai-completions", apiKey: "none", models: [model] };
	home.write(join(home.agentDirectory, "models.json"), JSON.stringify({ providers: { own } }));
	home.write(join(home.agentDirectory, "deputize.json"), JSON.stringify({ models: { own: { baseUrl } } }));
	const args = ["run", "mine", "x", "--model", "own/m", "--runtime", runtime, "--json"];
	const { stdout } = await runCli(args, { cwd: home.project, env: home.env });
	const [result] = JSON.parse(stdout).details.results;
	expect(result.error).toMatch(/3 turns/);
	expect(server.requests).toHaveLength(3);
	expect(result.usage.turns).toBe(3);
});
