import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AGENT_PROGRAMS } from "../../src/runtimes/agent-programs.ts";
import { CLI, type CliRun, runCli, runProgram } from "../helpers/run-cli.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

let home: TestHome;
let bin: string;

beforeEach(() => {
	home = createTestHome();
	bin = join(home.project, "..", "bin");
	mkdirSync(bin, { recursive: true });
	const { tested } = AGENT_PROGRAMS.claude;
	const answer = `[ "$1" = --version ] && echo "${tested.version} (Claude Code)" || echo "${tested.options.join(" ")}"`;
	writeFileSync(join(bin, "claude"), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
	home.write("src/kettle.go", "package kettle\n");
});
afterEach(() => home.remove());

const place = () => ({
	cwd: home.project,
	env: { ...home.env, PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` },
});

function init(...args: readonly string[]): Promise<CliRun> {
	return runCli(["init", ...args], place());
}

it("shows what is here and what it would write, and writes nothing where nobody can be asked", async () => {
	const { code, stdout } = await init();
	expect(code).toBe(0);
	expect(stdout).toContain("claude: Claude Code");
	expect(stdout).toContain("gopls");
	expect(stdout).not.toContain("rust-analyzer");
	expect(stdout).toContain('+    "deputize": {');
	expect(stdout).toContain("To make these changes: deputize init --yes");
	expect(readdirSync(home.home)).not.toContain(".claude.json");
});

it("writes with --yes, keeps the old file beside, and has nothing to do the second time", async () => {
	const file = join(home.home, ".claude.json");
	writeFileSync(file, '{\n  "theme": "dark"\n}\n');
	const first = await init("--yes", "--json");
	expect(first.code).toBe(0);
	const { outcomes, survey } = JSON.parse(first.stdout) as {
		outcomes: readonly { state: string; file: string; backup?: string }[];
		survey: { servers: readonly { id: string }[] };
	};
	expect(outcomes).toContainEqual(
		expect.objectContaining({ state: "done", file, backup: `${file}.before-deputize` }),
	);
	expect(survey.servers.map(({ id }) => id)).toEqual(["gopls"]);
	expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
		theme: "dark",
		mcpServers: { deputize: {} },
	});
	const again = await init("--yes");
	expect(again.stdout).toContain("Nothing to set");
	expect(again.code).toBe(0);
});

// What is typed arrives before the question, as it does when somebody is quick; then `script` ends its terminal with Ctrl-D.
it.each([
	["y\n", /\[Y\/n\]\s+✓ written/, true],
	["", /\[Y\/n\]\s+· left as it is/, false],
])("asks at a terminal: %j", async (typed, shown, isWritten) => {
	const { code, stdout } = await runProgram(
		"script",
		["-qec", `"${process.execPath}" "${CLI}" init`, "/dev/null"],
		{ ...place(), input: typed },
	);
	expect(stdout).toMatch(shown);
	expect(stdout).toContain("Next");
	expect(code).toBe(0);
	expect(readdirSync(home.home).includes(".claude.json")).toBe(isWritten);
});

it("says no to options it does not have, in one line", async () => {
	expect(await init("--yess")).toMatchObject({
		code: 2,
		stdout: "",
		stderr: "deputize init: There is no option --yess. Did you mean --yes?\n",
	});
});
