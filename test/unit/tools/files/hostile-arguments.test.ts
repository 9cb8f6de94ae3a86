import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HostNeutralTool } from "../../../../src/contract/tool.ts";
import { createJudge } from "../../../../src/judge/create-judge.ts";
import { createBashFindTool } from "../../../../src/tools/files/create-bash-find-tool.ts";
import { createBashReadTool } from "../../../../src/tools/files/create-bash-read-tool.ts";
import { createBashRipgrepTool } from "../../../../src/tools/files/create-bash-ripgrep-tool.ts";

let root: string;
let cwd: string;
const signal = new AbortController().signal;
let tools: Readonly<Record<"find" | "read" | "ripgrep", HostNeutralTool>>;

beforeAll(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "deputize-shell-")));
	cwd = join(root, "repo");
	mkdirSync(join(cwd, "src/deep"), { recursive: true });
	mkdirSync(join(cwd, "node_modules/x"), { recursive: true });
	mkdirSync(join(root, "repo-evil"));
	writeFileSync(join(root, "repo-evil/secret.txt"), "SECRET outside\n");
	writeFileSync(join(cwd, "src/a.ts"), "export const alpha = 1;\nconst beta = 2;\n// SECRET inside\n");
	writeFileSync(join(cwd, "src/deep/b.ts"), "alpha();\n");
	writeFileSync(join(cwd, "empty.txt"), "");
	writeFileSync(join(cwd, "binary.bin"), Buffer.from([1, 0, 2]));
	writeFileSync(join(cwd, "-rf"), "dash\n");
	writeFileSync(join(cwd, "many.txt"), Array.from({ length: 5000 }, (_, line) => `line ${line}`).join("\n"));
	symlinkSync(join(root, "repo-evil"), join(cwd, "link-out"));
	symlinkSync("/etc/passwd", join(cwd, "passwd"));
	symlinkSync("src/a.ts", join(cwd, "link-in"));
	execFileSync("mkfifo", [join(cwd, "pipe")]);
	const home = join(root, "home");
	const judge = createJudge({ cwd, home, agentDirectory: join(home, ".pi/agent") });
	const options = { judge, env: process.env };
	tools = {
		find: createBashFindTool(options),
		read: createBashReadTool(options),
		ripgrep: createBashRipgrepTool(options),
	};
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function run(tool: HostNeutralTool, input: unknown) {
	const outcome = await tool.execute(input, { cwd, signal });
	return { isError: outcome.isError, ...(JSON.parse(outcome.text) as Record<string, unknown>) } as {
		isError: boolean;
		error?: string;
		results?: string[];
		content?: string;
		total?: number;
		has_more?: boolean;
		returned?: number;
	};
}

describe("paths that lead outside", () => {
	const outside = [
		"../repo-evil/secret.txt",
		"/etc/passwd",
		"link-out/secret.txt",
		"passwd",
		"..",
		"/",
		"src/../../repo-evil",
		"../nothing-there",
		"/root/.ssh/id_rsa",
	];
	it.each(outside)("are refused by bash_read: %s", async (path) => {
		const reply = await run(tools.read, { filepath: path });
		expect(reply.isError).toBe(true);
		expect(reply.error).toContain("outside of the working directory");
	});
	it.each(outside)("are refused by bash_find: %s", async (path) => {
		expect((await run(tools.find, { path })).error).toContain("outside of the working directory");
	});
	it.each(outside)("are refused by bash_ripgrep: %s", async (files) => {
		expect((await run(tools.ripgrep, { pattern: "SECRET", files })).error).toContain(
			"outside of the working directory",
		);
	});

	it("are not reached by a search either, and links are listed but not followed", async () => {
		const found = await run(tools.ripgrep, { pattern: "SECRET", extra_args: ["--hidden", "--no-ignore"] });
		expect(found.results).toEqual(["src/a.ts:3:// SECRET inside"]);
		const listed = await run(tools.find, { limit: 100 });
		expect(listed.results).toContain("link-out");
		expect(listed.results?.join()).not.toContain("secret.txt");
	});
});

describe("options that would do something else", () => {
	const hostile: [string, unknown][] = [
		["--pre", ["--pre=/tmp/evil", "x"]],
		["--pre apart", ["--pre", "/tmp/evil"]],
		["one line of text", "--pre=cmd"],
		["--hostname-bin", ["--hostname-bin=/bin/id"]],
		["--file", ["-f", "/etc/passwd"]],
		["--follow", ["-L"]],
		["--search-zip", ["-z"]],
		["--ignore-file", ["--ignore-file=/etc/passwd"]],
		["--type-add", ["--type-add=x:*"]],
		["a path after --", ["--", "/etc/passwd"]],
		["a bare path", ["/etc/passwd"]],
		["--replace", ["-r", "x"]],
		["a number that is not one", ["-A", "1;id"]],
		["a missing value", ["-g"]],
		["a value for a flag", ["--hidden=/etc"]],
		["something that is not a string", [1]],
		["a zero byte", ["-g", "a\0b"]],
		["the prototype", ["constructor"]],
	];
	it.each(hostile)("are refused by bash_ripgrep: %s", async (_name, extra) => {
		const reply = await run(tools.ripgrep, { pattern: "alpha", extra_args: extra });
		expect(reply.isError).toBe(true);
		expect(reply.error).not.toBe("");
	});

	it.each([
		["-exec", ["-exec", "id", ";"]],
		["-delete", ["-delete"]],
		["-fprintf", ["-fprintf", "/tmp/x", "y"]],
		["-newer", ["-newer", "/etc/passwd"]],
		["-L", ["-L"]],
		["text", "-exec id ;"],
	])("are refused by bash_find: %s", async (_name, extra) => {
		expect((await run(tools.find, { extra_args: extra })).error).toContain("not allowed");
	});

	it("cannot be smuggled in through the pattern, the glob or a file name", async () => {
		expect((await run(tools.ripgrep, { pattern: "--pre=id" })).results).toEqual([]);
		expect((await run(tools.ripgrep, { pattern: "alpha", extra_args: ["-g", "--pre=id"] })).results).toEqual(
			[],
		);
		expect((await run(tools.ripgrep, { pattern: "alpha", extra_args: ["-g", ""] })).isError).toBe(false);
		expect((await run(tools.ripgrep, { pattern: "dash", files: "-rf" })).results).toEqual(["-rf:1:dash"]);
	});
});

describe("what the tools are for", () => {
	it("finds by name, kind, depth and path, a page at a time", async () => {
		expect((await run(tools.find, { name: "*.ts" })).results).toEqual(["src/a.ts", "src/deep/b.ts"]);
		expect((await run(tools.find, { name: "*.{ts,bin}", extra_args: ["-maxdepth", "1"] })).results).toEqual([
			"binary.bin",
		]);
		expect((await run(tools.find, { type_filter: "d" })).results).toEqual([
			"node_modules/",
			"src/",
			"src/deep/",
		]);
		expect(
			(await run(tools.find, { path: "src", extra_args: ["-path", "*deep*", "-type", "f"] })).results,
		).toEqual(["src/deep/b.ts"]);
		expect((await run(tools.find, { extra_args: "-iname 'A.TS'" })).results).toEqual(["src/a.ts"]);
		expect((await run(tools.find, { extra_args: ["-empty"], type_filter: "f" })).results).toEqual([
			"empty.txt",
		]);
		const page = await run(tools.find, { name: "*.ts", limit: 1, offset: 1 });
		expect(page).toMatchObject({ results: ["src/deep/b.ts"], total: 2, has_more: false, returned: 1 });
		expect(await run(tools.find, { name: "*.ts", limit: 1 })).toMatchObject({ has_more: true });
	});

	it("searches with options as a list or as one line, a page at a time", async () => {
		expect(
			(await run(tools.ripgrep, { pattern: "ALPHA", extra_args: ["-i", "-g", "*.ts"] })).results,
		).toEqual(["src/a.ts:1:export const alpha = 1;", "src/deep/b.ts:1:alpha();"]);
		expect(
			(await run(tools.ripgrep, { pattern: "alpha", files: "src/deep", extra_args: "-w --max-count 1" }))
				.results,
		).toEqual(["src/deep/b.ts:1:alpha();"]);
		expect(
			await run(tools.ripgrep, { pattern: "line", files: "many.txt", limit: 2, offset: 4998 }),
		).toMatchObject({
			results: ["many.txt:4999:line 4998", "many.txt:5000:line 4999"],
			total: 5000,
			has_more: false,
		});
		expect((await run(tools.ripgrep, { pattern: "(" })).error).toMatch(/regex|unclosed/i);
		expect(await run(tools.ripgrep, { pattern: "no such text" })).toMatchObject({
			isError: false,
			results: [],
			total: 0,
		});
	});

	it("reads by lines, and says what it cannot read", async () => {
		expect(await run(tools.read, { filepath: "src/a.ts", limit: 1, offset: 1 })).toMatchObject({
			content: "const beta = 2;",
			total: 3,
			has_more: true,
			returned: 1,
		});
		expect((await run(tools.read, { filepath: "link-in" })).content).toContain("alpha");
		expect((await run(tools.read, { filepath: "many.txt" })).returned).toBe(2000);
		expect((await run(tools.read, { filepath: "src" })).error).toContain("directory");
		expect((await run(tools.read, { filepath: "binary.bin" })).error).toContain("not a text file");
		expect((await run(tools.read, { filepath: "pipe" })).error).toContain("not a regular file");
		expect((await run(tools.read, { filepath: "none" })).error).toContain("Path not found");
		expect((await run(tools.read, { filepath: 7 })).error).toContain("must be a string");
		expect((await run(tools.read, { filepath: "a\0b" })).error).toContain("NUL character");
		expect((await run(tools.read, null)).error).toContain("JSON object");
		expect((await run(tools.read, { filepath: "empty.txt" })).content).toBe("");
	});

	it("bounds what a search may print", async () => {
		const big = join(cwd, "big.txt");
		writeFileSync(big, `${"match ".repeat(60)}\n`.repeat(40_000));
		const reply = await run(tools.ripgrep, { pattern: "match", files: "big.txt", limit: 5 });
		rmSync(big);
		expect(reply.returned).toBe(5);
		expect(reply.has_more).toBe(true);
	});
});
