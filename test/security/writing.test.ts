import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nameBatchFiles } from "../../src/batch/batch-files.ts";
import { writeControl } from "../../src/batch/batch-state.ts";
import { runBatch } from "../../src/batch/run-batch.ts";
import { CLIENT_ROWS } from "../../src/commands/install/client-rows.ts";
import { planInstall } from "../../src/commands/install/plan-install.ts";
import { appendJournal } from "../../src/journal/append-journal.ts";
import { openSessionTranscript } from "../../src/loop/session/open-session-transcript.ts";
import { finished } from "../helpers/batch-lanes.ts";
import { runCli } from "../helpers/run-cli.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

let home: TestHome;
let victim: string;
const before = process.cwd();
beforeEach(() => {
	home = createTestHome();
	mkdirSync(join(home.project, ".git"));
	victim = home.write(join(home.home, "precious/aliases"), "");
	process.chdir(home.project);
});
afterEach(() => {
	process.chdir(before);
	home.remove();
});

const link = (path: string, target: string): void => {
	mkdirSync(dirname(path), { recursive: true });
	symlinkSync(target, path);
};

/** The file that a link led to, and what is beside it. */
const expectUntouched = (): void => {
	expect(readFileSync(victim, "utf8")).toBe("");
	expect(readdirSync(dirname(victim))).toEqual(["aliases"]);
};

async function batch(output: string, status: "done" | "failed" = "done"): Promise<void> {
	const delegate = { cwd: home.project, env: home.env, offline: true };
	const execute = async () => finished({ status });
	for await (const _ of runBatch([{ agent: "explorer", task: "x" }], { delegate, output, execute })) {
		// Each record is in the file.
	}
}

describe("batch output in a project with links", () => {
	it.each(["review.jsonl", "review.jsonl.state.json", "review.failed.jsonl"])(
		"is not written through %s",
		async (name) => {
			link(join(home.project, name), victim);
			await expect(batch("review.jsonl", "failed")).rejects.toThrow(
				`${name} is a link and leads to ${victim}. Nothing was written through it.`,
			);
			expectUntouched();
		},
	);

	it("is not written through a directory that is a link", async () => {
		link(join(home.project, "out"), dirname(victim));
		await expect(batch("out/review.jsonl")).rejects.toThrow(
			`${join(home.project, "out")} is a link and leads to ${dirname(victim)}.`,
		);
		expectUntouched();
	});

	it("does not follow a link in place of its control file, nor wait for a pipe in place of its lock", async () => {
		await batch("review.jsonl");
		const files = nameBatchFiles("review.jsonl");
		link(files.control, victim);
		expect(() => writeControl(files, "pause")).toThrow(`leads to ${victim}`);
		expectUntouched();
		execFileSync("mkfifo", [files.lock]);
		await expect(batch("review.jsonl")).rejects.toThrow("Another process is writing");
		rmSync(files.lock);
		link(files.lock, victim);
		await expect(batch("review.jsonl")).rejects.toThrow("Another process is writing");
		expectUntouched();
	});

	it("is continued when it is ours, by two runs one after the other", async () => {
		await batch("review.jsonl", "failed");
		await batch("review.jsonl");
		expect(readFileSync("review.jsonl", "utf8").trim().split("\n")).toHaveLength(1);
		expect(readdirSync(home.project).sort()).toEqual([
			".git",
			"review.failed.jsonl",
			"review.jsonl",
			"review.jsonl.state.json",
		]);
	});
});

describe("view --export", () => {
	const run = (...args: string[]) => runCli(args, { cwd: home.project, env: home.env });
	it("replaces no file but its own, and nothing through a link", async () => {
		home.write("a.js", "function bake() {}\n");
		expect((await run("run", "explorer", "Where is bake?", "--offline", "--runtime", "loop")).code).toBe(0);
		home.write("precious.txt", "work\n");
		const refused = await run("view", "--export", "precious.txt");
		expect([refused.code, refused.stderr]).toEqual([
			2,
			expect.stringContaining("precious.txt exists already"),
		]);
		expect(readFileSync(join(home.project, "precious.txt"), "utf8")).toBe("work\n");
		link(join(home.project, "run.html"), victim);
		const linked = await run("view", "--export", "run.html");
		expect([linked.code, linked.stderr]).toEqual([
			2,
			expect.stringContaining("run.html is a link and leads to"),
		]);
		expectUntouched();
		expect((await run("view", "--export", "new.html")).code).toBe(0);
		expect(statSync(join(home.project, "new.html")).mode & 0o777).toBe(0o600);
		expect((await run("view", "--export", "new.html")).code, "an earlier export is ours to replace").toBe(0);
		expect(existsSync(join(home.project, "new.html"))).toBe(true);
	});
});

describe("other files", () => {
	it("mcp install does not write through a link of the project", () => {
		const settings = home.write(join(home.home, "settings.json"), "{}");
		link(join(home.project, ".vscode/mcp.json"), settings);
		const row = CLIENT_ROWS.find(({ name }) => name === "vscode");
		if (row === undefined) throw new Error("no VS Code");
		const place = { home: home.home, cwd: home.project, env: {}, platform: "linux" } as const;
		const { after, problem } = planInstall(row, { command: "deputize", args: ["mcp"] }, place);
		expect([after, problem]).toEqual([undefined, expect.stringContaining(`leads to ${settings} by a link`)]);
	});

	it("the journal and a session's transcript are not written through a link", () => {
		const journal = join(home.agentDirectory, "deputize/journal.jsonl");
		link(journal, victim);
		const record = { time: "t", runId: "r", agent: "a", summary: "s" };
		appendJournal(home.agentDirectory, record as never);
		const file = join(home.home, "session.jsonl");
		link(file, victim);
		const session = { id: "x", file, resumed: false };
		expect(() =>
			openSessionTranscript({ session, agent: "a", cwd: home.project }).remember({ kind: "user", text: "x" }),
		).toThrow(`leads to ${victim}`);
		expectUntouched();
	});

	// Only root can mount.
	it.skipIf(process.getuid?.() !== 0)("a full disk leaves what was there", async () => {
		const disk = join(home.home, "disk");
		mkdirSync(disk);
		execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]);
		try {
			const output = join(disk, "review.jsonl");
			await batch(output);
			const kept = readFileSync(output, "utf8");
			execFileSync("sh", ["-c", `cat /dev/zero > ${join(disk, "filler")} 2>/dev/null || true`]);
			await expect(batch(output)).rejects.toThrow(/review\.jsonl cannot be written \(ENOSPC\)/);
			expect(readFileSync(output, "utf8")).toBe(kept);
			expect(readdirSync(disk).filter((name) => /tmp$|lock$/.test(name))).toEqual([]);
		} finally {
			execFileSync("umount", [disk]);
		}
	});
});
