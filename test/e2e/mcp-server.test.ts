import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectOfficialClient, hasMcpPeers, INSPECTOR, type OfficialClient } from "../helpers/mcp-client.ts";
import { listProcessesOf, waitForChild } from "../helpers/pi-door-processes.ts";
import { type ModelServer, startModelServer } from "../helpers/process-model-server.ts";
import { CLI, runProgram } from "../helpers/run-cli.ts";
import { createTestHome, listRunDirectories, type TestHome } from "../helpers/test-home.ts";

const PROJECT_AGENT = "---\nname: audit\ndescription: Audits\nreadonly: true\n---\nYou audit.\n";
const CALL = { name: "subagent", arguments: { agent: "explorer", task: "Where is parseInvoice defined?" } };

let home: TestHome;
let model: ModelServer | undefined;
let client: OfficialClient | undefined;

beforeEach(() => {
	home = createTestHome({
		"src/invoice.ts": "export function parseInvoice(text: string) {\n\treturn text.split(',');\n}\n",
		".agents/audit.md": PROJECT_AGENT,
	});
});
afterEach(async () => {
	await client?.close();
	client = undefined;
	await model?.close();
	model = undefined;
	await expectNothingLeft();
	home.remove();
});

async function expectNothingLeft(): Promise<void> {
	for (let waited = 0; waited < 10_000 && listProcessesOf(home.home).length > 0; waited += 50)
		await sleep(50);
	expect(listProcessesOf(home.home)).toEqual([]);
}

/** The loop as the child's runtime, with a model that follows a script. */
async function useModel(steps: Parameters<typeof startModelServer>[0]): Promise<Record<string, string>> {
	model = await startModelServer(steps);
	return {
		...home.env,
		DEPUTIZE_LOOP_URL: `http://127.0.0.1:${model.port}/v1/chat/completions`,
		DEPUTIZE_LOOP_MODEL: "scripted",
		DEPUTIZE_LOOP_PROVIDER: "openai-chat",
	};
}

describe.skipIf(!hasMcpPeers)("the official client", () => {
	it.each([
		["legacy", "2025-11-25"],
		["auto", "2026-07-28"],
	] as const)("in its mode %s agrees on %s, sees one tool and gets an answer", async (era, version) => {
		const args = ["--offline", "--runtime", "loop"];
		({ client } = await connectOfficialClient({ era, args, cwd: home.project, env: home.env }));
		expect(client.getNegotiatedProtocolVersion()).toBe(version);
		const { tools } = await client.listTools();
		expect(tools.map(({ name }) => name)).toEqual(["subagent"]);
		expect(tools[0]?.["description"]).toContain("- explorer: ");
		// An agent of the project that nobody can be asked about is not offered.
		expect(tools[0]?.["description"]).not.toContain("audit");
		expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain("reviewer");
		const prompt = await client.getPrompt({ name: "reviewer", arguments: { task: "Look at src" } });
		expect(JSON.stringify(prompt.messages)).toContain("Look at src");

		const progress: unknown[] = [];
		const answer = await client.callTool(CALL, { onprogress: (report: unknown) => progress.push(report) });
		expect(answer.isError).toBeFalsy();
		const lines = answer.content[0]?.text.split("\n") ?? [];
		expect(lines[0]).toBe("**Status:** SUCCESS");
		// Below the header, who answered comes first: a client that cuts the end cannot lose it.
		expect(lines[5]).toContain("offline navigator");
		expect(answer.content[0]?.text).toContain("src/invoice.ts:1");
		expect(answer._meta?.["deputize/result"]).toMatchObject({ status: "SUCCESS", agent: "explorer" });
		expect(progress.length).toBeGreaterThan(0);

		const unknown = await client.callTool({ name: "subagent", arguments: { agent: "nobody", task: "x" } });
		expect(unknown).toMatchObject({ isError: true });
		expect(unknown.content[0]?.text).toContain("**Status:** ERROR");
		const wrong = await client.callTool({ name: "subagent", arguments: { agent: "explorer", tasks: [] } });
		expect(wrong.content[0]?.text).toContain('"tasks"');
		await expect(client.callTool({ name: "other", arguments: {} })).rejects.toThrow("Unknown tool");
	});

	it.each(["legacy", "auto"] as const)(
		"in its mode %s is asked about an agent of the project",
		async (era) => {
			const asked: string[] = [];
			let agree = false;
			({ client } = await connectOfficialClient({
				era,
				args: ["--offline", "--runtime", "loop"],
				cwd: home.home,
				env: home.env,
				capabilities: { elicitation: { form: {} }, roots: {} },
				prepare(prepared) {
					prepared.setRequestHandler("roots/list", () => ({ roots: [{ uri: `file://${home.project}` }] }));
					prepared.setRequestHandler("elicitation/create", ({ params }) => {
						asked.push(String(params["message"]));
						return { action: "accept", content: { run: agree ? "audit" : "please look at the tests" } };
					});
				},
			}));
			const call = {
				name: "subagent",
				arguments: { agent: "audit", task: "Where is parseInvoice defined?" },
			};
			const refused = await client.callTool(call);
			expect(refused.content[0]?.text).toContain("it was not approved");
			expect(asked[0]).toContain('Run the agent "audit" that came with this project?');
			expect(asked[0]).toContain("You audit.");
			// A no counts until the server ends; a changed file is another question.
			await client.callTool(call);
			expect(asked).toHaveLength(1);
			home.write(".agents/audit.md", `${PROJECT_AGENT}Carefully.\n`);
			agree = true;
			expect(await client.callTool(call)).not.toMatchObject({ isError: true });
			expect(asked).toHaveLength(2);
		},
	);

	it("takes a call back, and the child is gone; closing the connection ends the rest", async () => {
		const env = await useModel([{ hang: "thinking" }]);
		({ client } = await connectOfficialClient({
			era: "auto",
			args: ["--runtime", "loop"],
			cwd: home.project,
			env,
		}));
		const abort = new AbortController();
		const cancelled = client.callTool(CALL, { signal: abort.signal }).catch((error: unknown) => error);
		await model?.arrived(1);
		expect(await waitForChild(home.home)).toBe(true);
		abort.abort("enough");
		expect(await cancelled).toBeDefined();
		for (let waited = 0; waited < 10_000 && listProcessesOf(home.home).length > 1; waited += 50)
			await sleep(50);
		expect(listProcessesOf(home.home)).toHaveLength(1);
		void client.callTool(CALL).catch(() => undefined);
		await model?.arrived(2);
	});

	it("gets an answer before its limit and joins the run with the next call", async () => {
		const env = await useModel([{ hang: "The parser is" }, { say: "unused" }]);
		const args = ["--runtime", "loop", "--answer-within-ms", "800", "--timeout-ms", "2500"];
		({ client } = await connectOfficialClient({ era: "legacy", args, cwd: home.project, env }));
		const first = (await client.callTool(CALL)).content[0]?.text ?? "";
		expect(first).toMatch(/^\*\*Status:\*\* RUNNING\n\*\*Session ID:\*\* `/);
		const sessionId = /`([0-9a-f-]{36})`/.exec(first)?.[1];
		const join = { name: "subagent", arguments: { agent: "explorer", task: "wait", sessionId } };
		let text = first;
		while (text.includes("RUNNING")) text = (await client.callTool(join)).content[0]?.text ?? "";
		expect(text).toContain("**Status:** ERROR");
		expect(text).toContain("--timeout-ms");
		expect(model?.requests).toHaveLength(1);
	});
});

describe.skipIf(!hasMcpPeers)("the inspector", () => {
	const inspect = (...args: string[]) =>
		runProgram(
			process.execPath,
			[INSPECTOR, "--cli", process.execPath, CLI, "mcp", "--offline", "--runtime", "loop", ...args],
			{ cwd: home.project, env: home.env },
		);

	it("lists and calls the tool; a failed delegation has an exit code of its own", async () => {
		const call = ["--method", "tools/call", "--tool-name", "subagent", "--tool-arg"];
		const [found, failed] = await Promise.all([
			inspect(...call, "agent=explorer", "--tool-arg", "task=Where is parseInvoice defined?"),
			inspect(...call, "agent=nobody", "--tool-arg", "task=x"),
		]);
		expect(found).toMatchObject({ code: 0 });
		expect(found.stdout).toContain("src/invoice.ts:1");
		expect(failed).toMatchObject({ code: 5 });
	});
});

describe("the end of the server", () => {
	async function startWithChild(): Promise<ChildProcess> {
		const env = await useModel([{ hang: "thinking" }]);
		const server = spawn(process.execPath, [CLI, "mcp", "--runtime", "loop"], {
			cwd: home.project,
			env,
			stdio: ["pipe", "pipe", "inherit"],
		});
		server.stdout?.resume();
		const params = { ...CALL, _meta: { progressToken: 1 } };
		server.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`);
		await model?.arrived(1);
		return server;
	}

	it.each([
		["the end of its input", (server: ChildProcess) => server.stdin?.end(), 0],
		["SIGTERM", (server: ChildProcess) => server.kill("SIGTERM"), 143],
		["SIGINT", (server: ChildProcess) => server.kill("SIGINT"), 130],
		["a client that no longer reads", breakOutput, 0],
		["SIGKILL", (server: ChildProcess) => server.kill("SIGKILL"), null],
	] as const)("by %s leaves nothing behind", async (_reason, end, code) => {
		const server = await startWithChild();
		const exited = once(server, "exit");
		end(server);
		expect((await exited)[0]).toBe(code);
		await expectNothingLeft();
		// What a killed server could not remove is swept by the next run.
		if (code !== null) expect(listRunDirectories(home.agentDirectory)).toEqual([]);
	});

	function breakOutput(server: ChildProcess): void {
		server.stdout?.destroy();
		server.stdin?.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
	}
});

describe("the command line", () => {
	it.each([
		[["--nonsense"], "--nonsense"],
		[["--cwd", "/no/such/place"], "--cwd"],
		[["--answer-within-ms", "soon"], "--answer-within-ms"],
	])("%j is refused", async (args, said) => {
		const run = await runProgram(process.execPath, [CLI, "mcp", ...args], {
			cwd: home.project,
			env: home.env,
		});
		expect(run).toMatchObject({ code: 2, stdout: "" });
		expect(run.stderr).toContain(said);
	});

	it("answers initialize with three files loaded: the command, the server and what they share with others", async () => {
		const initialize = {
			jsonrpc: "2.0",
			id: 0,
			method: "initialize",
			params: { protocolVersion: "2025-06-18" },
		};
		const run = await runProgram(process.execPath, [CLI, "mcp"], {
			cwd: home.project,
			env: { ...home.env, NODE_DEBUG: "esm" },
			input: `${JSON.stringify(initialize)}\n`,
		});
		const manifest = JSON.parse(readFileSync(join(CLI, "../../package.json"), "utf8")) as { version: string };
		expect(JSON.parse(run.stdout)).toMatchObject({
			id: 0,
			result: { serverInfo: { version: manifest.version } },
		});
		const loaded = new Set(run.stderr.match(/\bdist\/[\w-]+\.js\b/g));
		expect([...loaded]).toEqual(expect.arrayContaining(["dist/cli.js", "dist/mcp.js"]));
		expect(loaded.size).toBeLessThanOrEqual(3);
	});
});

describe("deputize mcp install", () => {
	it("shows what it changes, keeps the old file, and changes nothing the second time", async () => {
		const file = home.write(join(home.home, ".gemini/settings.json"), '{\n  "theme": "dark"\n}\n');
		const install = (...args: string[]) =>
			runProgram(process.execPath, [CLI, "mcp", "install", ...args], { cwd: home.project, env: home.env });
		const printed = await install("gemini", "--print");
		expect(printed.stdout).toContain(file);
		expect(readFileSync(file, "utf8")).not.toContain("deputize");
		const first = await install("gemini", "codex");
		expect(first).toMatchObject({ code: 0, stderr: "" });
		expect(first.stdout).toContain('+    "deputize": {');
		expect(readFileSync(`${file}.before-deputize`, "utf8")).toBe('{\n  "theme": "dark"\n}\n');
		expect(readFileSync(join(home.home, ".codex/config.toml"), "utf8")).toContain("required = true");
		expect((await install("gemini", "codex")).stdout).toMatch(/already installed[\s\S]*already installed/);
		expect((await install()).stdout).toMatch(/gemini\s+Gemini CLI\s+installed/);
		const about = { client: "gemini", file };
		expect(JSON.parse((await install("--json")).stdout)).toContainEqual(
			expect.objectContaining({ ...about, state: "installed" }),
		);
		expect(JSON.parse((await install("gemini", "--json")).stdout)).toEqual([{ ...about, state: "already" }]);
		expect(await install("emacs")).toMatchObject({ code: 2 });
	});
});
