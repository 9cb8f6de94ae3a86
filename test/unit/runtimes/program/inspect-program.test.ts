import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { describeProgram } from "../../../../src/commands/describe-survey.ts";
import { AGENT_PROGRAMS } from "../../../../src/runtimes/agent-programs.ts";
import { inspectProgram } from "../../../../src/runtimes/program/inspect-program.ts";
import { createTestHome, type TestHome } from "../../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

it("a program that does not say what it can do is not called too old", async () => {
	const program = AGENT_PROGRAMS.claude;
	const bin = join(dirname(home.home), "bin");
	const script = home.write(
		join(bin, "claude"),
		'#!/bin/sh\n[ "$1" = --version ] && echo 2.1.0 && exit\nexit 3\n',
	);
	chmodSync(script, 0o755);
	const place = { env: { PATH: `${bin}:/usr/bin:/bin` }, home: home.home, cwd: home.project };
	const found = await inspectProgram(program, place);
	expect(found).toMatchObject({ version: "2.1.0", silence: "exit code 3", missingOptions: [] });
	expect(describeProgram({ program, found })).toMatchObject({
		text: expect.stringContaining("did not say what it can do: exit code 3"),
	});
});
