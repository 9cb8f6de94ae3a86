import { execFileSync, spawn } from "node:child_process";
import {
	appendFileSync,
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { applyChanges } from "../../src/changes/apply-changes.ts";
import { collectChanges } from "../../src/changes/collect-changes.ts";
import { dropChanges } from "../../src/changes/drop-changes.ts";
import { listChanges } from "../../src/changes/list-changes.ts";
import { readPatch } from "../../src/changes/read-patch.ts";
import { recoverChanges } from "../../src/changes/recover-changes.ts";
import { undoChanges } from "../../src/changes/undo-changes.ts";
import type { ChangeSet } from "../../src/contract/changes.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { type ChangeBench, createChangeBench, listStates, readTree } from "../helpers/change-bench.ts";
import { fingerprintTree } from "../helpers/process-tree.ts";

const probe = await probeSandbox({ env: process.env });
const hasLayers = probe.works && probe.sandbox.layers.how !== "none";
/** Optional on a developer's machine, not in CI. */
const isLeftOut = !hasLayers && process.env["CI"] !== "true";
const isRoot = process.getuid?.() === 0;
/** How often a process is killed at a random moment. */
const KILLS = Number(process.env["DEPUTIZE_KILLS"] ?? 12);
const AT_ONCE = 4;

const FILES = {
	"src/a": "one\ntwo\nthree\n",
	"src/deep/b": Array.from({ length: 100 }, (_, line) => `${line + 1}\n`).join(""),
	"lib/x/c": "c\n",
	"old/o": "o\n",
	".gitignore": "ignored/\n*.log\n",
	"ignored/made": "by a build\n",
	"ignored.log": "by a run\n",
};

let bench: ChangeBench;

beforeAll(() => {
	if (!hasLayers && !isLeftOut)
		throw new Error(`These tests need layers: ${probe.works ? probe.sandbox.layers.reason : probe.reason}`);
});
beforeEach(() => {
	bench = createChangeBench(FILES);
	symlinkSync("src/a", join(bench.project, "link"));
	bench.git("init", "-q");
	bench.commit();
	// A person is in the middle of something.
	appendFileSync(join(bench.project, "src/a"), "not committed\n");
	bench.write("untracked", "not added\n");
});
afterEach(() => bench.remove());

const NAMES = (change: ChangeSet): readonly string[] => change.files.map(({ path }) => path);
const LONG = "n".repeat(255);

const EVERYTHING = `
echo more >> src/a
seq 50 > src/deep/b
rm -r lib; echo a file now > lib
rm old/o; mkdir old/o; echo inside > old/o/i
mv untracked renamed; chmod +x renamed
ln -sf /etc/passwd link
printf 'x' > 'new
line'; printf 'y' > "$(printf 'bytes\\377')"; printf z > ${LONG}
printf '\\000binary' > binary
echo again > ignored/made
git init -q embedded; echo e > embedded/e
mkfifo pipe
`;

describe.skipIf(isLeftOut)("what a child changes", () => {
	it.each([
		["a layer", "layer"],
		["a copy", "copy"],
	] as const)(
		"in %s is in its patch, and the project is byte for byte as before until it is applied",
		async (_, isolation) => {
			const whole = fingerprintTree(bench.project);
			const before = readTree(bench.project);
			const script = isolation === "layer" ? EVERYTHING : EVERYTHING.replace("echo again > ignored/made", "");
			const change = await bench.change(script, { isolation });
			expect(change.isolation).toBe(isolation);
			expect(fingerprintTree(bench.project)).toEqual(whole);
			expect([...NAMES(change)].sort()).toEqual(
				[
					...["binary", "bytes\ufffd", "lib", "lib/x/c", "link", "new\nline", LONG],
					...["old/o", "old/o/i", "renamed", "src/a", "src/deep/b"],
				].sort(),
			);
			expect(change.files.find(({ path }) => path === "renamed")).toMatchObject({
				from: "untracked",
				status: "renamed",
			});
			expect(change.files.find(({ path }) => path === "binary")?.added).toBeUndefined();
			// What the user has not committed is no part of it.
			expect(change.files.find(({ path }) => path === "src/a")).toMatchObject({ added: 1, removed: 0 });
			expect(change.repositories.names).toEqual(["embedded/"]);
			expect(change.ignored.names).toEqual(isolation === "layer" ? ["ignored/made", "pipe"] : []);

			const other = `${bench.project}-other`;
			execFileSync("cp", ["-a", bench.project, other]);
			const patch = await readPatch(bench, change.id);
			execFileSync("git", ["apply", "-"], { cwd: other, input: patch, env: bench.env });
			const repository = fingerprintTree(join(bench.project, ".git"));
			expect(await applyChanges(bench, change.id)).toMatchObject({ isApplied: true });
			expect(readTree(bench.project)).toEqual(readTree(other));
			expect(await undoChanges(bench, change.id)).toMatchObject({ isUndone: true });
			expect(readTree(bench.project)).toEqual(before);
			expect(fingerprintTree(join(bench.project, ".git"))).toEqual(repository);
		},
	);

	it("that changed nothing leaves nothing", async () => {
		const layer = await bench.open();
		await bench.work(layer, "cat src/a; git status >/dev/null");
		expect(await collectChanges(layer)).toBeUndefined();
		expect(listStates(bench)).toEqual([]);
	});

	it("and committed is in the patch by its content, and the user's repository has no object of it", async () => {
		const whole = fingerprintTree(bench.project);
		const change = await bench.change(
			`git -c user.name=c -c user.email=c@example.org commit -qam theirs; echo after >> src/a
			git -c user.name=c -c user.email=c@example.org commit -qam theirs`,
		);
		expect(NAMES(change)).toEqual(["src/a"]);
		expect(fingerprintTree(bench.project)).toEqual(whole);
		expect(await applyChanges(bench, change.id)).toMatchObject({ isApplied: true });
		expect(readFileSync(join(bench.project, "src/a"), "utf8")).toBe(
			"one\ntwo\nthree\nnot committed\nafter\n",
		);
	});

	it("cannot be hidden by a time that is set back", async () => {
		const change = await bench.change(
			"touch -r src/a /tmp/time 2>/dev/null || true; cp -p src/a keep; printf 'ONE' | dd of=src/a conv=notrunc 2>/dev/null; touch -r keep src/a; rm keep",
		);
		expect(change.files).toMatchObject([{ path: "src/a", added: 1, removed: 1 }]);
	});

	it("starts nothing that it planted: no hook, filter, attribute or setting", async () => {
		const mark = join(bench.home, "started");
		// In the user's settings too, which are not the child's but are not asked either.
		bench.write(
			join(bench.home, ".gitconfig"),
			`[filter "evil"]\n\tclean = touch ${mark}\n\tsmudge = touch ${mark}\n[core]\n\tfsmonitor = touch ${mark}\n[diff "evil"]\n\ttextconv = touch ${mark}\n`,
		);
		const change = await bench.change(`
			printf '* text eol=crlf filter=evil diff=evil merge=union ident\\n' > .gitattributes
			printf 'line\\r\\n$Id$\\n' > made
			git config filter.evil.clean 'touch /tmp/x'; git config core.fsmonitor 'touch /tmp/x'; git config core.worktree /etc
			mkdir -p .git/hooks; for h in post-index-change pre-commit; do printf '#!/bin/sh\\ntouch ${mark}\\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done`);
		expect(NAMES(change)).toEqual([".gitattributes", "made"]);
		expect(await applyChanges(bench, change.id)).toMatchObject({ isApplied: true });
		expect(readFileSync(join(bench.project, "made"), "utf8")).toBe("line\r\n$Id$\n");
		expect(existsSync(mark)).toBe(false);
		expect(existsSync(join(bench.project, ".git/hooks/pre-commit"))).toBe(false);
	});

	it("goes on in the layer of its session, with what was built there and what was applied", async () => {
		const origin = { agent: "fixer", task: "x", runId: "12345678", sessionId: "s" };
		const first = await bench.change("echo built > ignored/built; echo first > made; echo other > second", {
			origin,
		});
		expect(await applyChanges(bench, first.id, { files: ["made"] })).toMatchObject({ isApplied: true });
		const next = await bench.change("cat ignored/built; echo more >> made", { origin });
		expect(next.id).toBe(first.id);
		expect(next.files).toMatchObject([
			{ path: "made", status: "modified", added: 1, isApplied: false },
			{ path: "second", isApplied: false },
		]);
		expect(await applyChanges(bench, next.id)).toMatchObject({ isApplied: true });
		expect(readFileSync(join(bench.project, "made"), "utf8")).toBe("first\nmore\n");
		expect(existsSync(join(bench.project, "ignored/built"))).toBe(false);
	});

	it("can be hundreds of files, and a file that Git keeps as a stream", async () => {
		const before = readTree(bench.project);
		// 10,000 files and one of 1 GB are tried by hand: they take a minute.
		const change = await bench.change(
			"truncate -s 40M large; mkdir many; for n in $(seq 250); do echo $n > many/$n; done",
		);
		expect(change.files).toHaveLength(251);
		// The layer itself, and each content once.
		expect(change.bytes).toBeLessThan(4 * 1024 * 1024);
		expect(await applyChanges(bench, change.id)).toMatchObject({ isApplied: true });
		expect(readdirSync(join(bench.project, "many"))).toHaveLength(250);
		expect(statSync(join(bench.project, "large")).size).toBe(40 * 1024 * 1024);
		expect(await undoChanges(bench, change.id)).toMatchObject({ isUndone: true });
		expect(readTree(bench.project)).toEqual(before);
	});
});

describe.skipIf(isLeftOut)("a project", () => {
	const CHANGE = "echo more >> src/a; rm old/o; echo new > src/new";
	const KINDS: Readonly<Record<string, () => string>> = {
		"without a commit": () => {
			rmSync(join(bench.project, ".git"), { recursive: true });
			bench.git("init", "-q");
			return bench.project;
		},
		"without a repository": () => {
			rmSync(join(bench.project, ".git"), { recursive: true });
			return bench.project;
		},
		"that is a linked worktree": () => {
			const linked = `${bench.project}-linked`;
			bench.git("worktree", "add", "-q", linked);
			return linked;
		},
		"whose repository is elsewhere": () => {
			renameSync(join(bench.project, ".git"), `${bench.project}.git`);
			bench.write(".git", `gitdir: ${bench.project}.git\n`);
			return bench.project;
		},
		"that is a submodule": () => {
			const outer = `${bench.project}-outer`;
			execFileSync("git", ["init", "-q", outer]);
			execFileSync(
				"git",
				[
					"-C",
					outer,
					"-c",
					"protocol.file.allow=always",
					"submodule",
					"--quiet",
					"add",
					bench.project,
					"inner",
				],
				{ stdio: "pipe" },
			);
			return join(outer, "inner");
		},
		"with half an index in another file": () => {
			bench.git("update-index", "--split-index");
			return bench.project;
		},
		"of which only a part is checked out": () => {
			bench.git("sparse-checkout", "set", "src", "old");
			return bench.project;
		},
		"whose files are promised not to change": () => {
			bench.git("update-index", "--assume-unchanged", "src/a");
			return bench.project;
		},
		"with hashes of another kind": () => {
			rmSync(join(bench.project, ".git"), { recursive: true });
			bench.git("init", "-q", "--object-format=sha256");
			bench.commit();
			return bench.project;
		},
		"in the middle of a merge": () => {
			bench.git("stash", "-q");
			bench.git("checkout", "-qb", "other");
			bench.write("lib/x/c", "theirs\n");
			bench.commit();
			bench.git("checkout", "-q", "-");
			bench.write("lib/x/c", "ours\n");
			bench.commit();
			expect(() => bench.git("merge", "-q", "other")).toThrow();
			return bench.project;
		},
		"with a name that ends options": () => {
			const odd = `${bench.project},upperdir=x:y\n\\ z`;
			renameSync(bench.project, odd);
			return odd;
		},
	};
	it.each(Object.keys(KINDS))("%s", async (kind) => {
		const directory = realpathSync(KINDS[kind]?.() ?? "");
		const before = fingerprintTree(directory);
		const contents = readTree(directory);
		const change = await bench.change(CHANGE, {
			directory,
		});
		expect(fingerprintTree(directory)).toEqual(before);
		expect(change.files.map(({ path, status }) => `${status} ${path}`)).toEqual([
			"deleted old/o",
			"modified src/a",
			"added src/new",
		]);
		expect(await applyChanges(bench, change.id)).toMatchObject({ isApplied: true });
		expect(existsSync(join(directory, "old"))).toBe(false);
		expect(readFileSync(join(directory, "src/a"), "utf8").endsWith("more\n")).toBe(true);
		expect(await undoChanges(bench, change.id)).toMatchObject({ isUndone: true });
		expect(readTree(directory)).toEqual(contents);
	});

	it("with files that are stored otherwise than they are, such as pointers of Git LFS, changes as they are", async () => {
		bench.git("config", "filter.upper.clean", "tr a-z A-Z");
		bench.git("config", "filter.upper.smudge", "tr A-Z a-z");
		bench.write(".gitattributes", "*.up filter=upper\n*.txt text eol=crlf\n");
		bench.write("big.up", "lower\n");
		bench.write("dos.txt", "x\r\n");
		bench.commit();
		const change = await bench.change("echo more >> big.up; printf 'y\\r\\n' >> dos.txt");
		expect(change.files).toMatchObject([
			{ path: "big.up", added: 1, removed: 0 },
			{ path: "dos.txt", added: 1, removed: 0 },
		]);
		expect(await applyChanges(bench, change.id)).toMatchObject({ isApplied: true });
		expect(readFileSync(join(bench.project, "big.up"), "utf8")).toBe("lower\nmore\n");
		expect(readFileSync(join(bench.project, "dos.txt"), "utf8")).toBe("x\r\ny\r\n");
	});

	it("with a submodule names it when a child changes it, and applies nothing there", async () => {
		const module = `${bench.project}-module`;
		execFileSync("git", ["init", "-q", module]);
		writeFileSync(join(module, "m"), "m\n");
		execFileSync("git", ["-C", module, "add", "m"]);
		execFileSync("git", ["-C", module, "-c", "user.name=t", "-c", "user.email=t@e", "commit", "-qm", "m"]);
		bench.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", module, "module");
		bench.commit();
		const change = await bench.change("echo changed > module/m; echo more >> src/a");
		expect(NAMES(change)).toEqual(["src/a"]);
		expect(change.repositories).toEqual({ count: 1, names: ["module/"] });
		expect(await applyChanges(bench, change.id)).toMatchObject({ isApplied: true });
		expect(readFileSync(join(bench.project, "module/m"), "utf8")).toBe("m\n");
	});

	it("that is the home directory, or contains it, is refused before anything is started", async () => {
		await expect(bench.open({ directory: bench.home })).rejects.toThrow(/home directory|is inside of it/);
		expect(existsSync(join(bench.agentDirectory, "deputize/changes"))).toBe(false);
	});
});

describe.skipIf(isLeftOut)("the user meanwhile", () => {
	it("edits other files: they are no part of the changes, and stay", async () => {
		const layer = await bench.open();
		await bench.work(layer, "echo theirs >> src/a");
		bench.write("lib/x/c", "mine\n");
		bench.write("mine", "mine\n");
		unlinkSync(join(bench.project, "untracked"));
		const change = await collectChanges(layer);
		expect(change && NAMES(change)).toEqual(["src/a"]);
		expect(await applyChanges(bench, change?.id ?? "")).toMatchObject({ isApplied: true });
		expect(readFileSync(join(bench.project, "lib/x/c"), "utf8")).toBe("mine\n");
		expect(existsSync(join(bench.project, "untracked"))).toBe(false);
	});

	it("edits other lines, commits, switches the branch and rebases: both are there", async () => {
		const change = await bench.change("sed -i s/^90$/ninety/ src/deep/b");
		const branch = bench.git("symbolic-ref", "--short", "HEAD").trim();
		bench.git("checkout", "-qb", "elsewhere");
		bench.write("src/deep/b", (FILES["src/deep/b"] ?? "").replace("5\n", "five\n"));
		bench.commit();
		bench.git("checkout", "-q", branch);
		bench.git("commit", "-q", "--allow-empty", "-m", "later");
		bench.git("rebase", "-q", branch, "elsewhere");
		expect(await applyChanges(bench, change.id)).toMatchObject({ isApplied: true });
		const text = readFileSync(join(bench.project, "src/deep/b"), "utf8");
		expect([text.includes("five\n"), text.includes("ninety\n")]).toEqual([true, true]);
	});

	it("edits the same lines: nothing is changed, and the conflict has its lines", async () => {
		const change = await bench.change(
			"sed -i 's/^two$/theirs/' src/a; echo new > new; rm old/o; echo t > binary",
		);
		bench.write("src/a", "zero\none\nmine\nthree\nnot committed\n");
		bench.write("old/o", "mine\n");
		bench.write("binary", "mine\n");
		const before = fingerprintTree(bench.project);
		expect(await applyChanges(bench, change.id)).toMatchObject({
			isApplied: false,
			conflicts: [
				{ path: "binary", reason: "it was made in the project and by the child, with different contents" },
				{ path: "old/o", reason: "it was changed in the project, and the child removed it" },
				{ path: "src/a", reason: "both changed the same lines", lines: [{ from: 3, to: 3 }] },
			],
		});
		expect(fingerprintTree(bench.project)).toEqual(before);
		expect(await applyChanges(bench, change.id, { files: ["new"] })).toMatchObject({ isApplied: true });
		expect(readTree(bench.project)["new"]).toBe(`${(0o100666 & ~process.umask()).toString(8)} new\n`);
	});

	it("puts a link where a directory was: nothing is written through it", async () => {
		const change = await bench.change("echo theirs >> src/a; echo new > src/new");
		const outside = join(bench.home, "outside");
		mkdirSync(outside);
		renameSync(join(bench.project, "src"), join(bench.home, "src-before"));
		symlinkSync(outside, join(bench.project, "src"));
		expect(await applyChanges(bench, change.id)).toMatchObject({ isApplied: false });
		expect(readdirSync(outside)).toEqual([]);
	});

	it("changes a file after it was applied: undo refuses, and changes nothing", async () => {
		const change = await bench.change("echo theirs >> src/a; echo new > new");
		await applyChanges(bench, change.id);
		appendFileSync(join(bench.project, "new"), "mine\n");
		const before = fingerprintTree(bench.project);
		expect(await undoChanges(bench, change.id)).toMatchObject({ isUndone: false, changed: ["new"] });
		expect(fingerprintTree(bench.project)).toEqual(before);
	});

	it("deletes the project: the changes are kept", async () => {
		const change = await bench.change("echo theirs >> src/a");
		renameSync(bench.project, `${bench.project}-gone`);
		await expect(applyChanges(bench, change.id)).rejects.toThrow(/not there any more/);
		expect((await readPatch(bench, change.id)).toString()).toContain("+theirs");
		renameSync(`${bench.project}-gone`, bench.project);
	});

	it("applies two changes at once: one waits for the other", async () => {
		const first = await bench.change("sed -i s/^10$/ten/ src/deep/b");
		const second = await bench.change("sed -i s/^90$/ninety/ src/deep/b");
		const results = await Promise.all([applyChanges(bench, first.id), applyChanges(bench, second.id)]);
		expect(results.map(({ isApplied }) => isApplied)).toEqual([true, true]);
		const text = readFileSync(join(bench.project, "src/deep/b"), "utf8");
		expect([text.includes("ten\n"), text.includes("ninety\n")]).toEqual([true, true]);
	});

	it.skipIf(isRoot)("may not write in the project: nothing is changed", async () => {
		const change = await bench.change("echo theirs >> src/a; echo new > lib/new");
		chmodSync(join(bench.project, "lib"), 0o555);
		const before = readTree(bench.project);
		await expect(applyChanges(bench, change.id)).rejects.toThrow(/Nothing was changed/);
		expect(readTree(bench.project)).toEqual(before);
		chmodSync(join(bench.project, "lib"), 0o755);
	});

	it.skipIf(!isRoot)("has a full disk: nothing is changed, and the change is kept", async () => {
		const change = await bench.change("head -c 3000000 /dev/urandom > large; echo theirs >> src/a");
		const kept = `${bench.project}-kept`;
		renameSync(bench.project, kept);
		mkdirSync(bench.project);
		execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m,mode=755", "none", bench.project]);
		try {
			execFileSync("cp", ["-a", `${kept}/.`, bench.project]);
			const before = readTree(bench.project);
			await expect(applyChanges(bench, change.id)).rejects.toThrow(/space|Nothing was changed/i);
			expect(readTree(bench.project)).toEqual(before);
			expect((await listChanges(bench)).changes).toMatchObject([{ id: change.id, state: "pending" }]);
		} finally {
			execFileSync("umount", [bench.project]);
		}
	});

	it("drops a change: nothing of it is left", async () => {
		const change = await bench.change("echo theirs >> src/a; mkdir -m 000 closed");
		expect(await dropChanges(bench, change.id)).toMatchObject({ id: change.id });
		expect(listStates(bench)).toEqual([]);
		await expect(applyChanges(bench, change.id)).rejects.toThrow(/There is no change/);
	});
});

const fixture = (name: string): string =>
	fileURLToPath(new URL(`../fixtures/changes/${name}`, import.meta.url));

/** Starts a program, waits until it is ready, and kills it some moments later. */
async function killAtRandom(name: string, args: readonly string[], maxMs: number): Promise<string> {
	const child = spawn(process.execPath, [fixture(name), ...args], {
		env: bench.env,
		stdio: ["ignore", "pipe", "inherit"],
	});
	const ready = await new Promise<string>((resolve, reject) => {
		child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString()));
		child.once("exit", (code) => reject(new Error(`It ended with ${code}.`)));
	});
	await new Promise((resolve) => setTimeout(resolve, Math.random() * maxMs));
	const ended = new Promise((resolve) => child.once("exit", resolve));
	child.kill("SIGKILL");
	await ended;
	return ready;
}

describe.skipIf(isLeftOut)("kill -9", () => {
	it("of apply and undo at a random moment: the project is as before or as after, never between", {
		timeout: 60_000 + KILLS * 5000,
	}, async () => {
		const script = `${EVERYTHING}\nfor n in $(seq 60); do echo $n > many-$n; done`;
		const made = await bench.change(script);
		const before = readTree(bench.project);
		// The kernel's own directory of a layer, which nobody may enter or copy.
		chmodSync(join(bench.agentDirectory, "deputize/changes", made.id, "work/work"), 0o700);
		const projects = await Promise.all(
			Array.from({ length: AT_ONCE }, async (_, at) => {
				// Each with a project and changes of its own, so that several can be killed at once.
				const project = `${bench.project}-${at}`;
				const agentDirectory = `${bench.agentDirectory}-${at}`;
				execFileSync("cp", ["-a", bench.project, project]);
				execFileSync("cp", ["-a", bench.agentDirectory, agentDirectory]);
				const record = join(agentDirectory, "deputize/changes", made.id, "record.json");
				writeFileSync(record, readFileSync(record, "utf8").replaceAll(`"${bench.project}"`, `"${project}"`));
				return { project, place: { env: bench.env, agentDirectory } };
			}),
		);
		await applyChanges(bench, made.id);
		const after = readTree(bench.project);
		let rounds = 0;
		const kill = async ({ project, place }: (typeof projects)[number]): Promise<void> => {
			for (; rounds < KILLS; ) {
				rounds += 1;
				await killAtRandom("apply-again-and-again.ts", [place.agentDirectory, made.id], 700);
				const { changes, notices } = await listChanges(place);
				expect(notices).toEqual([]);
				const isApplied = changes[0]?.state === "applied";
				expect(readTree(project)).toEqual(isApplied ? after : before);
				if (isApplied) await undoChanges(place, made.id);
			}
		};
		await Promise.all(projects.map(kill));
		expect(rounds).toBeGreaterThanOrEqual(KILLS);
	});

	it("of whoever watches over a child: what it wrote is found and told exactly once", {
		timeout: 60_000 + KILLS * 1500,
	}, async () => {
		const whole = fingerprintTree(bench.project);
		for (let round = 0; round < Math.ceil(KILLS / 5); round += 1) {
			const ready = await killAtRandom("write-until-killed.ts", [bench.agentDirectory, bench.project], 300);
			const id = ready.trim().split(" ")[1] ?? "";
			const upper = join(bench.agentDirectory, "deputize/changes", id, "upper");
			await waitUntilQuiet(upper);
			const written = readdirSync(upper).filter((name) => name.startsWith("new-"));
			const told = await Promise.all([recoverChanges(bench), recoverChanges(bench)]);
			const found = told.flatMap((recovered) => recovered.found);
			expect(told.flatMap(({ problems }) => problems)).toEqual([]);
			if (written.length === 0) expect(found.length).toBeLessThan(2);
			else {
				expect(found).toMatchObject([{ id, wasInterrupted: true }]);
				const names = found.flatMap(NAMES).filter((name) => name.startsWith("new-"));
				expect(names.sort()).toEqual(written.sort());
			}
			expect((await recoverChanges(bench)).found).toEqual([]);
			expect(fingerprintTree(bench.project)).toEqual(whole);
			if (listStates(bench).includes(id)) await dropChanges(bench, id);
		}
		expect(listStates(bench)).toEqual([]);
	});
});

/** The kernel needs a moment to end everything in a namespace. */
async function waitUntilQuiet(directory: string): Promise<void> {
	for (let before = -1, now = 0; before !== now; now = readdirSync(directory).length) {
		before = now;
		await new Promise((resolve) => setTimeout(resolve, 150));
	}
}
