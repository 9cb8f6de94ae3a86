import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../../../src/hosts/cli/command-table.ts";
import { listCompletions } from "../../../../src/hosts/cli/completion-command.ts";

const complete = (...typed: string[]) =>
	listCompletions(typed, { commands: COMMANDS, listAgents: () => ["explorer", "reviewer"] });

describe("what can follow on the command line", () => {
	it.each([
		[[""], expect.arrayContaining(["run", "batch", "help", "explorer"])],
		[["re"], ["reviewer"]],
		[
			["help", "w"],
			["worker", "watch"],
		],
		[["run", "ex"], ["explorer"]],
		[
			["run", "explorer", "--runtime", ""],
			["pi", "loop", "claude", "codex"],
		],
		[["run", "explorer", "--se"], ["--session"]],
		[["explorer", "--se"], ["--session"]],
		[["batch", "--agent", "r"], ["reviewer"]],
		[["batch", "in.csv", "--format", "c"], ["csv"]],
		[["agents", "t"], ["trust"]],
		[["agents", "trust", "r"], ["reviewer"]],
		[["mcp", "install", "cl"], ["claude"]],
		[["completion", "f"], ["fish"]],
		[["nothing", ""], []],
		[["run", "explorer", "some words"], []],
		[["run", "--cwd", ""], []],
	])("%j", async (typed, expected) => {
		expect(await complete(...typed)).toEqual(expected);
	});
});
