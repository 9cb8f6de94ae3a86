import { execFileSync } from "node:child_process";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	realpathSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ToolError } from "../../../packages/ground/json/tool-error.ts";
import { createJudge, type Judge } from "../../../src/judge/create-judge.ts";
import { openInside } from "../../../src/judge/open-inside.ts";
import { openJudged, openJudgedDirectory, openJudgedFile } from "../../../src/judge/open-judged.ts";
import { readJudgedFile, readOpened } from "../../../src/judge/read-judged-file.ts";
import { resolveSpelling } from "../../../src/judge/resolve-spelling.ts";

let root: string;
let cwd: string;
let home: string;
let judge: Judge;
const server = createServer();

beforeAll(async () => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "deputize-open-")));
	home = join(root, "home");
	cwd = join(root, "repo");
	mkdirSync(join(home, ".ssh"), { recursive: true });
	mkdirSync(join(cwd, "src"), { recursive: true });
	writeFileSync(join(home, ".ssh/id_rsa"), "KEY");
	writeFileSync(join(cwd, "src/a.ts"), "export {};\n");
	symlinkSync(join(home, ".ssh"), join(cwd, "a b"));
	symlinkSync(join(home, ".ssh"), join(cwd, "e\u0301cole"));
	symlinkSync(join(home, ".ssh/id_rsa"), join(cwd, "it\u2019s"));
	symlinkSync("src/a.ts", join(cwd, "link"));
	symlinkSync("loop", join(cwd, "loop"));
	symlinkSync("/dev/zero", join(cwd, "zero"));
	symlinkSync("/proc/self/environ", join(cwd, "AGENTS.md"));
	execFileSync("mkfifo", [join(cwd, "pipe")]);
	await new Promise<void>((resolve) => server.listen(join(cwd, "socket"), resolve));
	judge = createJudge({ cwd, home, agentDirectory: join(home, ".pi/agent") });
});
afterAll(() => {
	server.close();
	rmSync(root, { recursive: true, force: true });
});

const read = (path: string): string =>
	readJudgedFile(resolveSpelling(path, judge), judge, 1000, path).bytes.toString("utf8");

function writeIn(directory: string, name: string): void {
	mkdirSync(directory, { recursive: true });
	writeFileSync(join(directory, name), "x");
}

function codeOf(work: () => unknown): string {
	try {
		work();
	} catch (error) {
		if (error instanceof ToolError) return error.code;
		throw error;
	}
	return "none";
}

it.each(["src/a.ts", "./src/../src/a.ts", "link", "@src/a.ts"])("reads %s", (path) => {
	expect(read(path)).toBe("export {};\n");
});

it("reads by absolute path and by address", () => {
	expect(read(join(cwd, "src/a.ts"))).toBe("export {};\n");
	expect(read(`file://${cwd}/src/a.ts`)).toBe("export {};\n");
});

it.each([
	["a b/id_rsa"],
	["a\u00a0b/id_rsa"],
	["a\u202fb/id_rsa"],
	["\u00e9cole/id_rsa"],
	["e\u0301cole/id_rsa"],
	["it's"],
	["it\u2019s"],
	["~/.ssh/id_rsa"],
	["@~/.ssh/id_rsa"],
	["../home/.ssh/id_rsa"],
	["src/../../home/.ssh/./id_rsa"],
	["FILE"],
	["@FILE"],
	["AGENTS.md"],
	["/proc/self/environ"],
	["file:///proc/self/environ"],
	["/proc/self/root/etc/shadow"],
	["/proc/1/environ"],
	["zero"],
	["/dev/null"],
	["/dev/zero"],
])("refuses %s", (path) => {
	const spelled = path.replace("FILE", `file://${home}/.ssh/id_rsa`);
	expect(codeOf(() => read(spelled))).toBe("FILE_CLOSED");
});

it("refuses pipes and sockets, and does not wait for them", () => {
	expect(codeOf(() => read("pipe"))).toBe("FILE_WRONG_KIND");
	expect(codeOf(() => read("socket"))).toBe("FILE_WRONG_KIND");
});

it("tells what is missing, too large or of another kind", () => {
	expect(codeOf(() => read("none"))).toBe("FILE_NOT_FOUND");
	expect(codeOf(() => read("src"))).toBe("FILE_WRONG_KIND");
	expect(codeOf(() => openJudgedDirectory(join(cwd, "link"), judge))).toBe("FILE_WRONG_KIND");
	expect(codeOf(() => readJudgedFile(join(cwd, "link"), judge, 3))).toBe("FILE_TOO_LARGE");
});

it("does not tell whether a closed file exists", () => {
	expect(codeOf(() => read("~/.ssh/none"))).toBe("FILE_CLOSED");
});

it("judges what is open, not what the path led to before", () => {
	const target = join(cwd, "swapped");
	writeFileSync(target, "mine");
	const swapping: Judge = {
		...judge,
		explain(path) {
			if (path === target) {
				rmSync(target);
				symlinkSync(join(home, ".ssh/id_rsa"), target);
			}
			return judge.explain(path);
		},
	};
	const before = readdirSync("/proc/self/fd").length;
	expect(codeOf(() => openJudged(target, swapping))).toBe("FILE_CLOSED");
	expect(readdirSync("/proc/self/fd").length).toBe(before);
});

it("opens nothing outside when the file becomes a link meanwhile", () => {
	const target = join(cwd, "moved");
	writeFileSync(target, "mine");
	writeFileSync(join(root, "outside.txt"), "of somebody else");
	const swapping: Judge = {
		...judge,
		explain(path) {
			if (path === target) {
				rmSync(target);
				symlinkSync(join(root, "outside.txt"), target);
			}
			return judge.explain(path);
		},
	};
	expect(codeOf(() => openInside("moved", { cwd, judge: swapping }, () => "opened"))).toBe("FILE_CLOSED");
});

it("reads what is left of a file that shrinks meanwhile, and no more than was asked for", () => {
	const target = join(cwd, "shrinking");
	writeFileSync(target, "0123456789");
	let looks = 0;
	const shrinking: Judge = {
		...judge,
		explain(path) {
			looks += 1;
			if (looks === 2) truncateSync(target, 4);
			return judge.explain(path);
		},
	};
	expect(readJudgedFile(target, shrinking, 100).bytes.toString()).toBe("0123");
	const entry = openJudgedFile(join(cwd, "src/a.ts"), judge);
	expect(readOpened(entry, 6).toString()).toBe("export");
	entry.close();
});

describe("on a machine where", () => {
	type Files = typeof import("node:fs");
	const target = () => join(cwd, "target");

	/** What comes of opening it, or of asking for it, when the file system does this. */
	async function openWith(change: (real: Files) => Partial<Record<keyof Files, unknown>>): Promise<string> {
		writeFileSync(target(), "mine");
		vi.resetModules();
		const real = await vi.importActual<Files>("node:fs");
		vi.doMock("node:fs", () => ({ ...real, ...change(real) }));
		try {
			const { openJudged: open } = await import("../../../src/judge/open-judged.ts");
			const entry = open(target(), judge, "target");
			entry.close();
			return entry.realPath;
		} catch (error) {
			return error instanceof Error && "code" in error ? `${error.code}: ${error.message}` : String(error);
		} finally {
			vi.doUnmock("node:fs");
			vi.resetModules();
			rmSync(target(), { force: true });
		}
	}
	const failing = (code: string) => () => {
		throw Object.assign(new Error("no"), { code });
	};

	it.each(["EACCES", "EPERM"])("the file is another user's (%s), that is said", async (code) => {
		expect(await openWith(() => ({ openSync: failing(code) }))).toBe(
			"FILE_UNREADABLE: target cannot be read: permission denied.",
		);
	});

	it("the disk fails, the code is said", async () => {
		expect(await openWith(() => ({ openSync: failing("EIO") }))).toBe(
			"FILE_UNREADABLE: target cannot be read (EIO).",
		);
	});

	it("nobody tells where a descriptor leads, the path does", async () => {
		expect(await openWith(() => ({ readlinkSync: failing("ENOENT") }))).toBe(target());
	});

	it("the directory is renamed meanwhile, the descriptor tells where the file is", async () => {
		const renamed = join(cwd, "renamed");
		const path = await openWith((real) => ({
			fstatSync: (descriptor: number) => {
				real.renameSync(target(), renamed);
				return real.fstatSync(descriptor);
			},
		}));
		rmSync(renamed);
		expect(path).toBe(renamed);
	});

	it.each<[string, Partial<Record<keyof Files, unknown>>]>([
		["", {}],
		[", and nobody tells where a descriptor leads", { readlinkSync: failing("ENOENT") }],
	])("the file is replaced by another one meanwhile%s, it is not opened", async (_name, more) => {
		const outcome = await openWith((real) => ({
			...more,
			fstatSync: (descriptor: number) => {
				const stats = real.fstatSync(descriptor);
				real.writeFileSync(join(cwd, "other"), "of somebody else");
				real.renameSync(join(cwd, "other"), target());
				return stats;
			},
		}));
		expect(outcome).toBe("FILE_UNREADABLE: target changed while it was opened; try again.");
	});

	it("a pipe takes the place of the file meanwhile, it is not opened", async () => {
		const outcome = await openWith((real) => ({
			openSync: (path: string, flags: number) => {
				real.rmSync(path);
				execFileSync("mkfifo", [path]);
				return real.openSync(path, flags);
			},
		}));
		expect(outcome).toBe("FILE_WRONG_KIND: target is a named pipe, not a regular file.");
	});
});

it.each([
	["the name that is there, also with @ before it", "@a", "@a"],
	["a name without the @ before it", "@b", "b"],
	["a name with an unusual space in it, as it is", "@c\u00a0d", "c\u00a0d"],
	["a name with a plain space", "@e\u00a0f", "e f"],
	["no other name for an @ inside of it", "g@h", "g@h"],
	["a screenshot of macOS", "at 1.02.03 PM.png", "at 1.02.03\u202fPM.png"],
	["an apostrophe that was set by a typographer", "\u00e9t's", "\u00e9t\u2019s"],
	["that as macOS writes it", "\u00e9a's", "e\u0301a\u2019s"],
	["a name that only looks like an address", "file:notes", "file:notes"],
])("takes for what a model wrote %s", (_name, written, real) => {
	const place = join(root, "spellings");
	for (const name of ["@a", "a", "b", "c\u00a0d", "c d", "e f", "gh", "file:notes", "at 1.02.03\u202fPM.png"])
		writeIn(place, name);
	for (const name of ["\u00e9t\u2019s", "e\u0301a\u2019s"]) writeIn(place, name);
	expect(resolveSpelling(written, { cwd: place, home })).toBe(join(place, real));
});

it.each<[string, () => unknown, string]>([
	["a missing file", () => openJudged(join(cwd, "none"), judge, "none"), "Path not found: none"],
	[
		"a file used as a directory",
		() => openJudged(join(cwd, "src/a.ts/b"), judge, "a.ts/b"),
		"Path not found: a.ts/b",
	],
	[
		"a name that is too long",
		() => openJudged(join(cwd, "x".repeat(300)), judge, "xxx"),
		"Path not found: xxx",
	],
	["a link to itself", () => openJudged(join(cwd, "loop"), judge, "loop"), "loop cannot be read (ELOOP)."],
	["a pipe", () => openJudged(join(cwd, "pipe"), judge, "pipe"), "pipe is a named pipe, not a regular file."],
	["a directory", () => openJudgedFile(join(cwd, "src"), judge, "src"), "src is a directory."],
	[
		"a closed file",
		() => openJudged(join(home, ".ssh/id_rsa"), judge, "key"),
		"key may not be read: credentials or private records are kept there",
	],
	["a file", () => openJudgedDirectory(join(cwd, "link"), judge, "link"), "Not a directory: link"],
	[
		"a large file",
		() => readJudgedFile(join(cwd, "link"), judge, 10, "link"),
		"link has 11 bytes; at most 10 are read.",
	],
])("says what is wrong with %s", (_name, work, message) => {
	expect(work).toThrow(message);
});

it("reads a file of exactly the size that is read", () => {
	expect(readJudgedFile(join(cwd, "link"), judge, 11).bytes.toString()).toBe("export {};\n");
});

it.each([
	["src/a.ts", "src/a.ts", false],
	["src/../link", "src/a.ts", false],
	["src", "src", true],
	[".", ".", true],
])("opens %s inside of the working directory", (path, shown, isDirectory) => {
	const before = readdirSync("/proc/self/fd").length;
	const found = openInside(path, { cwd, judge }, (_entry, inside) => inside);
	expect(found).toEqual({ real: join(cwd, shown), shown, isDirectory });
	expect(readdirSync("/proc/self/fd").length).toBe(before);
});

it.each(["..", "../repo-sibling", "/etc/hostname", "../none", "a b/id_rsa"])(
	"opens nothing outside: %s",
	(path) => {
		const open = () => openInside(path, { cwd, judge }, () => "opened");
		expect(codeOf(open)).toBe("FILE_CLOSED");
		expect(open).toThrow(`${path} is outside of the working directory, which is all this tool may look at`);
	},
);

it("leaves no descriptor open", () => {
	const before = readdirSync("/proc/self/fd").length;
	for (const path of ["src/a.ts", "a b/id_rsa", "zero", "src", "none", "pipe"]) codeOf(() => read(path));
	expect(codeOf(() => openJudgedFile(join(cwd, "src"), judge))).toBe("FILE_WRONG_KIND");
	expect(codeOf(() => openJudgedDirectory(join(cwd, "src/a.ts"), judge))).toBe("FILE_WRONG_KIND");
	openJudgedDirectory(join(cwd, "src"), judge).close();
	expect(readdirSync("/proc/self/fd").length).toBe(before);
});
