import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkRuntimes } from "../../../src/commands/check-runtimes.ts";
import { createCommandContext } from "../../../src/commands/command-context.ts";
import { createDecider } from "../../../src/commands/decide-here.ts";
import { inspectPrograms } from "../../../src/commands/survey-machine.ts";
import { AGENT_PROGRAMS } from "../../../src/runtimes/agent-programs.ts";

describe("doctor about runtimes", () => {
	let root = "";
	beforeEach(() => {
		root = mkdtempSync(join(tmpdir(), "check-runtimes-"));
		mkdirSync(join(root, "bin"));
	});
	afterEach(() => rmSync(root, { recursive: true, force: true }));

	function install(version: string, options = AGENT_PROGRAMS.claude.tested.options): void {
		const script = `#!/bin/sh\n[ "$1" = --version ] && echo "${version} (Claude Code)" || echo "${options.join(" ")}"\n`;
		writeFileSync(join(root, "bin", "claude"), script, { mode: 0o755 });
	}
	async function check(more: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
		const env = { PATH: `${join(root, "bin")}:/usr/bin:/bin`, HOME: root, ...more };
		const context = createCommandContext({ cwd: root, env });
		const lines = checkRuntimes(context, {
			programs: await inspectPrograms(context),
			decision: createDecider(context)({}),
		});
		return lines.map(({ status, text, remedy }) => [status, text, remedy].filter(Boolean).join(" | "));
	}
	const { version } = AGENT_PROGRAMS.claude.tested;
	const key = { ANTHROPIC_API_KEY: "x" };

	it("says what children are here, and in which order that was decided", async () => {
		const lines = await check();
		expect(lines[0]).toMatch(/^info \| Children are \w+ here: /);
		expect(lines[1]).toMatch(/^info \| A run that names no model asks offline\/navigator \(no credentials/);
		expect(lines[2]).toMatch(
			/Order: --runtime, the agent's file, the program of the calling client, DEPUTIZE_LOOP_URL, pi with/,
		);
		expect(lines).toContainEqual(
			expect.stringMatching(/^info \| claude: not on PATH \(npm install -g @anthropic/),
		);
	});

	it("says which setting decides, and which key the loop would use", async () => {
		mkdirSync(join(root, ".pi", "agent"), { recursive: true });
		writeFileSync(join(root, ".pi", "agent", "deputize.json"), '{"subagents":{"runtime":"loop"}}');
		const lines = await check(key);
		expect(lines[0]).toContain("Children are loop here: subagents.runtime");
		expect(lines[1]).toContain(
			"anthropic/claude-opus-4-8 at https://api.anthropic.com/v1/messages (ANTHROPIC_API_KEY is set)",
		);
	});

	it("is content with the tested version", async () => {
		install(version);
		expect(await check(key)).toContainEqual(
			expect.stringMatching(/^ok \| claude: Claude Code .* logged in$/),
		);
	});

	it.each([
		["is not logged in", version, AGENT_PROGRAMS.claude.tested.options, {}],
		["is newer than", "99.0.0", AGENT_PROGRAMS.claude.tested.options, key],
		["does not know --restricted", version, ["--tools"], key],
	])("warns of a program that %s", async (said, installed, options, env) => {
		install(installed, options);
		expect(await check(env)).toContainEqual(
			expect.stringMatching(new RegExp(`^warn \\| .*${said.replace(" --restricted", ".*--restricted")}`)),
		);
	});
});
