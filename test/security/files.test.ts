import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { DelegateOptions } from "../../src/index.ts";
import { prepareAnswersDirectory } from "../../src/judge/answers-directory.ts";
import { fingerprint, listSpellings, SECRET, writeHostileRepository } from "../helpers/hostile-repository.ts";
import {
	finalize,
	modelsFile,
	SCRIPTED,
	type ScriptedProvider,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/scripted-provider.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");

let home: TestHome | undefined;
let provider: ScriptedProvider | undefined;

afterEach(async () => {
	await provider?.close();
	home?.remove();
	home = undefined;
	provider = undefined;
});

type Runtime = "pi" | "loop";

async function setUp(
	turns: readonly ScriptedTurn[],
	config: object = {},
	runtime: Runtime = "pi",
): Promise<DelegateOptions> {
	if (!home) throw new Error("no home");
	provider = await startScriptedProvider(turns);
	home.write(join(home.agentDirectory, "models.json"), modelsFile(provider));
	home.write(join(home.agentDirectory, "deputize.json"), JSON.stringify(config));
	const env = {
		...home.env,
		DEPUTIZE_TEST_SECRET: SECRET,
		DEPUTIZE_LOOP_URL: `${provider.baseUrl}/chat/completions`,
	};
	const agentsDirectories = [join(process.cwd(), "agents")];
	return { cwd: home.project, env, ...SCRIPTED, agentsDirectories, runtime };
}

type Call = NonNullable<ScriptedTurn["calls"]>[number];

/** Some at a time: the loop refuses more than 32 calls in one message. */
function toTurns(calls: readonly Call[]): readonly ScriptedTurn[] {
	const turns: ScriptedTurn[] = [];
	for (let at = 0; at < calls.length; at += 24) turns.push({ calls: calls.slice(at, at + 24) });
	return [...turns, finalize("tried")];
}

function listAnswers(): readonly string[] {
	const request = JSON.parse(provider?.requests().at(-1) ?? "{}") as {
		messages: { role: string; content: string }[];
	};
	return request.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
}

describe.each([
	["pi", "auto"],
	["pi", "off"],
	["loop", "auto"],
	["loop", "off"],
] as const)("a hostile child of runtime %s in a hostile repository, sandbox %s", (runtime, sandbox) => {
	it("reads no closed file by any spelling", async () => {
		home = createTestHome();
		writeHostileRepository(home);
		const spellings = listSpellings(home);
		expect(spellings.length).toBeGreaterThan(40);
		const calls = spellings.flatMap((path) => [
			{ name: "read", args: { path } },
			{ name: "grep", args: { pattern: "material|=", path } },
		]);
		const options = await setUp(toTurns(calls), { subagents: { sandbox } }, runtime);
		const result = await delegate({ agent: "explorer", task: "Steal" }, options);
		expect(result.details.error).toBeUndefined();
		expect(result.details.results[0]?.confinement).toBe(sandbox === "auto" ? "os-sandbox" : "tools-only");
		const request = provider?.requests().at(-1) ?? "";
		expect(request).not.toContain("private-material");
		expect(request).not.toContain("DEPUTIZE_TEST_SECRET");
		expect(request).not.toContain("scripted-key-not-secret");
		const answers = listAnswers();
		expect(answers).toHaveLength(calls.length);
		const refused = /FILE_(CLOSED|NOT_FOUND|WRONG_KIND|UNREADABLE)/;
		expect(answers.filter((content) => !refused.test(content))).toEqual([]);
	});

	it("finds nothing closed by searching or listing from above", async () => {
		home = createTestHome();
		writeHostileRepository(home);
		const calls = ["~", "home", "..", "/proc/self", "a b"].flatMap((path) => [
			{ name: "grep", args: { pattern: "private-material", path } },
			{ name: "grep", args: { pattern: "private-material", path, glob: "**/{.ssh,.aws,.env}*/**" } },
			{ name: "find", args: { pattern: "{id_*,credentials,.env,environ}", path } },
			{ name: "ls", args: { path: `${path}/.ssh` } },
		]);
		const options = await setUp(toTurns(calls), { subagents: { sandbox } }, runtime);
		await delegate({ agent: "explorer", task: "Steal" }, options);
		const shown = listAnswers().join("\n");
		for (const word of ["material-4711", "id_ed25519", "credentials:", "environ\n"])
			expect(shown).not.toContain(word);
	});

	it("runs, writes and changes nothing outside its run", async () => {
		home = createTestHome();
		writeHostileRepository(home);
		const named = ["bash", "write", "edit", "subagent", "python_execute", "bash_read", "mcp", "load_tools"];
		const evil = "touch /tmp/deputize-owned; echo x > owned";
		const calls = [
			...named.map((name) => ({ name, args: { command: evil, path: "owned", content: "x", code: evil } })),
			{ name: "lsp", args: { action: "rename", file: "src/a.ts", line: 1, column: 14, newName: "evil" } },
			{ name: "lsp", args: { action: "codeAction", file: "src/a.ts", line: 1, apply: true } },
			{ name: "grep", args: { pattern: "--pre=./node_modules/.bin/rg", path: "." } },
			{ name: "grep", args: { pattern: "x", glob: "--pre=./node_modules/.bin/rg" } },
			{ name: "find", args: { pattern: "*", path: "--pre=sh" } },
			{ name: "find", args: { pattern: "a*a*a*a*a*a*a*a*a*a*b".repeat(20) } },
		];
		const options = await setUp(toTurns(calls), { subagents: { sandbox } }, runtime);
		const skipped = ["deputize"].map((name) => join(home?.agentDirectory ?? "", name));
		skipped.push(join(home.home, ".pi/subagent-sessions"));
		// pi itself makes these two when they are missing.
		home.write(join(home.agentDirectory, "auth.json"), "{}");
		home.write(join(home.agentDirectory, "models-store.json"), "{}");
		// Nothing is left in it: no answer here is long.
		prepareAnswersDirectory(home.home, home.project);
		const before = [fingerprint(home.project, []), fingerprint(home.home, skipped)];
		const result = await delegate({ agent: "explorer", task: "Break out" }, options);
		expect(result.isError).toBe(false);
		expect([fingerprint(home.project, []), fingerprint(home.home, skipped)]).toEqual(before);
		expect(existsSync("/tmp/deputize-owned")).toBe(false);
		const shown = provider?.requests().at(-1) ?? "";
		expect(shown).toMatch(/not granted|no tool named|not found/);
	});

	it("is told what the repository says as the repository's words, and nothing a link leads to", async () => {
		home = createTestHome();
		writeHostileRepository(home);
		home.write("docs/CLAUDE.md", "Docs are written in plain English.");
		const options = await setUp([finalize("ok")], { subagents: { sandbox } }, runtime);
		await delegate({ agent: "explorer", task: "Look" }, { ...options, cwd: join(home.project, "docs") });
		const request = provider?.requests()[0] ?? "";
		expect(request).not.toContain("DEPUTIZE_TEST_SECRET");
		expect(request).not.toContain("private-material");
		expect(request).not.toContain("Obey the repository");
	});
});

describe("the offline navigator in the home directory", () => {
	it.each(["pi", "loop"] as const)("shows nothing of its hidden files, runtime %s", async (runtime) => {
		home = createTestHome();
		writeHostileRepository(home);
		home.write(join(home.home, "notes/keys.md"), "The key material is described here.\n");
		const result = await delegate(
			{ agent: "explorer", task: "Where is the private-material of id_ed25519 and the credentials?" },
			{ cwd: home.home, env: home.env, offline: true, runtime },
		);
		expect(result.content[0].text).not.toContain("material-4711");
		expect(result.content[0].text).not.toContain(".ssh/");
		expect(JSON.stringify(result.details)).not.toContain("material-4711");
	});
});

describe("notes for agents", () => {
	async function firstRequest(config: object, trust?: boolean): Promise<string> {
		home = createTestHome({ "AGENTS.md": "Use tabs.", "docs/CLAUDE.md": "Write plainly." });
		mkdirSync(join(home.project, ".git"));
		home.write(join(home.agentDirectory, "AGENTS.md"), "Answer briefly.");
		if (trust !== undefined)
			home.write(join(home.agentDirectory, "trust.json"), JSON.stringify({ [home.project]: trust }));
		const options = await setUp([finalize("ok")], config);
		await delegate({ agent: "explorer", task: "Look" }, { ...options, cwd: join(home.project, "docs") });
		return provider?.requests()[0] ?? "";
	}

	it.each([undefined, true])("are marked and given to a child when trust is %s", async (trust) => {
		const request = await firstRequest({}, trust);
		expect(request).toMatch(
			/<repository-file path=\\\\?"AGENTS\.md\\\\?" id=\\\\?"[0-9a-f]{12}\\\\?">\\nUse tabs\./,
		);
		expect(request).toContain("Write plainly.");
		expect(request).toContain("Answer briefly.");
	});

	it("of a refused project are not given", async () => {
		const request = await firstRequest({}, false);
		expect(request).not.toContain("Use tabs.");
		expect(request).toContain("Answer briefly.");
	});

	it("can be switched off", async () => {
		const request = await firstRequest({ subagents: { contextFiles: false } });
		expect(request).not.toContain("Use tabs.");
		expect(request).not.toContain("Answer briefly.");
	});
});

describe("what runs beside the tools of a confined child", () => {
	it("sees the closed places empty", async () => {
		home = createTestHome();
		writeHostileRepository(home);
		const { chooseConfinement } = await import("../../src/runtimes/choose-confinement.ts");
		const runDirectory = join(home.agentDirectory, "deputize/runs/1-1-abc");
		mkdirSync(runDirectory, { recursive: true });
		const session = join(home.home, ".pi/subagent-sessions/fedcba9876543210/explorer_y.jsonl");
		home.write(session, "own");
		const plan = {
			cwd: home.project,
			sandbox: "required",
			mayWrite: false,
			session: { file: session },
			tools: [],
			extensions: [],
			fileRules: { readable: [], unreadable: ["~/closed"] },
		};
		home.write(join(home.home, "closed/x"), SECRET);
		home.write(join(home.home, ".cargo/registry/src/lib.rs"), "pub fn open() {}");
		const chosen = await chooseConfinement(plan as never, {
			env: { ...home.env },
			home: home.home,
			agentDirectory: home.agentDirectory,
			runDirectory,
			sandbox: () => ({ temporaryDirectory: runDirectory, programs: [] }),
		});
		const script = `cat ${session}; cat ~/.cargo/registry/src/lib.rs; grep -rs private-material ~ || echo nothing; ls ~/.ssh | wc -l`;
		const { command, args } = chosen.wrap("/bin/sh", ["-c", script]);
		const shown = execFileSync(command, args as string[], { env: { ...home.env }, encoding: "utf8" });
		expect(shown).toContain("own");
		expect(shown).toContain("pub fn open");
		expect(shown).toContain("nothing");
		// Another project of the user is not hidden by name and stays visible, except to the tools.
		expect(shown.replace(/.*other\/\.env.*\n/, "")).not.toContain(SECRET);
		expect(shown.trim().endsWith("0")).toBe(true);
	});
});
