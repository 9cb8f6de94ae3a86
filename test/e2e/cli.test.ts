import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLI, runCli, runProgram } from "../helpers/run-cli.ts";
import {
	finalize,
	modelsFile,
	SCRIPTED_MODEL,
	type ScriptedProvider,
	startScriptedProvider,
} from "../helpers/scripted-provider.ts";
import { createTestHome, listRunDirectories, type TestHome } from "../helpers/test-home.ts";

const FILES = {
	"src/middleware/authentication.ts":
		"/** Registers the session middleware. */\nexport function registerSessionMiddleware() {}\n",
	"src/server.ts":
		'import { registerSessionMiddleware } from "./middleware/authentication.ts";\nregisterSessionMiddleware();\n',
	"README.md": "# A server\n",
};

let home: TestHome;
let provider: ScriptedProvider | undefined;
beforeEach(() => {
	home = createTestHome(FILES);
});
afterEach(async () => {
	await provider?.close();
	provider = undefined;
	home.remove();
});

const cli = (args: readonly string[], more: { input?: string; env?: Record<string, string> } = {}) =>
	runCli(args, {
		cwd: home.project,
		env: { ...home.env, ...more.env },
		...(more.input === undefined ? {} : { input: more.input }),
	});

/** Whatever a run leaves: everything in the home directory, and directories of runs. */
const listWritten = (): string[] =>
	readdirSync(home.home, { recursive: true })
		.map(String)
		.filter((name) => name !== ".pi" && name !== ".pi/agent")
		.sort();

/** What is printed and how does not depend on the child: one without pi starts in a third of the time. */
const QUICKLY = ["--offline", "--runtime", "loop"];

describe("deputize run", () => {
	it("answers on a machine without credentials, with evidence, and says that no model was used", async () => {
		const { code, stdout, stderr } = await cli([
			"run",
			"explorer",
			"Where is registerSessionMiddleware defined?",
		]);
		expect(stderr).toContain("No model credentials were found");
		expect(stderr).toMatch(/✓ explorer · .*session [0-9a-f-]{36}/);
		expect(stdout.split("\n")[1]).toContain("src/middleware/authentication.ts:2");
		expect(stdout).toContain("no language model");
		expect(code).toBe(0);
	});

	it("prints the whole result with --json", async () => {
		const { code, stdout } = await cli([
			"run",
			"explorer",
			"--json",
			"--offline",
			"registerSessionMiddleware",
		]);
		const result = JSON.parse(stdout) as Record<string, unknown>;
		expect(code).toBe(0);
		expect(Object.keys(result)).toEqual(["content", "details", "usage", "isError"]);
		expect(result["isError"]).toBe(false);
		expect(result["details"]).toMatchObject({
			mode: "single",
			results: [{ agent: "explorer", exitCode: 0, agentSource: "builtin" }],
		});
	});

	it("prints the answer once with --json=slim", async () => {
		const { stdout } = await cli([
			"run",
			"explorer",
			"--json=slim",
			...QUICKLY,
			"Where is registerSessionMiddleware defined?",
		]);
		const result = JSON.parse(stdout) as Record<string, unknown>;
		expect(result).toMatchObject({ status: "SUCCESS", agent: "explorer", model: "offline/navigator" });
		expect(result["sessionId"]).toMatch(/^[0-9a-f-]{36}$/);
		expect(result["output"]).toContain("src/middleware/authentication.ts");
		expect(Object.keys(result)).toEqual(["status", "agent", "output", "sessionId", "model", "usage"]);
	});

	it("sends the task and what is piped in together", async () => {
		provider = await startScriptedProvider([finalize("Risky."), finalize("Secure.")]);
		home.write(join(home.agentDirectory, "models.json"), modelsFile(provider));
		const diff = "diff --git a/x b/x\n+ eval(input)\n";
		const options = ["--model", SCRIPTED_MODEL, "--quiet"];
		const first = await cli(["run", "reviewer", "What are the risks?", ...options], { input: diff });
		expect(first.stdout).toBe("Risky.\n");
		expect(provider.requests()[0]).toContain("What are the risks?");
		expect(provider.requests()[0]).toContain("<stdin>\\ndiff --git a/x b/x\\n+ eval(input)\\n</stdin>");
		await cli(["run", "reviewer", "-", "focus on security", ...options], { input: diff });
		expect(provider.requests()[1]).toContain("focus on security");
		expect(provider.requests()[1]).toContain("+ eval(input)");
	});

	it("prints updates and the result as lines with --stream", async () => {
		const { stdout } = await cli(["run", "explorer", "--stream", ...QUICKLY, "registerSessionMiddleware"]);
		const lines = stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line) as { type: string; details: { streaming?: unknown } });
		expect(lines.at(-1)?.type).toBe("result");
		expect(lines.at(-1)?.details.streaming).toBeUndefined();
		expect(lines.slice(0, -1).length).toBeGreaterThan(0);
		expect(
			lines.slice(0, -1).every((line) => line.type === "update" && line.details.streaming !== undefined),
		).toBe(true);
	});

	it("takes the task from stdin and continues a session", async () => {
		const first = await cli(["run", "explorer", "--json", ...QUICKLY, "-"], {
			input: "registerSessionMiddleware",
		});
		const { sessionId } = (JSON.parse(first.stdout) as { details: { sessionId: string } }).details;
		const second = await cli([
			"run",
			"explorer",
			...QUICKLY,
			"--json",
			"--session",
			sessionId,
			"And who calls it?",
		]);
		expect(second.code).toBe(0);
		expect((JSON.parse(second.stdout) as { details: { sessionId: string } }).details.sessionId).toBe(
			sessionId,
		);
	});

	it("shows the plan with --dry-run and writes nothing but what it found out about the machine", async () => {
		const { code, stdout } = await cli(["run", "explorer", "--dry-run", "--offline", "x"], {
			env: { ANTHROPIC_API_KEY: "value-that-nobody-may-see" },
		});
		const plan = JSON.parse(stdout) as Record<string, unknown>;
		expect(stdout).not.toContain("value-that-nobody-may-see");
		// The navigator has no provider, so its child gets no key.
		expect(plan["environmentNames"]).not.toContain("ANTHROPIC_API_KEY");
		expect(code).toBe(0);
		expect(plan).toMatchObject({
			tools: ["read", "grep", "find", "ls", "search_code", "lsp"],
			model: "offline/navigator",
			stdin: "x",
		});
		expect(plan["environmentNames"]).toContain("PI_SUBAGENT_CHILD");
		expect(JSON.stringify(plan["args"])).toContain("read,grep,find,ls,search_code,lsp,subagent_finalize");
		expect(plan["systemPrompt"]).toContain("subagent_finalize");
		const caches = ["", "/code-cache", "/sandbox-probe.json", "/code-index"];
		const written = listWritten().filter((path) => !/\/code-(?:index|cache)\//.test(path));
		expect(caches.map((name) => `.pi/agent/deputize${name}`)).toEqual(expect.arrayContaining(written));
	});

	it.each([
		[
			"an unknown agent",
			["run", "nobody", "x"],
			2,
			"Unknown agent: nobody. Available agents: explorer, implementer",
		],
		["a path as agent", ["run", "../x", "y"], 2, '"../x" cannot be the name of an agent'],
		["an empty task", ["run", "explorer", " "], 2, "task is empty"],
		[
			"a session that is no UUID",
			["run", "explorer", "x", "--session", "7"],
			2,
			'--session takes the id that an earlier result of this agent gave, a UUID, not "7"',
		],
		[
			"an unknown session",
			["run", "explorer", "x", "--session", "550e8400-e29b-41d4-a716-446655440000"],
			2,
			"There is no session 550e8400",
		],
		[
			"a directory that does not exist",
			["run", "explorer", "x", "--cwd", "/no/such/dir"],
			2,
			'--cwd: the directory "/no/such/dir" does not exist.',
		],
		[
			"a directory of agents that does not exist",
			["run", "explorer", "x", "--agents-dir", "/typo"],
			2,
			'--agents-dir: the directory "/typo" does not exist.',
		],
		[
			"a report about a directory that does not exist",
			["agents", "--cwd", "/no/such/dir"],
			2,
			'deputize agents: --cwd: the directory "/no/such/dir" does not exist.',
		],
		[
			"a word after agents that means nothing",
			["agents", "approve", "explorer"],
			2,
			'"approve" is not known here. Words: trust, untrust, new, set.',
		],
		["trust without a name", ["agents", "trust"], 2, "Name one agent. Try: deputize agents trust <name>"],
		[
			"a report about a file as directory of agents",
			["doctor", "--agents-dir", "README.md"],
			2,
			'--agents-dir: the directory "README.md" is a file.',
		],
		[
			"a time no timer can wait for",
			["run", "explorer", "x", "--runtime", "loop", "--timeout-ms", "100000000000"],
			2,
			'--timeout-ms takes a whole number of milliseconds from 1 to 2147483647, not "100000000000"',
		],
		["an unknown option", ["run", "explorer", "x", "--frob"], 2, "--frob"],
		["an unknown command", ["delegate"], 2, 'no command "delegate"'],
	])("refuses %s with a clear error and leaves nothing", async (_case, args, expected, message) => {
		const { code, stderr } = await cli(args);
		expect(stderr).toContain(message);
		expect(code).toBe(expected);
		expect(listWritten().filter((name) => name.includes("subagent-sessions/"))).toEqual([]);
	});

	it("does not read a task on stdin that is too large, and says so", async () => {
		const { code, stderr } = await cli(["run", "explorer", "--offline", "-"], {
			input: "x".repeat(17 * 1024 * 1024),
		});
		expect(stderr).toBe(
			"deputize: The input on stdin is larger than 16777216 bytes. Pipe in less, or name files for the agent to read.\n",
		);
		expect(code).toBe(2);
	});

	it("shows no secret and no terminal sequence of a name that was typed", async () => {
		const secret = ["ghp", "R4nd0mR4nd0mR4nd0mR4nd0mR4nd0mR4nd12"].join("_");
		for (const name of [`${secret}`, `\x1b[31m${secret}`]) {
			const { code, stderr } = await cli(["run", name, "x"]);
			expect(stderr).toContain("✗ [REDACTED]: ");
			expect(stderr).not.toContain(secret);
			expect(stderr).not.toContain("\x1b");
			expect(code).toBe(2);
		}
	});

	it("is not spoiled by a reader that has seen enough of its progress", async () => {
		const script = `"$0" "$1" run explorer ${QUICKLY.join(" ")} registerSessionMiddleware 2>&1 | head -1; echo "\${PIPESTATUS[0]}"`;
		const { stdout } = await promisify(execFile)("bash", ["-c", script, process.execPath, CLI], {
			cwd: home.project,
			env: home.env,
		});
		expect(stdout).toMatch(/^.+\n0\n$/);
	});

	it.each([
		[
			"a wrong type",
			'{"subagents":{"timeoutMs":"soon"}}',
			'subagents.timeoutMs must be a whole number of at least 1, not "soon"',
		],
		["no JSON", "{", "is not valid JSON"],
	])("refuses a configuration with %s", async (_case, text, message) => {
		home.write(join(home.agentDirectory, "deputize.json"), text);
		const { code, stderr } = await cli(["run", "explorer", "x"]);
		expect(stderr).toContain(message);
		expect(code).toBe(2);
	});

	it("names an unknown tool of an agent before anything starts", async () => {
		home.write("mine/odd.md", "---\nname: odd\ntools: read, reed\n---\nOdd.\n");
		const { code, stderr } = await cli(["run", "odd", "x", "--agents-dir", "mine"]);
		expect(stderr).toContain('unknown tool "reed"');
		expect(code).toBe(2);
	});

	it("does not run a project's agent without a person's word", async () => {
		home.write(".pi/agents/explorer.md", "---\nname: explorer\n---\nEvil.\n");
		const refused = await cli(["run", "explorer", "--offline", "x"]);
		expect(refused.code).toBe(1);
		expect(refused.stderr).toContain("comes from this project");
		expect(refused.stderr).toContain("--builtin runs that one instead");
		const builtin = await cli(["run", "explorer", "--builtin", "--offline", "--dry-run", "x"]);
		expect(JSON.parse(builtin.stdout)).toMatchObject({ agent: { source: "builtin" } });
		expect((await cli(["agents", "trust", "explorer"])).stdout).toContain("| Evil.");
		const approved = await cli(["run", "explorer", "--offline", "--dry-run", "x"]);
		expect(JSON.parse(approved.stdout)).toMatchObject({ agent: { source: "project" } });
		expect((await cli(["agents", "untrust", "explorer", "--json"])).stdout).toContain('"wasApproved": true');
		home.write(join(home.agentDirectory, "trust.json"), JSON.stringify({ [home.project]: true }));
		expect((await cli(["run", "explorer", "--offline", "registerSessionMiddleware"])).code).toBe(0);
	});

	it("asks on a terminal before it runs a project's agent, and remembers the yes", async () => {
		home.write(".pi/agents/explorer.md", "---\nname: explorer\n---\nEvil.\n");
		const onTerminal = (input: string) => {
			const line = [process.execPath, CLI, "run", "explorer", "--offline", "registerSessionMiddleware"]
				.map((word) => `'${word}'`)
				.join(" ");
			return runProgram("script", ["-qec", line, "/dev/null"], { cwd: home.project, env: home.env, input });
		};
		const refused = await onTerminal("n\n");
		expect(refused.stdout).toMatch(/Run the agent "explorer"[\s\S]*\| Evil\.[\s\S]*it was not approved/);
		expect(refused.code).toBe(1);
		expect(await onTerminal("y\n")).toMatchObject({ code: 0, stdout: expect.stringContaining("[y/N]") });
		expect((await cli(["run", "explorer", "--offline", "--dry-run", "x"])).code).toBe(0);
	});

	it("runs in a home directory that cannot be written to, without a session, and says so", async () => {
		// Root may write everywhere, but not even root makes a directory below a file.
		const file = home.write("a-file-as-home", "");
		const { code, stdout, stderr } = await cli(
			["run", "explorer", "--runtime", "pi", "--offline", "Where is registerSessionMiddleware?"],
			{ env: { HOME: file } },
		);
		expect(stderr).toContain("this run keeps no session and cannot be continued");
		expect(stdout).toContain("src/middleware/authentication.ts:2");
		expect(code).toBe(0);
	});

	it("refuses to delegate from inside a child", async () => {
		const { code, stdout } = await cli(["run", "explorer", "--json", "x"], {
			env: { PI_SUBAGENT_CHILD: "1" },
		});
		expect(code).toBe(1);
		expect(JSON.parse(stdout)).toMatchObject({
			details: { mode: "management", results: [], error: { code: "SUBAGENT_DEPTH_EXCEEDED" } },
		});
	});

	it("says that delegation is off when it is", async () => {
		home.write(join(home.agentDirectory, "deputize.json"), '{"subagents":{"enabled":false}}');
		const { stdout } = await cli(["run", "explorer", "--json", "x"]);
		expect(JSON.parse(stdout)).toMatchObject({
			details: { mode: "management", error: { code: "SUBAGENTS_DISABLED" } },
		});
	});

	it("stops the child on Ctrl-C, says so, exits 130 and leaves nothing", async () => {
		provider = await startScriptedProvider([
			{ text: "thinking about it", calls: [{ name: "ls", args: {} }] },
			{ ...finalize("late"), latencyMs: 60_000 },
		]);
		home.write(join(home.agentDirectory, "models.json"), modelsFile(provider));
		const { code, stderr } = await runCli(["run", "explorer", "--model", SCRIPTED_MODEL, "x"], {
			cwd: home.project,
			env: home.env,
			onStart(child) {
				child.stderr?.on("data", (chunk: Buffer) => {
					if (chunk.toString().includes("explorer: ls")) child.kill("SIGINT");
				});
			},
		});
		expect(stderr).toContain("Interrupted: stopping the child");
		expect(code).toBe(130);
		expect(listRunDirectories(home.agentDirectory)).toEqual([]);
		const sessions = readdirSync(join(home.home, ".pi/subagent-sessions"), { recursive: true }).map(String);
		expect(sessions.filter((name) => name.endsWith(".lock"))).toEqual([]);
	});
});

describe("deputize exec", () => {
	it("is refused inside a child, in its own way of failing", async () => {
		const input = JSON.stringify({
			model: "navigator",
			provider: "offline",
			prompt: "x",
			tool_subset: ["bash_find", "bash_ripgrep"],
		});
		const inside = await cli(["exec"], { input, env: { PI_SUBAGENT_CHILD: "1", PI_SUBAGENT_DEPTH: "1" } });
		expect(inside.code).toBe(1);
		expect(inside.stdout).toContain("response_end");
		expect(JSON.parse(inside.stderr.trim().split("\n").at(-1) ?? "{}")).toMatchObject({
			code: "depth_exceeded",
		});
		expect((await cli(["exec"], { input })).stderr).not.toContain("depth_exceeded");
	});
});

describe("deputize reports", () => {
	it("lists agents with source, tools, file, and what was skipped", async () => {
		home.write(".agents/broken.md", "no frontmatter");
		const { code, stdout } = await cli(["agents", "--json"]);
		const listed = JSON.parse(stdout) as {
			agents: { name: string; source: string; tools: string[]; file: string; mode: string }[];
			skipped: { file: string; reason: string }[];
		};
		expect(code).toBe(0);
		expect(listed.agents.map(({ name }) => name)).toEqual([
			"explorer",
			"fixer",
			"implementer",
			"researcher",
			"reviewer",
			"tester",
		]);
		const notReadonly = listed.agents.filter(({ mode }) => mode !== "readonly");
		expect(notReadonly).toMatchObject([{ name: "fixer", mode: "in a layer" }]);
		expect(listed.agents.every(({ file }) => existsSync(file))).toBe(true);
		expect(listed.skipped[0]).toMatchObject({
			file: join(home.project, ".agents/broken.md"),
			reason: expect.stringContaining("first line"),
		});
		expect((await cli(["agents"])).stdout).toContain("Skipped files");
	});

	it("checks for real: pi, configuration, sandbox, ripgrep", async () => {
		home.write(join(home.agentDirectory, "deputize.json"), '{"subagents":{"timeoutMs":"x","maxDepth":3}}');
		const { code, stdout } = await cli(["doctor"]);
		expect(code).toBe(0);
		expect(stdout).toMatch(/✓ pi 0\.87\.1/);
		expect(stdout).toContain("subagents.timeoutMs must be");
		expect(stdout).toMatch(/✓ ripgrep at/);
		expect(stdout).toContain("bwrap");
	});

	it("records delegations and shows them, without secrets", async () => {
		const secret = ["ghp", "R4nd0mR4nd0mR4nd0mR4nd0mR4nd0mR4nd12"].join("_");
		await cli(["run", "explorer", "--offline", `registerSessionMiddleware ${secret}`]);
		await cli(["run", "nobody", "x"]);
		const { records } = JSON.parse((await cli(["logs", "--subagent", "--json"])).stdout) as {
			records: Record<string, unknown>[];
		};
		expect(records).toMatchObject([
			{ kind: "subagent", name: "nobody", ok: false, code: "UNKNOWN_AGENT" },
			{
				kind: "subagent",
				name: "explorer",
				ok: true,
				source: "builtin",
				tools: ["read", "grep", "find", "ls", "search_code", "lsp"],
			},
		]);
		expect(readFileSync(join(home.agentDirectory, "deputize/journal.jsonl"), "utf8")).not.toContain(secret);
		expect((await cli(["logs", "--subagent", "--limit", "1"])).stdout).toContain("nobody");
		expect((await cli(["logs", "--limit", "x"])).code).toBe(2);
		expect(JSON.parse((await cli(["activity", "--json"])).stdout)).toMatchObject({
			agents: [{ name: "explorer", runs: 1, succeeded: 1 }],
			refused: { UNKNOWN_AGENT: 1 },
		});
		const elsewhere = await cli(["activity", "--json", "--project", home.home, "--model", "no-such"]);
		expect(JSON.parse(elsewhere.stdout)).toMatchObject({ agents: [], records: 0 });
		const runId = String(records[1]?.["runId"]);
		const shown = (await cli(["show", runId.slice(0, 6)])).stdout;
		expect(shown).toMatch(/^explorer: done · [\s\S]*What it did\n[\s\S]*✓ \w+ \{[\s\S]*Turns\n/);
		expect(shown).toContain(`deputize run explorer --session ${records[1]?.["sessionId"]}`);
		const followed = (await cli(["watch", runId])).stdout;
		expect(followed).toMatch(/^● explorer: registerSessionMiddleware[\s\S]*\n▸ [\s\S]*\n✓ done · /);
		const steps = (await cli(["watch", runId, "--json"])).stdout.trim().split("\n");
		expect(steps.map((line) => (JSON.parse(line) as { type: string }).type)).toContain("end");
		expect(JSON.parse((await cli(["watch", "--json"])).stdout)).toContainEqual(
			expect.objectContaining({ runId }),
		);
		const list = (await cli(["watch"])).stdout;
		expect(list).toMatch(new RegExp(`^0 at work\n\n✓ ${runId} explorer: done`));
		for (const text of [shown, followed, list]) expect(text).not.toContain(secret);
		expect(await cli(["show", "nothing"])).toMatchObject({ code: 2, stdout: "" });
	});

	it("writes the file of a new agent, and says what is missing where nobody can be asked", async () => {
		const missing = await cli(["agents", "new", "api-reviewer"]);
		expect(missing).toMatchObject({
			code: 2,
			stderr: "deputize agents new: Missing --description <text>.\n",
		});
		const made = await cli(["agents", "new", "api-reviewer", "--description", "Review API: changes"]);
		expect(made.stdout).toContain(join(home.agentDirectory, "agents", "api-reviewer.md"));
		expect((await cli(["agents"])).stdout).toMatch(/✓ api-reviewer \(readonly\): Review API: changes/);
	});

	it.each(["agents", "doctor", "logs", "activity", "run"])("has help: %s --help", async (command) => {
		for (const option of ["--help", "-h"]) {
			const { code, stdout, stderr } = await cli([command, option]);
			expect(stdout).toContain(`  deputize ${command} `);
			expect(stderr).toBe("");
			expect(code).toBe(0);
		}
	});

	it("teaches by example", async () => {
		const { code, stdout } = await cli(["--help"]);
		expect(code).toBe(0);
		expect(stdout).toContain('deputize run explorer "');
		expect((await cli(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
		expect((await cli(["help", "batch"])).stdout).toContain("--retry-failed");
	});

	it("knows what was meant, and takes an agent's name as a command", async () => {
		expect((await cli(["btach"])).stderr).toBe(
			'deputize: there is no command "btach". Did you mean batch?\n',
		);
		expect((await cli(["run", "explorr", "x"])).stderr).toContain("Did you mean explorer?");
		const { code, stdout } = await cli(["explorer", "registerSessionMiddleware", "--offline", "--dry-run"]);
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({ agent: { name: "explorer" } });
	});
});
