import { describe, expect, it } from "vitest";
import { toLoopCall, toNavigatorStep } from "../../../../src/loop/offline/translate-tools.ts";

describe("toLoopCall", () => {
	it.each([
		[
			{ tool: "read", args: { path: "a.ts", offset: 11, limit: 5 } },
			{ tool: "bash_read", args: { filepath: "a.ts", offset: 10, limit: 5 } },
		],
		[
			{
				tool: "grep",
				args: { pattern: "x", path: "src", ignoreCase: true, literal: true, glob: "*.ts", limit: 7 },
			},
			{
				tool: "bash_ripgrep",
				args: {
					pattern: "x",
					files: "src",
					extra_args: ["--ignore-case", "--fixed-strings", "--glob", "*.ts"],
					limit: 7,
				},
			},
		],
		[
			{ tool: "find", args: { pattern: "**/*.md" } },
			{ tool: "bash_find", args: { path: ".", name: "*.md", type_filter: "f", limit: 1000 } },
		],
		[
			{ tool: "find", args: { pattern: "src/**/*.ts" } },
			{
				tool: "bash_find",
				args: { path: ".", extra_args: ["-path", "*src/**.ts"], type_filter: "f", limit: 1000 },
			},
		],
		[
			{ tool: "ls", args: { path: "src" } },
			{ tool: "bash_find", args: { path: "src", extra_args: ["-maxdepth", "1"], limit: 1000 } },
		],
	])("%j", (call, expected) => {
		expect(toLoopCall(call)).toEqual(expected);
	});
});

describe("toNavigatorStep", () => {
	it("gives results in the words the navigator reads", () => {
		const grep = toNavigatorStep(
			"bash_ripgrep",
			{ pattern: "x", files: "src" },
			JSON.stringify({ results: ["src/a.ts:3:const x"], has_more: true }),
			false,
		);
		expect(grep).toEqual({
			tool: "grep",
			args: { pattern: "x" },
			text: "src/a.ts:3: const x\n\n[Result limit reached]",
			isError: false,
		});
		const read = toNavigatorStep(
			"bash_read",
			{ filepath: "a.ts", offset: 10, limit: 2 },
			JSON.stringify({ content: "one\ntwo" }),
			false,
		);
		expect(read).toEqual({
			tool: "read",
			args: { path: "a.ts", offset: 11, limit: 2 },
			text: "one\ntwo",
			isError: false,
		});
		const list = toNavigatorStep(
			"bash_find",
			{ path: "src", extra_args: ["-maxdepth", "1"] },
			JSON.stringify({ results: ["src/a.ts", "src/deep/"] }),
			false,
		);
		expect(list).toMatchObject({ tool: "ls", text: "src/a.ts\nsrc/deep/" });
	});
});
