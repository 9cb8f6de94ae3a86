import { describe, expect, it } from "vitest";
import { parseRunArguments } from "../../../../src/hosts/cli/parse-run-arguments.ts";
import { UsageError } from "../../../../src/hosts/cli/usage-error.ts";

const parse = (...argv: string[]) => parseRunArguments(argv);

describe("parseRunArguments", () => {
	it("names the option that was probably meant", () => {
		expect(() => parse("explorer", "x", "--sesion", "y")).toThrow(
			"There is no option --sesion. Did you mean --session?",
		);
	});

	it("joins the words of the task", () => {
		expect(parse("explorer", "find", "the", "parser")).toMatchObject({
			agent: "explorer",
			task: "find the parser",
			output: "text",
		});
	});

	it("takes a task that starts with a dash or at sign as a task", () => {
		expect(parse("reviewer", "- check this", "--json")).toMatchObject({
			task: "- check this",
			output: "json",
		});
		expect(parse("reviewer", "--", "--json")).toMatchObject({ task: "--json", output: "text" });
		expect(parse("reviewer", "@README.md")).toMatchObject({ task: "@README.md" });
		expect(parse("reviewer", "-")).toMatchObject({ task: "", input: "required" });
		expect(parse("reviewer", "-", "focus on security")).toMatchObject({
			task: "focus on security",
			input: "required",
		});
		expect(parse("reviewer", "what?", "--json=slim")).toMatchObject({ input: "optional", output: "slim" });
	});

	it.each([
		[["explorer", "foo", "- bar", "baz"], "foo - bar baz"],
		[["explorer", "- one", "--json", "- two", "three"], "- one - two three"],
		[["explorer", "--model", "p/m", "foo", "--", "-x", "--", "bar"], "foo -x -- bar"],
		[["explorer", "--cwd=/a b", "foo", "-", "bar"], "foo - bar"],
	])("keeps the order of the words: %j", (argv, task) => {
		expect(parse(...argv)).toMatchObject({ agent: "explorer", task });
	});

	it("reads every option", () => {
		expect(
			parse(
				"a",
				"t",
				"--session",
				"550e8400-e29b-41d4-a716-446655440000",
				"--cwd",
				"/x",
				"--model",
				"p/m",
				"--runtime",
				"loop",
				"--agents-dir",
				"d",
				"--agents-dir",
				"e",
				"--timeout-ms",
				"5",
				"--idle-timeout-ms=6",
				"--offline",
				"--stream",
				"--verbose",
				"--apply",
				"--quiet",
			),
		).toEqual({
			...{
				agent: "a",
				task: "t",
				input: "optional",
				session: "550e8400-e29b-41d4-a716-446655440000",
				cwd: "/x",
				model: "p/m",
				runtime: "loop",
				agentsDirectories: ["d", "e"],
				builtin: false,
				apply: true,
			},
			...{ timeoutMs: 5, idleTimeoutMs: 6, offline: true, verbose: true, output: "stream", quiet: true },
		});
	});

	it("takes built-in agents only when nobody else's are named beside them", () => {
		expect(parse("a", "t", "--builtin")).toMatchObject({ builtin: true });
		expect(() => parse("a", "t", "--builtin", "--agents-dir", "d")).toThrow(UsageError);
	});

	it.each([
		[[], "Missing agent and task"],
		[["explorer"], "Missing task for explorer"],
		[["a", "t", "--json", "--json=slim"], "Choose one of --json and --json=slim"],
		[["a", "t", "--json=thin"], "--json"],
		[["a", "t", "--frobnicate"], "--frobnicate"],
		[["a", "t", "--timeout-ms", "soon"], 'not "soon"'],
		[["a", "t", "--timeout-ms", "-1"], "--timeout-ms"],
		[
			["a", "t", "--timeout-ms", "100000000000"],
			"--timeout-ms takes a whole number of milliseconds from 1 to",
		],
		[["a", "t", "--idle-timeout-ms=2147483648"], 'from 1 to 2147483647, not "2147483648"'],
		[["a", "t", "--timeout-ms"], "--timeout-ms"],
		[["a", "t", "--quiet=yes"], "--quiet"],
		[["a", "t", "--runtime", "docker"], "one of pi, loop, claude, codex"],
		[["a", "t", "--json", "--stream"], "Choose one of --json and --stream"],
	])("refuses %j and says what to type", (argv, message) => {
		expect(() => parse(...argv)).toThrow(UsageError);
		expect(() => parse(...argv)).toThrow(message);
	});
});
