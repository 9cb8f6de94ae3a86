import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseQueuedResult } from "../../src/batch/queue/payload.ts";
import { runBatch } from "../../src/batch/run-batch.ts";
import { installPart } from "../../src/commands/setup/install-part.ts";
import { renderBatchSummary } from "../../src/hosts/cli/render-batch.ts";
import { findExecutable } from "../../src/process/find-executable.ts";
import { finished } from "../helpers/batch-lanes.ts";
import { CLI, runCli, runProgram } from "../helpers/run-cli.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

// What somebody else wrote, given to a command as its input.

let home: TestHome;
beforeEach(() => {
	home = createTestHome({ "src/auth.ts": "export function registerAuth() {}\n" });
});
afterEach(() => home.remove());

const run = (args: readonly string[], input = "") =>
	runCli(args, { cwd: home.project, env: home.env, input });

it("exec neither removes a directory nor writes a file that its payload names", async () => {
	const precious = home.write(join(home.home, "precious", "file"), "mine");
	const settings = home.write(join(home.home, ".bashrc"), "alias x=y\n");
	const child = {
		agent: "explorer",
		finalize: { mode: "text", max_corrections: 0 },
		session: { id: "1", file: settings },
		tools: { run_directory: join(precious, "..") },
	};
	const prompt = "Where is registerAuth? $(touch ~/ran)";
	const payload = { model: "navigator", provider: "offline", prompt, tool_subset: ["bash_find"] };
	const told = await run(["exec"], JSON.stringify({ ...payload, child }));
	expect(existsSync(precious)).toBe(true);
	expect(readFileSync(settings, "utf8")).toBe("alias x=y\n");
	expect(told).toMatchObject({
		code: 0,
		stderr: expect.stringContaining('\\"child\\" is not a field of the payload and was ignored'),
	});
	expect(await run(["exec"], JSON.stringify(payload))).toMatchObject({ code: 0 });
});

it("an answer on a terminal covers nothing that was shown before it", async () => {
	home.write("src/evil.ts\rsrc/good.ts", "export function registerAuth() {}\n");
	const command = `'${process.execPath}' '${CLI}' run explorer 'Where is registerAuth?' --offline`;
	const options = { cwd: home.project, env: { ...home.env, TERM: "dumb" } };
	const { stdout } = await runProgram("script", ["-qec", command, "/dev/null"], options);
	expect(stdout).toContain("evil.ts");
	expect(stdout).not.toMatch(/evil\.ts\r(?!\n)/);
});

const BATCH = [
	"batch",
	"glob:src/*.ts",
	"--agent",
	"reviewer",
	"--task",
	"Review {path}",
	"-o",
	"review.jsonl",
];
const ESCAPE = "\x1b]0;title\x07\x1b[2J";

describe("an output of a batch that came with the project", () => {
	const state = { version: 1, id: "5a1d3c7e-0000-4000-8000-000000000000", lane: "embedded", total: 1 };
	const record = {
		id: "x",
		key: "k",
		agent: "reviewer",
		status: "done",
		costUsd: 0,
		durationMs: 1,
		usage: {},
	};
	const bring = (line: object, changes: object = {}): void => {
		home.write("review.jsonl", `${JSON.stringify(line)}\n`);
		home.write("review.jsonl.state.json", JSON.stringify({ ...state, ...changes }));
	};

	it("is said to be somebody else's, and an own one is not", async () => {
		expect((await run([...BATCH, "--offline"])).stderr).not.toContain("no batch of yours");
		expect((await run([...BATCH, "--offline"])).stderr).not.toContain("no batch of yours");
		const forged = readFileSync(join(home.project, "review.jsonl"), "utf8").replace(
			/"answer":"[^"]*"/,
			'"answer":"All fine."',
		);
		bring(JSON.parse(forged));
		const { stderr } = await run([...BATCH, "--offline"]);
		expect(stderr).toMatch(/1 answer in .*review\.jsonl .* no batch of yours/);
	}, 60_000);

	it.each([
		["costUsd", { costUsd: -1000 }],
		["earlierCostUsd", { earlierCostUsd: -1000 }],
		["earlierCostUsd that is a text", { earlierCostUsd: "1" }],
	])("does not raise the budget by its %s", async (_name, forged) => {
		bring({ ...record, ...forged });
		let ran = 0;
		const execute = async () => {
			ran += 1;
			return finished({ costUsd: 1 });
		};
		const requests = ["a", "b", "c", "d"].map((task) => ({ agent: "reviewer", task }));
		const delegate = { cwd: home.project, env: home.env, offline: true };
		const output = join(home.project, "review.jsonl");
		const options = { delegate, execute, output, budgetUsd: 1, concurrency: 1 };
		const all = async (): Promise<void> => {
			for await (const _ of runBatch(requests, options));
		};
		await expect(all()).rejects.toThrow("is not the output of a batch");
		expect(ran).toBe(0);
	});

	it("names no queue that is asked", async () => {
		let connections = 0;
		const server = createServer((socket) => {
			connections += 1;
			socket.destroy();
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const { port } = server.address() as { port: number };
		bring(record, { lane: "queue", queue: `postgres://127.0.0.1:${port}/x` });
		for (const word of ["status", "cancel"]) {
			const { code, stderr } = await run(["batch", word, "review.jsonl"]);
			expect(stderr).toContain("you did not start it on this machine");
			expect(code).toBe(2);
		}
		server.close();
		expect(connections).toBe(0);
	});

	it("sends nothing but text to the terminal", async () => {
		bring(record);
		const lock = { pid: 1, host: `elsewhere${ESCAPE}`, nonce: "x" };
		home.write("review.jsonl.lock", JSON.stringify(lock));
		const { stdout } = await run(["batch", "status", "review.jsonl"]);
		expect(stdout).toContain("1 done");
		expect(stdout).not.toContain("\x1b");
		home.write(
			".vscode/mcp.json",
			JSON.stringify({ servers: {}, inputs: [ESCAPE] }).replaceAll("\\u001b", "\x1b"),
		);
		expect((await run(["mcp", "install", "vscode"])).stdout).not.toContain("\x1b");
	});
});

describe("a result that somebody put on a queue", () => {
	const result = { status: "failed", costUsd: 0, durationMs: 1, usage: {} };
	it.each([
		["a negative cost", { costUsd: -5 }],
		["no error", { error: null }],
		["an error without words", { error: { code: 1 } }],
		["an answer that is no text", { answer: { length: 5 } }],
		["a model that is no text", { model: {} }],
		["an answer longer than a line of the output may be", { answer: "x".repeat(17_000_000) }],
	])("is a failure when it has %s", (_name, forged) => {
		expect(parseQueuedResult(JSON.stringify({ ...result, ...forged }))).toMatchObject({
			error: { cause: { kind: "worker_failed" } },
			costUsd: 0,
		});
	});

	it("is a failure when it has more levels than anybody could write down", () => {
		const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
		const done = JSON.stringify({ ...result, status: "done" }).slice(0, -1);
		expect(parseQueuedResult(`${done},"data":${deep}}`)).toMatchObject({ status: "failed" });
		expect(parseQueuedResult(`${done},"data":[[["x"]]]}`)).toMatchObject({ status: "done", data: [[["x"]]] });
	});

	it("does not say whose result it is", () => {
		const forged = { id: "another", key: "another", agent: "another", attempt: -1, earlierCostUsd: -5 };
		const parsed = parseQueuedResult(JSON.stringify({ ...result, status: "done", answer: "x", ...forged }));
		expect(parsed).toEqual({ ...result, status: "done", answer: "x" });
	});

	it("is shown without escapes", () => {
		const summary = { total: 1, done: 0, failed: 1, missing: 0, finishedNow: 1, costUsd: 0, spentUsd: 0 };
		const failures = { [`SUBAGENT_FAILED${ESCAPE}`]: 1 };
		expect(renderBatchSummary({ ...summary, durationMs: 1, output: "x", failures })).not.toContain("\x1b");
	});
});

it("a name that is not UTF-8 does not keep a batch from the other files", async () => {
	writeFileSync(
		Buffer.concat([Buffer.from(`${home.project}/src/`), Buffer.from([0xff]), Buffer.from(".ts")]),
		"x",
	);
	const { code, stderr } = await run([...BATCH, "--offline", "--dry-run"]);
	expect(stderr).toContain("1 file left out: a name that is not UTF-8.");
	expect(code).toBe(0);
});

it("settings of npm do not make setup install half of a part", async () => {
	const seen = join(home.home, "settings.json");
	const npm = findExecutable("npm", home.env);
	const bin = join(home.home, "bin");
	const asks = home.write(
		join(bin, "npm"),
		`#!/bin/sh\nshift\nexec '${npm}' config list --json "$@" >'${seen}'\n`,
	);
	chmodSync(asks, 0o755);
	const hostile = [
		"omit[]=optional",
		"omit[]=prod",
		"os=win32",
		"cpu=s390x",
		"global=true",
		"workspaces=true",
	];
	const more = ["package-lock-only=true", "dry-run=true", "ignore-scripts=false", "install-strategy=linked"];
	home.write(join(home.home, ".npmrc"), [...hostile, ...more, ""].join("\n"));
	const env = { ...home.env, PATH: [bin, home.env["PATH"]].join(delimiter) };
	await expect(installPart("semantic", { agentDirectory: home.agentDirectory, env })).rejects.toThrow();
	expect(JSON.parse(readFileSync(seen, "utf8"))).toMatchObject({
		include: ["prod", "optional"],
		os: process.platform,
		cpu: process.arch,
		global: false,
		workspaces: false,
		"package-lock-only": false,
		"dry-run": false,
		"ignore-scripts": true,
		"install-strategy": "hoisted",
	});
});
