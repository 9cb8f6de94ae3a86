import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { confineGit } from "../../../src/git/confine-git.ts";
import { listWorkChanges } from "../../../src/git/list-work-changes.ts";
import { type GitPlace, openRepository } from "../../../src/git/open-repository.ts";
import { probeSandbox } from "../../../src/sandbox/probe-sandbox.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox-probe.ts";
import { createTrapPlace, type TrapPlace } from "../../helpers/git-traps.ts";

let place: TrapPlace;
beforeEach(() => {
	place = createTrapPlace(mkdtempSync(join(tmpdir(), "git-room-")));
});
afterEach(() => rmSync(place.root, { recursive: true, force: true }));

const PATH = process.env["PATH"] ?? "";
const open = async (changes: Partial<GitPlace> = {}) => {
	const env = { PATH, HOME: place.root };
	const repository = await openRepository({ directory: place.tree, env, timeoutMs: 10_000, ...changes });
	if (repository === undefined) throw new Error("no repository");
	return repository;
};

describe("openRepository", () => {
	it("finds the repository around a directory, and none where there is none", async () => {
		mkdirSync(join(place.tree, "deep/er"), { recursive: true });
		// An empty directory of that name is none.
		mkdirSync(join(place.tree, "deep/.git"));
		const repository = await open({ directory: join(place.tree, "deep/er") });
		expect(repository).toMatchObject({ top: place.tree, prefix: "deep/er/" });
		expect(repository.head).toBe(place.git("rev-parse", "HEAD"));
		expect(await openRepository({ directory: place.root, env: { PATH }, timeoutMs: 1000 })).toBeUndefined();
	});

	it("says so when an answer was cut off, failed or took too long", async () => {
		const { git } = await open();
		await expect(git(["cat-file", "-p", "HEAD"], { maxBytes: 10 })).rejects.toThrow(
			/^git cat-file: .* wrote more than 10 bytes of output\.$/,
		);
		await expect(git(["cat-file", "-p", "nothing"])).rejects.toThrow(/^git cat-file: fatal: .*nothing/);
		const wrap = () => ({ command: "sleep", args: ["60"] });
		await expect(open({ timeoutMs: 100, wrap })).rejects.toThrow(/did not finish within 100 ms/);
	});

	it("refuses a Git that would take the repository's settings, and says what to do without one", async () => {
		const bin = join(place.root, "bin");
		mkdirSync(bin);
		await expect(open({ env: { PATH: bin } })).rejects.toThrow("git was not found on PATH. Install Git.");
		writeFileSync(join(bin, "git"), "#!/bin/sh\necho git version 2.25.1\n");
		chmodSync(join(bin, "git"), 0o755);
		await expect(open({ env: { PATH: bin } })).rejects.toThrow(/git version 2\.25\.1 is too old: 2\.32/);
	});

	it("starts Git through the sandbox it is given", async () => {
		const started: string[] = [];
		await open({
			wrap(command, args) {
				started.push([command, ...args].join(" "));
				return { command, args };
			},
		});
		expect(started).toEqual([
			expect.stringMatching(/git --no-pager version$/),
			expect.stringMatching(/git --no-pager rev-parse --verify --quiet HEAD$/),
		]);
	});
});

const ANY_SANDBOX: Sandbox = {
	...{ mechanism: "bubblewrap", program: "bwrap" },
	...{ hasSizes: true, hasFilter: false, nests: false, hasNobody: false },
	layers: { how: "none", reason: "" },
};

describe("confineGit", () => {
	it("gives Git no network and nothing to write, and Git works there", async () => {
		expect(confineGit({ works: false, reason: "none" })).toBeUndefined();
		const probe = await probeSandbox({ env: { PATH } });
		const wrap = confineGit(probe.works ? probe : { works: true, reason: "", sandbox: ANY_SANDBOX });
		const { args = [] } = wrap?.("git", ["version"]) ?? {};
		expect(args).toContain("--unshare-net");
		expect(args).not.toContain("--bind");
		if (probe.works) expect((await open({ wrap })).head).toBe(place.git("rev-parse", "HEAD"));
	});
});

describe("listWorkChanges", () => {
	const list = async (isExact: boolean, files: readonly string[] = []) => {
		const changes = await listWorkChanges(await open(), { files, below: "", isExact, timeoutMs: 10_000 });
		return changes.map(({ path, before, after }) => {
			if (before === undefined) return `new ${path}`;
			return `${after === undefined ? "gone" : "changed"} ${path}`;
		});
	};

	it("tells changed, new and missing files, links and odd names", async () => {
		place.write("b.js", "b\n");
		place.write("naïve \n name.js", "c\n");
		place.git("add", ".");
		place.git("commit", "-qm", "more");
		expect(await list(false, ["a.js", "b.js"])).toEqual([]);
		expect(await list(true, ["a.js", "b.js"])).toEqual([]);
		rmSync(join(place.tree, "b.js"));
		place.write("naïve \n name.js", "d\n");
		place.write("new.js", "e\n");
		expect(await list(false, ["a.js", "new.js"])).toEqual([
			"gone b.js",
			"changed naïve \n name.js",
			"new new.js",
		]);
	});

	it.each(["--assume-unchanged", "--skip-worktree"])("exactly sees through %s", async (flag) => {
		place.git("update-index", flag, "a.js");
		expect(await list(true)).toEqual([]);
		place.write("a.js", "function take() {}\n");
		expect(place.git("diff", "HEAD"), "Git itself does not see it").toBe("");
		expect(await list(true)).toEqual(["changed a.js"]);
	});

	it("does not call a file changed that is not checked out, or that only a filter made", async () => {
		place.write("left-out.js", "x\n");
		place.write("large.bin", "pointer\n");
		place.write(".gitattributes", "*.bin filter=large\n");
		place.git("add", ".");
		place.git("commit", "-qm", "more");
		place.git("update-index", "--skip-worktree", "left-out.js");
		rmSync(join(place.tree, "left-out.js"));
		// As Git LFS does: the file has other content than the commit, and Git has noted that this is right.
		place.git("config", "filter.large.clean", "echo pointer");
		place.write("large.bin", "a great many bytes\n");
		await new Promise((resolve) => setTimeout(resolve, 20));
		place.git("add", "large.bin");
		await new Promise((resolve) => setTimeout(resolve, 20));
		place.git("update-index", "--force-write-index", "--refresh");
		expect(await list(false)).toEqual([]);
		expect(await list(true)).toEqual(["changed large.bin", "gone left-out.js"]);
	});
});
