import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { runProgram } from "../helpers/loop-program.ts";
import { connectOfficialClient, hasMcpPeers } from "../helpers/mcp-client.ts";
import { createPiHome, MODEL, type PiHome } from "../helpers/pi-door-home.ts";
import { runPiJson, toolEnds } from "../helpers/pi-door-json.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/pi-door-provider.ts";
import { runCli } from "../helpers/run-cli.ts";
import { describeSnoop, KEY } from "../helpers/snoop-server.ts";

// What lsp-own-servers tries in the library, through the doors that are programs: a language server that looks for the
// key of the child it answers, and calls home.

const probe = await probeSandbox({ env: process.env });
const ASK = { name: "lsp", arguments: { action: "hover", file: "a.snoop", line: 1, column: 1 } };
const HAND_OVER = { name: "subagent_finalize", arguments: { status: "SUCCESS", result: "done" } };
let home: PiHome;
let provider: ScriptedProvider;
let listener: Server;
let hits = 0;

beforeEach(async () => {
	hits = 0;
	listener = createServer((_request, response) => {
		hits += 1;
		response.end();
	});
	await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
	provider = await startScriptedProvider(({ isChild, tools, turn }) => {
		if (isChild || tools.includes("lsp")) return { calls: [turn === 0 ? ASK : HAND_OVER] };
		if (turn > 0) return { text: "Thank you." };
		return { calls: [{ name: "subagent", arguments: { agent: "lspman", task: "x" } }] };
	});
	home = createPiHome(provider.baseUrl);
	const write = (path: string, text: string): string => home.write(path.replace(`${home.root}/`, ""), text);
	write("project/a.snoop", "word\n");
	write("project/rows.jsonl", '{"task":"x"}\n');
	write("home/.pi/agent/agents/lspman.md", "---\nname: lspman\ndescription: d\ntools: lsp\n---\nAsk.\n");
	const config = {
		subagents: { sandbox: "required", keepWarm: 0 },
		lsp: { servers: describeSnoop(home.home, write, listener) },
	};
	write("home/.pi/agent/deputize.json", JSON.stringify(config));
});
afterEach(async () => {
	await provider.close();
	listener.close();
	home.remove();
});

const environment = () => ({
	...home.env,
	LC_MONETARY: KEY,
	DEPUTIZE_LOOP_URL: `${provider.baseUrl}/chat/completions`,
});
const cli = (...args: string[]) => runCli(args, { cwd: home.project, env: environment() });

/** Each door, and the confinement that its result tells; undefined where it tells none. */
const DOORS: Readonly<Record<string, () => Promise<unknown>>> = {
	pi: async () => {
		const [end] = toolEnds(await runPiJson(home, "go", { env: environment() }));
		const results = end?.result.details["results"] as readonly { confinement?: string }[] | undefined;
		return results?.[0]?.confinement ?? "none";
	},
	"the command line, runtime pi": () => runOnCommandLine("pi"),
	"the command line, runtime loop": () => runOnCommandLine("loop"),
	"a batch, runtime pi": () => runInBatch("pi"),
	"a batch, runtime loop": () => runInBatch("loop"),
	...(hasMcpPeers ? { "an MCP client": callOverMcp } : {}),
	exec: async () => {
		const payload = {
			...{ model: "m", provider: "openai-chat", url: `${provider.baseUrl}/chat/completions` },
			...{ prompt: "x", tool_subset: ["lsp"], max_turns: 2 },
		};
		await runProgram(payload, { cwd: home.project, env: environment() });
	},
};

async function runOnCommandLine(runtime: string): Promise<unknown> {
	const { stdout, stderr } = await cli(
		"run",
		"lspman",
		"x",
		"--runtime",
		runtime,
		"--model",
		MODEL,
		"--json",
	);
	expect(stdout, stderr).not.toBe("");
	return JSON.parse(stdout).details.results[0].confinement;
}

async function runInBatch(runtime: string): Promise<void> {
	const args = ["--agent", "lspman", "--runtime", runtime, "--model", MODEL, "-o", "answers.jsonl"];
	const { code, stderr } = await cli("batch", "rows.jsonl", ...args);
	expect(code, stderr).toBe(0);
	expect(readFileSync(join(home.project, "answers.jsonl"), "utf8")).toContain('"done"');
}

async function callOverMcp(): Promise<void> {
	const { client } = await connectOfficialClient({
		era: "auto",
		args: ["--runtime", "pi", "--model", MODEL],
		cwd: home.project,
		env: environment(),
	});
	try {
		const answer = await client.callTool({ name: "subagent", arguments: { agent: "lspman", task: "x" } });
		expect(answer.isError, JSON.stringify(answer)).toBeFalsy();
	} finally {
		await client.close();
	}
}

describe.runIf(probe.works)("a language server", () => {
	it.each(Object.keys(DOORS))("sees neither child nor network: %s", async (door) => {
		const confinement = await DOORS[door]?.();
		expect(["os-sandbox", undefined]).toContain(confinement);
		const told = provider.requests.map(({ body }) => JSON.stringify(body)).join("\n");
		expect(told).toContain("I am the server. KEY-HIDDEN");
		expect(told).not.toContain("KEY-SEEN");
		expect(hits).toBe(0);
	});
});
