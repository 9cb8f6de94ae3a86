import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { RUNTIME_NAMES, type RuntimeName } from "../../src/contract/agent.ts";
import { findExecutable } from "../../src/process/find-executable.ts";
import { isProgram } from "../../src/runtimes/can-use-model.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { pictureProject } from "../helpers/picture-project.ts";
import { CLI, runCli } from "../helpers/run-cli.ts";
import { RUNTIME_ROWS } from "../helpers/runtime-rows.ts";
import {
	finalize,
	type ScriptedProvider,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/scripted-provider.ts";
import { createTestHome, listRunDirectories, type TestHome } from "../helpers/test-home.ts";

const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");

const probe = await probeSandbox({ env: process.env });
let home: TestHome;
let provider: ScriptedProvider | undefined;
let server: Server | undefined;

afterEach(async () => {
	await provider?.close();
	server?.close();
	const left = listRunDirectories(home.agentDirectory);
	home.remove();
	expect(left).toEqual([]);
});

const git = (...args: readonly string[]): string =>
	execFileSync("git", args, {
		cwd: home.project,
		encoding: "utf8",
		env: { ...home.env, GIT_CONFIG_NOSYSTEM: "1" },
	});

const picture = (): string => pictureProject(home.project);

const isOurs = (name: string): boolean => ["bash", "edit", "write"].includes(name);

async function work(
	runtime: RuntimeName,
	turns: readonly ScriptedTurn[],
	subagents: object = { writers: ["fixer"] },
) {
	home = createTestHome({
		"src/add.js": "exports.add = (a, b) => a - b;\n",
		"test.js": 'if (require("./src/add.js").add(1, 2) !== 3) process.exit(1);\n',
		"dirty.txt": "committed\n",
		".gitignore": "cache/\n",
	});
	git("init", "-q");
	git("add", "-A");
	git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "first");
	home.write("dirty.txt", "not committed\n");
	home.write("untracked.txt", "not in Git\n");
	home.write(
		join(home.agentDirectory, "deputize.json"),
		JSON.stringify({ subagents: { keepWarm: 0, ...subagents } }),
	);
	const row = RUNTIME_ROWS[runtime];
	provider = await startScriptedProvider(
		turns.map(({ calls, ...turn }) => ({
			...turn,
			...(calls
				? { calls: calls.map((call) => (isOurs(call.name) ? row.callOurs(call.name, call.args) : call)) }
				: {}),
		})),
		row.api,
	);
	const options = row.configure(home, provider);
	const before = picture();
	const result = await delegate({ agent: "fixer", task: "Make add add" }, options);
	return { result, before, options };
}

const lastAnswer = (): string => provider?.requests().at(-1) ?? "";

describe.skipIf(!probe.works).each(RUNTIME_NAMES)("a writer (%s)", (runtime) => {
	const finalize = (result: string): ScriptedTurn =>
		RUNTIME_ROWS[runtime].handOver({ status: "SUCCESS", result });

	it("changes files in a layer, runs the tests there, and leaves the project byte for byte as it was", async () => {
		const { result, before } = await work(runtime, [
			{ calls: [{ name: "bash", args: { command: "node test.js" } }] },
			{
				calls: [
					{ name: "edit", args: { path: "src/add.js", edits: [{ oldText: "a - b", newText: "a + b" }] } },
					{ name: "write", args: { path: "notes/new.md", content: "# Why\n" } },
				],
			},
			{
				calls: [
					{
						name: "bash",
						args: {
							command:
								"node test.js && cat dirty.txt untracked.txt && mkdir cache && touch cache/x && git status --short > /dev/null && head -c 1 /dev/urandom | wc -c",
						},
					},
				],
			},
			finalize("add adds."),
		]);
		expect(lastAnswer()).toContain("not committed\\nnot in Git\\n1");
		expect(result.details.error).toBeUndefined();
		expect(result.details.results[0]?.confinement).toBe("os-sandbox");
		expect(result.details.changes).toMatchObject({
			isolation: "layer",
			state: "pending",
			files: [
				{ path: "notes/new.md", status: "added", added: 1, removed: 0 },
				{ path: "src/add.js", status: "modified", added: 1, removed: 1 },
			],
			...{ added: 2, removed: 1, refusedCalls: 0 },
			ignored: { count: 1, names: ["cache/x"] },
			commands: [{ command: "node test.js", exitCode: 1 }, { exitCode: 0 }],
		});
		const { text } = result.content[0];
		expect(text).toContain("2 files +2 −1, not applied yet");
		expect(text).toContain("src/add.js +1 −1");
		expect(picture()).toBe(before);
	});

	it("that is hostile changes not a byte outside of the layer, reaches no server and no closed file", async () => {
		let hits = 0;
		server = createServer((_request, response) => {
			hits += 1;
			response.end("reached");
		});
		await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
		const { port } = server.address() as AddressInfo;
		const { result, before } = await work(runtime, [
			{
				calls: [
					{
						name: "bash",
						args: {
							command: `rm -rf ./* .git; git init -q; echo x > "$HOME/.bashrc"; echo x > /etc/x; cat "$HOME/.pi/agent/models.json" "$HOME/.pi/agent/auth.json"; env; exec 3<>/dev/tcp/127.0.0.1/${port} && echo "GET /" >&3 && cat <&3; echo e""nd`,
						},
					},
				],
			},
			{
				calls: [
					{ name: "write", args: { path: "../home/.bashrc", content: "x" } },
					{ name: "write", args: { path: "~/.ssh/authorized_keys", content: "x" } },
				],
			},
			{
				calls: [
					{
						name: "bash",
						args: {
							command:
								"for p in /proc/[0-9]*; do cat $p/environ; done | tr '\\0' '\\n' | grep -a KEY; ls -A ~/.pi/agent; sleep 300 & echo left",
						},
					},
				],
			},
			// The tools that a program brings itself.
			...(isProgram(runtime)
				? [{ calls: RUNTIME_ROWS[runtime].write({ project: "/etc" } as TestHome, "x") }]
				: []),
			finalize("Cleaned up."),
		]);
		expect(result.details.error).toBeUndefined();
		const seen = (provider?.requests() ?? []).join("\n");
		expect(seen).toContain("end");
		expect(seen).not.toContain("reached");
		expect(seen).not.toContain("scripted-key-not-secret");
		expect(hits).toBe(0);
		expect(existsSync(join(home.home, ".bashrc"))).toBe(false);
		expect(existsSync(join(home.home, ".ssh"))).toBe(false);
		expect(existsSync("/etc/x")).toBe(false);
		expect(picture()).toBe(before);
		expect(result.details.changes?.files.every(({ status }) => status === "deleted")).toBe(true);
		expect(result.details.changes).toMatchObject({ refusedCalls: 2, repositories: { names: [".git/"] } });
		expect(result.content[0].text).toContain("2 calls of tools that change something were refused.");
		expect(result.content[0].text).toContain("and never applied: .git/");
	});

	it("goes on in its layer, and is applied by the command", async () => {
		const { result, options } = await work(runtime, [
			{ calls: [{ name: "write", args: { path: "one.txt", content: "1\n" } }] },
			finalize("One."),
			{ calls: [{ name: "bash", args: { command: "cat one.txt && echo 2 > two.txt" } }] },
			finalize("Two."),
		]);
		const sessionId = result.details.sessionId ?? "";
		const again = await delegate({ agent: "fixer", task: "Go on", sessionId }, options);
		expect(again.details.error).toBeUndefined();
		const { id = "", files = [], patch = "", commands } = again.details.changes ?? {};
		expect(commands?.map(({ exitCode }) => exitCode)).toEqual([0]);
		expect([id, files.map(({ path }) => path)]).toEqual([result.details.changes?.id, ["one.txt", "two.txt"]]);
		expect(patch).toContain("+2\n");
		expect(existsSync(join(home.project, "one.txt"))).toBe(false);
		const applied = await runCli(["changes", "apply", id], { cwd: home.project, env: home.env });
		expect(applied).toMatchObject({ code: 0 });
		expect(readFileSync(join(home.project, "two.txt"), "utf8")).toBe("2\n");
		expect(readFileSync(join(home.project, "dirty.txt"), "utf8")).toBe("not committed\n");
		const dropped = await runCli(["changes", "drop", id], { cwd: home.project, env: home.env });
		expect(dropped.stdout).toContain("What was applied (2 files) stays in");
		expect(dropped.stdout).toContain("can no longer undo it");
	});
});

/** What does not depend on the program of the child. */
describe.skipIf(!probe.works)("a writer", () => {
	const runtime = "loop";

	it("is applied at once where the user wants that", async () => {
		const change = { path: "src/add.js", edits: [{ oldText: "a - b", newText: "a + b" }] };
		const { result } = await work(runtime, [{ calls: [{ name: "edit", args: change }] }, finalize("Done.")], {
			writers: ["fixer"],
			applyChanges: "auto",
		});
		expect(result.details.changes).toMatchObject({ state: "applied", files: [{ isApplied: true }] });
		expect(result.content[0].text).toContain("applied to the project");
		expect(readFileSync(join(home.project, "src/add.js"), "utf8")).toContain("a + b");
	});

	it("that claims a change and made none is marked, and leaves no layer", async () => {
		const { result } = await work(runtime, [finalize("I changed src/add.js.")]);
		expect(result.content[0].text).toContain("No file was changed, whatever the answer says.");
		expect(result.details.changes).toMatchObject({ state: "none", files: [], commands: [] });
		expect(result.details.changes?.id).toBeUndefined();
	});

	it("keeps what it changed until its run failed", async () => {
		const { result, before } = await work(runtime, [
			{ calls: [{ name: "write", args: { path: "half.txt", content: "half\n" } }] },
			{ error: { status: 400, message: "no more" } },
		]);
		expect(result.isError).toBe(true);
		expect(result.details.changes).toMatchObject({ state: "pending", files: [{ path: "half.txt" }] });
		expect(result.content[0].text).toContain("1 file +1 −0, not applied yet");
		expect(picture()).toBe(before);
	});

	it("is off until the user lists it by its name", async () => {
		const { result } = await work(runtime, [], { writers: ["fixr"] });
		expect(result.details.error?.message).toContain('It lists "fixr".');
		expect(result.details.error?.code).toBe("SUBAGENT_DISABLED");
		expect(result.details.error?.message).toContain("off until you list it");
		expect(provider?.asked()).toBe(0);
		expect(readFileSync(join(home.project, "dirty.txt"), "utf8")).toBe("not committed\n");
		writeFileSync(join(home.project, "dirty.txt"), "");
	});
});

// util-linux has it.
const hasScript = findExecutable("script", process.env) !== undefined;

describe.skipIf(!probe.works || !hasScript)("at a terminal", () => {
	it("the answer is there before the question what becomes of the changes", async () => {
		const change = { name: "write", args: { path: "new.txt", content: "x\n" } };
		const turns = [{ calls: [change] }, finalize("First.")];
		const all = [...turns, { calls: [change] }, finalize("It is in new.txt now.")];
		const { env = {}, model } = (await work("loop", all)).options;
		const command = `"${process.execPath}" "${CLI}" run fixer "Make one" --runtime loop --model ${model}`;
		const screen = await new Promise<string>((resolve) => {
			const child = spawn("script", ["-qec", command, "/dev/null"], {
				cwd: home.project,
				env: { ...env, TERM: "dumb", SHELL: "/bin/sh" },
			});
			let seen = "";
			child.stdout.on("data", (chunk: Buffer) => {
				const wasAsked = seen.includes("[K]eep? ");
				seen += chunk.toString("utf8");
				if (!wasAsked && seen.includes("[K]eep? ")) child.stdin.write("k\n");
			});
			child.once("close", () => resolve(seen));
		});
		expect(screen.split("It is in new.txt now.")).toHaveLength(2);
		expect(screen.indexOf("It is in new.txt now.")).toBeLessThan(screen.indexOf("[K]eep?"));
		expect(screen.indexOf("[K]eep?")).toBeLessThan(screen.indexOf("✓ fixer"));
	});
});
