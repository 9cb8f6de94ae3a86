import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createJudge } from "../../../../src/judge/create-judge.ts";
import { readGitFacts } from "../../../../src/navigator/changes/read-git-facts.ts";

describe("readGitFacts", () => {
	let root = "";
	const tree = () => join(root, "tree");
	const git = (...args: string[]) =>
		execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@b", ...args], {
			cwd: tree(),
			env: { PATH: process.env["PATH"], HOME: root },
			stdio: ["ignore", "pipe", "ignore"],
		});
	const write = (path: string, text: string) => writeFileSync(join(tree(), path), text);
	const read = (
		task: string,
		more: { unreadable?: readonly string[]; projectTrusted?: boolean; PATH?: string } = {},
	) =>
		readGitFacts(task, {
			cwd: tree(),
			judge: createJudge({
				cwd: tree(),
				home: root,
				agentDirectory: join(root, "agent"),
				unreadable: more.unreadable ?? [],
			}),
			env: { PATH: more.PATH ?? process.env["PATH"], HOME: root },
			projectTrusted: more.projectTrusted ?? false,
		});

	beforeEach(() => {
		root = mkdtempSync(join(tmpdir(), "git-facts-"));
		mkdirSync(tree());
		git("init", "-q");
		write("a.js", "function bake() {}\n");
		write("closed.js", "const secret = 1;\n");
		git("add", ".");
		git("commit", "-qm", "Bread is baked");
	});
	afterEach(() => rmSync(root, { recursive: true, force: true }));

	it("reads what is uncommitted, new files too, and what a commit changed", async () => {
		write("a.js", "function bake() {}\nfunction knead() {}\n");
		write("new.js", "fresh();\n");
		const { changes } = await read("Review my uncommitted changes.");
		expect(changes?.files.map(({ path, added }) => [path, added[0]?.text])).toEqual([
			["a.js", "function knead() {}"],
			["new.js", "fresh();"],
		]);
		git("add", ".");
		git("commit", "-qm", "Kneading");
		expect((await read("Review the last commit.")).changes?.files.map(({ path }) => path)).toEqual([
			"a.js",
			"new.js",
		]);
		expect((await read("Where is bake?")).changes).toBeUndefined();
		expect(
			(await read("Who changed knead?")).commits.map(({ author, subject }) => [author, subject]),
		).toEqual([
			["Ada", "Kneading"],
			["Ada", "Bread is baked"],
		]);
		expect((await read("Who changed `knead`?")).touching?.hashes).toHaveLength(1);
	});

	it("starts no program that the repository names", async () => {
		const marker = join(root, "ran");
		const program = join(root, "program");
		writeFileSync(program, `#!/bin/sh\necho ran >> ${marker}\ncat\n`);
		chmodSync(program, 0o755);
		write(".gitattributes", "*.js diff=evil filter=evil\n");
		for (const key of [
			...["core.fsmonitor", "core.pager", "diff.external", "diff.evil.textconv", "diff.evil.command"],
			...["filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "core.sshCommand"],
		])
			git("config", key, program);
		git("config", "filter.evil.required", "true");
		write("a.js", "function bake() { changed(); }\n");
		const { changes } = await read("Review my uncommitted changes, and who changed `bake`?");
		expect(changes?.files.map(({ path }) => path)).toContain("a.js");
		expect(existsSync(marker)).toBe(false);
	});

	it("shows nothing of a closed file, and nothing of a tree that is elsewhere", async () => {
		write("closed.js", "const secret = 2;\n");
		const closed = await read("Review my uncommitted changes.", { unreadable: [join(tree(), "closed.js")] });
		expect(JSON.stringify(closed.changes)).not.toContain("secret");
		mkdirSync(join(root, "elsewhere"));
		writeFileSync(join(root, "elsewhere/a.js"), "private\n");
		git("config", "core.worktree", join(root, "elsewhere"));
		expect(JSON.stringify(await read("Review my uncommitted changes."))).not.toContain("private");
	});

	it("runs a linter of the project only when the project is trusted", async () => {
		mkdirSync(join(tree(), "node_modules/.bin"), { recursive: true });
		const linter = join(tree(), "node_modules/.bin/oxlint");
		const answer = JSON.stringify({
			diagnostics: [{ filename: "a.js", message: "bad", code: "x", labels: [{ span: { line: 1 } }] }],
		});
		writeFileSync(linter, `#!/bin/sh\necho '${answer}'\n`);
		chmodSync(linter, 0o755);
		write("a.js", "function bake() { changed(); }\n");
		const PATH = `${join(tree(), "node_modules/.bin")}:${process.env["PATH"]}`;
		expect((await read("Review my changes.", { PATH })).lint?.findings ?? []).toEqual([]);
		expect((await read("Review my changes.", { projectTrusted: true })).lint).toEqual({
			by: "oxlint",
			findings: [{ path: "a.js", line: 1, message: "bad (x)" }],
		});
	});

	it("asks the machine's shellcheck about scripts, without the project's settings", async () => {
		const PATH = `${join(root, "bin")}:${process.env["PATH"]}`;
		mkdirSync(join(root, "bin"));
		const linter = join(root, "bin/shellcheck");
		const answer = JSON.stringify({ comments: [{ file: "a.sh", line: 1, message: "bad", code: 2086 }] });
		writeFileSync(linter, `#!/bin/sh\necho "$*" > ${join(root, "asked")}\necho '${answer}'\n`);
		chmodSync(linter, 0o755);
		write("a.sh", "echo $1\n");
		git("add", "a.sh");
		expect((await read("Review my changes.", { PATH })).lint).toEqual({
			by: "shellcheck",
			findings: [{ path: "a.sh", line: 1, message: "bad (SC2086)" }],
		});
		expect(readFileSync(join(root, "asked"), "utf8")).toContain("--norc -- a.sh");
	});

	it("says so when there is no repository", async () => {
		rmSync(join(tree(), ".git"), { recursive: true });
		expect(await read("Review my uncommitted changes.")).toMatchObject({
			commits: [],
			problem: expect.stringContaining("no Git"),
		});
	});
});
