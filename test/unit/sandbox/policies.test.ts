import { chmodSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../../src/contract/config.ts";
import type { ChildPlan } from "../../../src/contract/plan.ts";
import { prepareAnswersDirectory } from "../../../src/judge/answers-directory.ts";
import { createJudge } from "../../../src/judge/create-judge.ts";
import { findExecutable } from "../../../src/process/find-executable.ts";
import { CLAUDE_PROGRAM } from "../../../src/runtimes/claude/claude-program.ts";
import { CODEX_PROGRAM } from "../../../src/runtimes/codex/codex-program.ts";
import { createLoopRuntime } from "../../../src/runtimes/loop/create-loop-runtime.ts";
import { createPiRuntime } from "../../../src/runtimes/pi/create-pi-runtime.ts";
import { createProgramRuntime } from "../../../src/runtimes/program/create-program-runtime.ts";
import { createPythonTool } from "../../../src/tools/shell/create-python-tool.ts";
import { callLsp, createTestTool, FAKE_SERVER } from "../../helpers/lsp-workspace.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

// What each kind of process sees and may do, as the arguments of bubblewrap, without what depends on the machine: its
// services, sockets and credentials, and where this repository is.

const REPOSITORY = resolve(import.meta.dirname, "../../..");
const BWRAP = findExecutable("bwrap", process.env);
/** Options with more or fewer operands than one. */
const OPERANDS: Readonly<Record<string, number>> = {
	"--ro-bind": 2,
	"--share-net": 0,
	"--bind": 2,
	"--symlink": 2,
	"--setenv": 2,
	"--unshare-all": 0,
	"--unshare-pid": 0,
	"--unshare-ipc": 0,
	"--unshare-net": 0,
	"--unshare-user": 0,
	"--die-with-parent": 0,
	"--new-session": 0,
	"--clearenv": 0,
};

/** Of every process. */
const EVERY = [
	"--cap-drop ALL",
	"--dev /dev",
	"--die-with-parent",
	"--new-session",
	"--proc /proc",
	"--remount-ro /dev",
];
/** Of every child. */
const CHILD = [
	...EVERY,
	"--bind <root>/home/.pi/agent/deputize/runs/… <root>/home/.pi/agent/deputize/runs/…",
	"--bind <root>/home/.pi/subagent-sessions <root>/home/.pi/subagent-sessions",
	"--chdir <root>/project",
	"--remount-ro <root>/home/.cargo",
	"--remount-ro <root>/home/.pi",
	"--remount-ro <root>/home/.ssh",
	"--ro-bind / /",
	"--ro-bind <root>/home/.cargo/registry/src <root>/home/.cargo/registry/src",
	"--tmpfs <root>/home/.cargo",
	"--ro-bind <root>/home/.pi/subagent-answers/<name> <root>/home/.pi/subagent-answers/<name>",
	"--tmpfs <root>/home/.pi",
	"--tmpfs <root>/home/.ssh",
	"--unshare-ipc",
	"--unshare-pid",
];
const EXPECTED = {
	pi: [
		...CHILD,
		"--bind <root>/home/.pi/agent/deputize/runs/…/tmp <root>/home/.pi/agent/deputize/runs/…/tmp",
		"--bind <root>/home/.pi/agent/deputize/code-index/<name> <root>/home/.pi/agent/deputize/code-index/<name>",
		"--ro-bind <root>/home/.pi/agent/auth.json <root>/home/.pi/agent/auth.json",
		"--seccomp 9",
		"--size 16777216",
		"--tmpfs <root>/home/.pi/agent",
	],
	loop: [
		...CHILD,
		"--bind <root>/home/.pi/agent/deputize/code-index/<name> <root>/home/.pi/agent/deputize/code-index/<name>",
		"--seccomp 9",
	],
	claude: [
		...CHILD,
		"--bind <root>/home/.pi/agent/deputize/runs/…/tmp <root>/home/.pi/agent/deputize/runs/…/tmp",
	],
	languageServer: [
		...EVERY,
		"--bind <root>/home/.cache/deputize/servers/<name> <root>/home/.cache/deputize/servers/<name>",
		"--chdir <root>/project",
		"--dir /tmp",
		"--remount-ro /",
		"--ro-bind /usr /usr",
		"--ro-bind <root>/bin <root>/bin",
		"--ro-bind <root>/home/.cargo/registry/src <root>/home/.cargo/registry/src",
		"--ro-bind <root>/project <root>/project",
		"--seccomp 9",
		"--unshare-all",
	],
	python: [
		...EVERY,
		"--chdir /tmp",
		"--clearenv",
		"--remount-ro /",
		"--ro-bind /usr /usr",
		"--seccomp 9",
		"--setenv HOME /tmp",
		"--setenv LANG C.UTF-8",
		"--setenv PATH /usr/bin:/bin",
		"--size 67108864",
		"--tmpfs /tmp",
		"--unshare-all",
	],
};

let home: TestHome;
/** The arguments of every call of bubblewrap, one in a line. */
let calls: string;
let env: Record<string, string>;

beforeEach(() => {
	home = createTestHome({ "package.json": "{}", "a.fake": "define area\nuse area\n" });
	for (const file of [
		".ssh/id",
		".cargo/registry/src/lib.rs",
		".cargo/credentials.toml",
		".pi/agent/auth.json",
	])
		home.write(join(home.home, file), "x");
	prepareAnswersDirectory(home.home, home.project);
	mkdirSync(join(home.project, ".git"));
	calls = join(dirname(home.home), "calls");
	const bin = join(dirname(home.home), "bin");
	const program = (name: string, script: string): void => {
		chmodSync(home.write(join(bin, name), `#!/bin/sh\n${script}\n`), 0o755);
	};
	program(
		"bwrap",
		`for word in "$@"; do printf '%s\\t' "$word"; done | tr '\\n' ' ' >> ${calls}; echo >> ${calls}\nexec ${BWRAP} "$@"`,
	);
	program("claude", "exit 0");
	program("codex", "exit 0");
	env = { ...home.env, PATH: `${bin}:/usr/bin:/bin` };
});
afterEach(() => home.remove());

function createPlan(): ChildPlan {
	return {
		agent: { name: "explorer" },
		systemPrompt: "",
		cwd: home.project,
		tools: [],
		extensions: [],
		lspActions: [],
		model: "offline/navigator",
		mayWrite: false,
		sandbox: "required",
		depth: 0,
		limits: { timeoutMs: 1000, idleTimeoutMs: 1000, maxMemoryMb: 4096 },
		finalize: { mode: "text", maxCorrections: 0 },
		session: { id: "s", file: join(home.home, ".pi/subagent-sessions/s.jsonl"), resumed: false },
		fileRules: { readable: [], unreadable: ["~/closed"] },
	} as unknown as ChildPlan;
}

/** Each option with its operands, sorted: the set of what was asked for. */
function toPolicy(words: readonly string[]): readonly string[] {
	const options: (readonly string[])[] = [];
	for (let index = 0; index < words.length && words[index] !== "--"; ) {
		const count = OPERANDS[words[index] ?? ""] ?? 1;
		options.push(words.slice(index, index + 1 + count));
		index += 1 + count;
	}
	return [...new Set(options.map(normalize).filter((option) => option !== ""))].toSorted();
}

/** Places that every machine has; what else is named outside of the test's own directory differs between them. */
const EVERYWHERE = ["/", "/dev", "/proc", "/tmp", "/var/tmp", "/usr"];

function normalize(option: readonly string[]): string {
	const shown = option
		.join(" ")
		.replaceAll(realpathSync(dirname(home.home)), "<root>")
		.replace(/(servers|code-index|subagent-answers)\/[0-9a-f]+/g, "$1/<name>");
	// As it was, because a directory can have a blank in its name.
	const place = (option.at(-1) ?? "").replaceAll(realpathSync(dirname(home.home)), "<root>");
	return !place.startsWith("/") || EVERYWHERE.includes(place) || shown.startsWith("--setenv") ? shown : "";
}

function fromLaunch({ command, args }: { readonly command: string; readonly args: readonly string[] }) {
	const words = [command, ...args];
	return toPolicy(words.slice(words.findIndex((word) => word.endsWith("/bwrap")) + 1));
}

const lastCall = (): readonly string[] =>
	toPolicy((readFileSync(calls, "utf8").trimEnd().split("\n").at(-1) ?? "").split("\t"));

describe.skipIf(BWRAP === undefined)("what is asked of bubblewrap", () => {
	it("for a pi child", async () => {
		const runtime = createPiRuntime({
			env,
			home: home.home,
			agentDirectory: home.agentDirectory,
			runningPiPackage: join(REPOSITORY, "node_modules/@earendil-works/pi-coding-agent"),
		});
		expect(fromLaunch(await runtime.describe(createPlan()))).toEqual(EXPECTED.pi.toSorted());
	});
	it("for a loop child", async () => {
		const runtime = createLoopRuntime({
			env,
			home: home.home,
			agentDirectory: home.agentDirectory,
			config: DEFAULT_CONFIG,
		});
		expect(fromLaunch(await runtime.describe(createPlan()))).toEqual(EXPECTED.loop.toSorted());
	});
	it("for a Claude Code child", async () => {
		const place = { env, home: home.home, agentDirectory: home.agentDirectory };
		const runtime = createProgramRuntime(CLAUDE_PROGRAM, place);
		expect(fromLaunch(await runtime.describe({ ...createPlan(), model: "anthropic/x" }))).toEqual(
			EXPECTED.claude.toSorted(),
		);
	});
	it("nothing, for a Codex child: its program has a sandbox of its own", async () => {
		const place = { env, home: home.home, agentDirectory: home.agentDirectory };
		const launch = await createProgramRuntime(CODEX_PROGRAM, place).describe({
			...createPlan(),
			model: "openai/x",
		});
		expect(launch).toMatchObject({ confinement: "os-sandbox" });
		expect(launch.command).not.toContain("bwrap");
	});
	it("for a language server", async () => {
		const { project: cwd, agentDirectory } = home;
		const server = { command: [process.execPath, FAKE_SERVER, "well", "/dev/null"], languages: ["fake"] };
		const tool = createTestTool({
			env: { PATH: env["PATH"], HOME: home.home },
			judge: createJudge({ cwd, home: home.home, agentDirectory, unreadable: ["~/closed"] }),
			config: { servers: { fake: { ...server, extensions: [".fake"], rootMarkers: [] } } },
		});
		await callLsp(tool, cwd, { action: "definition", file: "a.fake", line: 2, column: 5 });
		await tool.close();
		expect(lastCall()).toEqual(EXPECTED.languageServer.toSorted());
	});
	it("for Python", async () => {
		const tool = await createPythonTool({ env });
		if ("missing" in tool) throw new Error(tool.missing);
		const outcome = await tool.execute({ code: "1 + 1" }, { cwd: "/", signal: new AbortController().signal });
		expect(outcome.text).toContain('"result":"2"');
		expect(lastCall()).toEqual(EXPECTED.python.toSorted());
	});
});
