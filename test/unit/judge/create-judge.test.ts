import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { FileRules } from "../../../src/contract/file-rules.ts";
import { createJudge } from "../../../src/judge/create-judge.ts";
import { createOpenTest } from "../../../src/judge/create-open-test.ts";

let root: string;
let home: string;

beforeAll(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "deputize-judge-")));
	home = join(root, "home");
	for (const file of [
		".ssh/id_rsa",
		".ssh/..backup/id_rsa",
		".config/gh/hosts.yml",
		".config/nvim/init.lua",
		".cargo/registry/src/a/lib.rs",
		".cargo/credentials.toml",
		".venv/lib/site-packages/a.py",
		".venv/lib/pip.conf",
		".pi/agent/auth.json",
		".pi/agent/agents/mine.md",
		"work/repo/.git/HEAD",
		"work/repo/.env",
		"work/repo/packages/a/src/a.ts",
		"work/other/.env",
		"work/other/src/a.ts",
		"dotfiles/zshrc",
		"dotfiles/vault/token",
		"notes.txt",
	]) {
		mkdirSync(dirname(join(home, file)), { recursive: true });
		writeFileSync(join(home, file), "x");
	}
	symlinkSync(join(home, "dotfiles/zshrc"), join(home, ".zshrc"));
	symlinkSync(join(home, "dotfiles/vault"), join(home, ".aws"));
	symlinkSync("/usr", join(home, ".toolchain"));
	symlinkSync(root, join(home, ".everything"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function explain(path: string, cwd = "work/repo/packages/a", rules: Partial<FileRules> = {}) {
	const judge = createJudge({
		cwd: join(home, cwd),
		home,
		agentDirectory: join(home, ".pi/agent"),
		...rules,
	});
	return judge.explain(path.startsWith("/") ? path : join(home, path));
}

describe("the judge", () => {
	it.each([
		["work/repo/packages/a/src/a.ts"],
		["work/repo/.env"],
		["work/repo/.git/HEAD"],
		["work/other/src/a.ts"],
		["notes.txt"],
		[".cargo/registry/src/a/lib.rs"],
		[".venv/lib/site-packages/a.py"],
		["/usr/include/stdio.h"],
		["/etc/passwd"],
	])("opens %s", (path) => {
		expect(explain(path)).toBeUndefined();
	});

	it.each([
		[".ssh/id_rsa"],
		[".ssh/..backup/id_rsa"],
		[".ssh/..id_rsa"],
		[".config/gh/hosts.yml"],
		[".config/nvim/init.lua"],
		[".cargo/credentials.toml"],
		[".cargo/config.toml"],
		[".pi/agent/auth.json"],
		[".pi/agent/agents/mine.md"],
		[".pi/subagent-sessions/0123/explorer_1.jsonl"],
		["work/other/.env"],
		["dotfiles/zshrc"],
		["dotfiles/vault/token"],
		["/proc/self/environ"],
		["/proc/1/cmdline"],
		["/dev/zero"],
		["/sys/kernel/notes"],
		["/etc/shadow"],
		["/run/user/1000/bus"],
	])("closes %s", (path) => {
		expect(explain(path)).toEqual(expect.any(String));
	});

	it("names the rule and the setting", () => {
		expect(explain(".ssh/id_rsa")).toContain("subagents.readable");
		expect(explain("work/other/.env")).toContain("hidden entries of the home directory");
		expect(explain("notes.txt", ".", { unreadable: ["~/notes.txt"] })).toContain("subagents.unreadable");
		expect(explain("/proc/self/environ")).toContain("/proc");
		expect(explain(".venv/lib/pip.conf")).toContain("settings of a package manager can contain keys");
	});

	it("closes a profile of Windows like the home directory", () => {
		const users = join(root, "Users");
		for (const file of ["me/AppData/Roaming/a", "me/.ssh/id_rsa", "me/code/a.ts"]) {
			mkdirSync(dirname(join(users, file)), { recursive: true });
			writeFileSync(join(users, file), "x");
		}
		const judge = createJudge({
			cwd: join(users, "me/.ssh"),
			home,
			agentDirectory: join(home, ".pi/agent"),
			windowsUsers: [users],
		});
		expect(judge.explain(join(users, "me/AppData/Roaming/a"))).toContain("hidden entries");
		expect(judge.explain(join(users, "me/.ssh/id_rsa"))).toContain("credentials");
		expect(judge.explain(join(users, "me/code/a.ts"))).toBeUndefined();
		expect(judge.explain(join(home, "work/other/.env"))).toContain("hidden entries");
	});

	it("tells what is open although something around it is closed", () => {
		const judgeOf = (cwd: string, rules: Partial<FileRules>) =>
			createJudge({ cwd, home, agentDirectory: join(home, ".pi/agent"), ...rules });
		const open = judgeOf(join(home, "work/repo/packages"), { readable: ["~/.ssh"] }).exceptions();
		expect(open).toEqual(
			expect.arrayContaining([
				join(home, "work/repo"),
				join(home, ".cargo/registry/src"),
				join(home, ".ssh"),
			]),
		);
		expect(judgeOf(join(home, "work/repo/packages"), {}).workingTree()).toBe(join(home, "work/repo"));
		expect(judgeOf(home, {}).workingTree()).toBeUndefined();
		const closed = judgeOf(home, { readable: ["~/.ssh"], unreadable: ["~/.ssh"] }).exceptions();
		expect(closed).toContain(join(home, ".cargo/registry/src"));
		expect(closed).not.toContain(join(home, ".ssh"));
		expect(closed.every((path) => path.startsWith(join(home, ".")))).toBe(true);
	});

	it.runIf(process.platform === "linux").each([
		["tells names apart by their case", "6.8.0-generic", false],
		["does not where Windows keeps the files", "5.15.0-microsoft-standard-WSL2", true],
	])("%s", async (_name, release, isSame) => {
		vi.resetModules();
		vi.doMock("node:os", async (load) => ({
			...(await load<typeof import("node:os")>()),
			release: () => release,
		}));
		try {
			const { createJudge: create } = await import("../../../src/judge/create-judge.ts");
			const judge = create({
				cwd: home,
				home,
				agentDirectory: join(home, ".pi/agent"),
				windowsUsers: [],
				unreadable: ["/mnt/c/Closed", "~/Closed"],
			});
			expect(judge.explain("/mnt/c/Closed/a")).toBeDefined();
			expect(judge.explain("/mnt/c/closed/a") !== undefined).toBe(isSame);
			expect(judge.explain(join(home, "Closed/a"))).toBeDefined();
			expect(judge.explain(join(home, "closed/a"))).toBeUndefined();
		} finally {
			vi.doUnmock("node:os");
			vi.resetModules();
		}
	});

	it("takes the home directory itself for no working tree", () => {
		for (const cwd of [".", ".."]) {
			expect(explain(".ssh/id_rsa", cwd)).toBeDefined();
			expect(explain(".config/nvim/init.lua", cwd)).toBeDefined();
			expect(explain("notes.txt", cwd)).toBeUndefined();
		}
	});

	it("opens a working tree that is hidden, and none of the credentials in it", () => {
		expect(explain(".config/nvim/init.lua", ".config/nvim")).toBeUndefined();
		expect(explain(".config/nvim/init.lua", ".config")).toBeUndefined();
		expect(explain(".config/gh/hosts.yml", ".config")).toBeDefined();
		expect(explain(".ssh/id_rsa", ".ssh")).toBeDefined();
		expect(explain(".pi/agent/agents/mine.md", ".pi/agent")).toBeUndefined();
		expect(explain(".pi/agent/auth.json", ".pi/agent")).toBeDefined();
		expect(explain("dotfiles/zshrc", "dotfiles")).toBeUndefined();
		expect(explain("dotfiles/vault/token", "dotfiles")).toBeDefined();
	});

	it("lets the user open and close, and closing wins", () => {
		expect(explain(".config/nvim/init.lua", ".", { readable: ["~/.config/nvim"] })).toBeUndefined();
		expect(explain(".ssh/id_rsa", ".", { readable: ["~/.ssh"] })).toBeUndefined();
		expect(
			explain(".ssh/id_rsa", ".", { readable: ["~/.ssh"], unreadable: ["~/.ssh/id_rsa"] }),
		).toBeDefined();
		expect(explain("work/repo/packages/a/src/a.ts", "work/repo", { unreadable: ["packages"] })).toBeDefined();
		expect(explain("/proc/self/environ", ".", { readable: ["/", "/proc"] })).toBeDefined();
	});

	it("tests what a search found, and lets everything through where nothing is closed", () => {
		const judge = createJudge({ cwd: home, home, agentDirectory: join(home, ".pi/agent") });
		const found = ["notes.txt", ".ssh/id_rsa", ".zshrc", "work/other/.env"];
		expect(found.filter(createOpenTest(home, judge))).toEqual(["notes.txt"]);
		const inTree = createJudge({
			cwd: join(home, "work/repo"),
			home,
			agentDirectory: join(home, ".pi/agent"),
		});
		expect([".env", "packages/a/src/a.ts"].every(createOpenTest(join(home, "work/repo"), inTree))).toBe(true);
		expect([".env", "src/a.ts"].filter(createOpenTest(join(home, "work/other"), judge))).toEqual([
			"src/a.ts",
		]);
		expect([".env", "src/a.ts"].filter(createOpenTest(join(home, "work/other"), inTree))).toEqual([
			"src/a.ts",
		]);
		const partly = createJudge({
			cwd: join(home, "work/repo"),
			home,
			agentDirectory: join(home, ".pi/agent"),
			unreadable: ["packages"],
		});
		expect([".env", "packages/a/src/a.ts"].filter(createOpenTest(join(home, "work/repo"), partly))).toEqual([
			".env",
		]);
	});

	it("lists what is closed below a directory", () => {
		const judge = createJudge({ cwd: home, home, agentDirectory: join(home, ".pi/agent") });
		const closed = judge.closedBelow(home);
		expect(closed).toEqual(expect.arrayContaining([join(home, ".ssh"), join(home, "dotfiles/vault")]));
		expect(closed).not.toContain(join(home, "notes.txt"));
		const opened = createJudge({
			cwd: home,
			home,
			agentDirectory: join(home, ".pi/agent"),
			readable: ["~/.ssh"],
		});
		expect(opened.closedBelow(home)).not.toContain(join(home, ".ssh"));
		expect(judge.closedBelow(join(home, "work/repo"))).toEqual([]);
		expect(judge.closedBelow("/")).toEqual(expect.arrayContaining(["/proc", "/dev", "/sys"]));
	});
});
