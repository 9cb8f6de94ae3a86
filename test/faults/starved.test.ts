import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { enterView } from "../helpers/enter-view.ts";
import { responsesText, type ScriptedServer, startScriptedServer, writeSse } from "../helpers/loop-server.ts";
import { createPiHome } from "../helpers/pi-door-home.ts";
import { runPiJson, toolEnds } from "../helpers/pi-door-json.ts";
import { startScriptedProvider } from "../helpers/pi-door-provider.ts";
import { type CliRun, runCli } from "../helpers/run-cli.ts";
import { startNeighbours, throttle } from "../helpers/starve.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

// Slower is fine. What is said is right, or a failure that is true, and nothing is ended that would have finished.

const PATIENCE_MS = 300_000;
const FILES = {
	"src/pay.ts": "/** Takes the money of an order. */\nexport function payOrder() {}\n",
	"src/server.ts": 'import { payOrder } from "./pay.ts";\npayOrder();\n',
	"rows.jsonl": '{"task":"Where is payOrder defined?"}\n{"task":"Who calls payOrder?"}\n',
};
const OFFLINE = ["--offline", "--runtime", "loop"];

let home: TestHome;
let server: ScriptedServer;
beforeEach(async () => {
	home = createTestHome(FILES);
	server = await startScriptedServer((response) => writeSse(response, responsesText("The answer.")));
});
afterEach(async () => {
	await server.close();
	home.remove();
});

const cli = (args: readonly string[], more: Partial<Parameters<typeof runCli>[1]> = {}): Promise<CliRun> =>
	runCli(args, { cwd: home.project, env: home.env, ...more });

type OnStart = (child: ChildProcess) => void;
const ignore: OnStart = () => undefined;

const run = (more: Parameters<typeof cli>[1] = {}): Promise<CliRun> =>
	cli(["run", "explorer", ...OFFLINE, "Where is payOrder defined?"], more);

const exec = (more: Parameters<typeof cli>[1] = {}): Promise<CliRun> => {
	const payload = {
		provider: "openai-responses",
		model: "m",
		url: server.url,
		prompt: "x",
		tool_subset: ["search_web", "bash_read"],
	};
	return cli(["exec"], { input: JSON.stringify(payload), ...more });
};

function expectRun({ code, stdout, stderr }: CliRun): void {
	expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("✓ explorer") });
	expect(stdout).toContain("src/pay.ts:2");
}

function expectExec({ code, stdout, stderr }: CliRun): void {
	expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
	expect(stdout).toContain("The answer.");
	expect(stdout).toMatch(/event: response_end\n.*\n\n$/);
	expect(stdout).not.toContain("event: error");
}

async function runBatch(onStart = ignore): Promise<void> {
	const args = ["batch", "rows.jsonl", "--agent", "explorer", "--offline", "-o", "answers.jsonl"];
	const { code, stderr } = await cli(args, { onStart });
	expect({ code, stderr }).toMatchObject({ code: 0 });
	const answers = readFileSync(join(home.project, "answers.jsonl"), "utf8").trim().split("\n");
	expect(answers.map((line) => JSON.parse(line).status)).toEqual(["done", "done"]);
	expect(answers[0]).toContain("src/pay.ts:2");
}

async function callOverMcp(onStart = ignore): Promise<void> {
	const messages = [
		{
			method: "initialize",
			id: 1,
			params: {
				protocolVersion: "2025-11-25",
				capabilities: {},
				clientInfo: { name: "claude-code", version: "0" },
			},
		},
		{ method: "notifications/initialized" },
		{
			method: "tools/call",
			id: 2,
			params: {
				name: "subagent",
				arguments: { agent: "explorer", task: "Where is payOrder defined?" },
				_meta: { progressToken: 1 },
			},
		},
	];
	const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
	const { code, stdout } = await cli(["mcp", "--offline"], {
		onStart(child) {
			onStart(child);
			let seen = "";
			child.stdout?.on("data", (chunk: Buffer) => {
				seen += chunk.toString("utf8");
				if (/"id":2\b/.test(seen)) child.kill("SIGTERM");
			});
		},
		input,
		staysOpen: true,
	});
	expect(code).toBe(143);
	const answer = stdout.split("\n").find((line) => /"id":2\b/.test(line)) ?? "";
	expect(answer).toContain("**Status:** SUCCESS");
	expect(answer).toContain("src/pay.ts:2");
}

async function delegateInPi(onStart = ignore): Promise<void> {
	const finalize = {
		name: "subagent_finalize",
		arguments: { status: "SUCCESS", result: "It is in a.ts:1." },
	};
	const provider = await startScriptedProvider(({ isChild, turn }) => {
		if (isChild) return { calls: [finalize] };
		return turn === 0
			? { calls: [{ name: "subagent", arguments: { agent: "explorer", task: "Where?" } }] }
			: { text: "Thank you." };
	});
	const pi = createPiHome(provider.baseUrl, {});
	try {
		const ended = await runPiJson(pi, "go", { onStart });
		const [end] = toolEnds(ended);
		expect(ended.exitCode).toBe(0);
		expect(end).toMatchObject({ isError: false });
		expect(end?.result.content[0]?.text).toContain("It is in a.ts:1.");
	} finally {
		await provider.close();
		pi.remove();
	}
}

async function readView(onStart = ignore): Promise<void> {
	const reads: Promise<unknown>[] = [];
	const { code } = await cli(["view", "--json"], {
		onStart(child) {
			onStart(child);
			child.stdout?.once("data", (chunk: Buffer) => {
				const { address } = JSON.parse(chunk.toString("utf8")) as { address: string };
				const read = enterView(address)
					.then((get) => get("api/runs"))
					.then((response) => response.json());
				reads.push(read.finally(() => child.kill("SIGTERM")));
			});
		},
	});
	expect(code).toBe(143);
	expect(await reads[0]).toMatchObject({ runs: expect.any(Array) });
}

// taskset, and the children of a process in /proc.
describe.runIf(process.platform === "linux")("a machine that has no time", () => {
	it("answers as always beside ten busy neighbours for each processor", {
		timeout: PATIENCE_MS,
	}, async () => {
		const endNeighbours = startNeighbours();
		try {
			const [ran, executed] = await Promise.all([
				run(),
				exec(),
				runBatch(),
				callOverMcp(),
				delegateInPi(),
				readView(),
			]);
			expectRun(ran);
			expectExec(executed);
		} finally {
			await endNeighbours();
		}
	});

	it("answers as always with a twentieth of a processor", { timeout: PATIENCE_MS }, async () => {
		const share = { onMs: 10, offMs: 190 };
		const throttled: Promise<void>[] = [];
		const onStart: OnStart = (child) => void throttled.push(throttle(child, share));
		const [ran, executed] = await Promise.all([
			run({ onStart }),
			exec({ onStart }),
			runBatch(onStart),
			callOverMcp(onStart),
			delegateInPi(onStart),
			readView(onStart),
		]);
		await Promise.all(throttled);
		expectRun(ran);
		expectExec(executed);
	});
});
