import { execFileSync } from "node:child_process";
import {
	appendFileSync,
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSlots } from "../../../packages/ground/waiting/create-slots.ts";
import { applyBatchChanges, undoBatchChanges } from "../../../src/batch/apply-batch-changes.ts";
import { leaveOutBatchFiles, nameBatchFiles } from "../../../src/batch/batch-files.ts";
import { BATCH_LIMITS } from "../../../src/batch/batch-limits.ts";
import type { TaskResult } from "../../../src/batch/batch-record.ts";
import type { LaneWork } from "../../../src/batch/lane.ts";
import { keepPatch } from "../../../src/batch/ledger/keep-patch.ts";
import { createCollector } from "../../../src/batch/queue/create-collector.ts";
import { createJobProcessor } from "../../../src/batch/queue/create-job-processor.ts";
import { createSolitude } from "../../../src/batch/queue/create-solitude.ts";
import { packPayload, parseQueuedResult } from "../../../src/batch/queue/payload.ts";
import type { QueueBackend, QueuedJob, TaskQueue } from "../../../src/batch/queue/queue-backend.ts";
import { toTaskResult } from "../../../src/batch/to-task-result.ts";
import { CHANGE_ID, changesDirectory } from "../../../src/changes/changes-directory.ts";
import { dropChanges } from "../../../src/changes/drop-changes.ts";
import type { DelegationResult } from "../../../src/contract/result.ts";
import { readTree } from "../../helpers/change-bench.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
let output: string;
const LINES = Array.from({ length: 30 }, (_, line) => `line ${line + 1}`);
const text = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

beforeEach(() => {
	home = createTestHome({ "src/a": text(LINES), "src/b": "b\n", tool: "#!/bin/sh\n", bytes: "\0old" });
	git("init", "-q");
	git("add", "-A");
	git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "first");
	output = join(home.home, "out.jsonl");
});
afterEach(() => home.remove());

function git(...args: readonly string[]): string {
	return execFileSync("git", args, { cwd: home.project, encoding: "latin1", env: home.env });
}

/** The patch of what `change` does, after which everything is as it was. */
function makePatch(change: () => void): string {
	const index = { ...home.env, GIT_INDEX_FILE: join(home.home, "index") };
	const ask = (...args: readonly string[]): string =>
		execFileSync("git", args, { cwd: home.project, encoding: "latin1", env: index });
	const saved = join(home.home, "saved");
	execFileSync("cp", ["-a", home.project, saved]);
	ask("add", "-A");
	const before = ask("write-tree").trim();
	change();
	ask("add", "-A");
	const patch = ask(
		"diff-tree",
		"-r",
		"-p",
		"--binary",
		"--full-index",
		"-M",
		before,
		ask("write-tree").trim(),
	);
	rmSync(home.project, { recursive: true });
	renameSync(saved, home.project);
	return patch;
}

function replaceLine(number: number, by: string): string {
	return makePatch(() => home.write("src/a", text(LINES.with(number - 1, by))));
}

const RESULT: TaskResult = {
	...{ status: "done", answer: "ok", costUsd: 0, durationMs: 1 },
	usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, turns: 1 },
};
const COUNTS = { files: 1, added: 1, removed: 1, paths: ["src/a"] };
const pack = (patch: string): string => deflateRawSync(Buffer.from(patch, "latin1")).toString("base64");

/** As a batch writes it. */
function writeOutput(patches: Readonly<Record<string, string>>, status: TaskResult["status"] = "done"): void {
	const lines = Object.entries(patches).map(([id, patch]) => {
		const key = Buffer.from(id).toString("hex").padEnd(32, "0");
		const task = { id, key, agent: "fixer", task: "x" };
		const result = { ...RESULT, status, changes: { ...COUNTS, packed: pack(patch) } };
		const kept = keepPatch(task, result, nameBatchFiles(output), true);
		return JSON.stringify({ id, key, agent: "fixer", ...kept });
	});
	writeFileSync(output, text(lines));
}

const place = () => ({ env: home.env, agentDirectory: home.agentDirectory, directory: home.project });
const apply = async (options = {}) =>
	(await applyBatchChanges(output, { ...place(), ...options })).map(({ id, state }) => `${id} ${state}`);
const read = (file: string): string => readFileSync(join(home.project, file), "latin1");

describe("the patches of a batch", () => {
	it("are applied one after the other where they merge; run again, it does what is left", async () => {
		writeOutput({ two: replaceLine(2, "TWO"), twice: replaceLine(2, "2"), last: replaceLine(30, "LAST") });
		expect(await apply({ isTrial: true })).toEqual(["two applied", "twice applied", "last applied"]);
		expect(read("src/a")).toBe(text(LINES));
		const first = await applyBatchChanges(output, place());
		expect(first).toMatchObject([
			{ id: "two", state: "applied" },
			{ id: "twice", state: "left", conflicts: [{ path: "src/a", lines: [{ from: 2, to: 2 }] }] },
			{ id: "last", state: "applied" },
		]);
		const both = text(LINES.with(1, "TWO").with(29, "LAST"));
		expect(read("src/a")).toBe(both);
		expect(await apply()).toEqual(["two was-applied", "twice left", "last was-applied"]);
		expect(read("src/a")).toBe(both);
		// The person decides for the other one.
		home.write("src/a", text(LINES.with(29, "LAST")));
		expect(await apply()).toEqual(["two was-applied", "twice applied", "last was-applied"]);
		expect(read("src/a")).toBe(text(LINES.with(1, "2").with(29, "LAST")));
		// Nobody remembers it any more, and it is in the project.
		await dropChanges(place(), first[2]?.change ?? "");
		expect(await apply()).toEqual(["two was-applied", "twice was-applied", "last applied"]);
		expect(read("src/a")).toBe(text(LINES.with(1, "2").with(29, "LAST")));
	});

	it("are exact: names, rights, links, bytes, what is new, gone and renamed, over what was not committed", async () => {
		home.write("src/b", "not committed\n");
		home.write("untracked", "not in Git\n");
		const before = readTree(home.project);
		const patch = makePatch(() => {
			home.write("src/b", "not committed\nand changed\n");
			home.write("untracked", "not in Git, changed\n");
			home.write("bytes", "\0new\n");
			chmodSync(join(home.project, "tool"), 0o755);
			mkdirSync(join(home.project, "moved"));
			renameSync(join(home.project, "src/a"), join(home.project, 'moved/"ä\n'));
			symlinkSync("src/b", join(home.project, "link"));
		});
		expect(readTree(home.project)).toEqual(before);
		writeOutput({ "src/ä ../all": patch });
		expect(readdirSync(join(home.home, "out.changes"))).toEqual([
			expect.stringMatching(/^src-..-all-\w{12}\.patch$/),
		]);
		expect(await apply()).toEqual(["src/ä ../all applied"]);
		expect(git("status", "--porcelain", "-z").split("\0").sort()).toEqual(
			["", " D src/a", " M bytes", " M src/b", " M tool", "?? link", "?? moved/", "?? untracked"].sort(),
		);
		expect(read('moved/"ä\n')).toBe(text(LINES));
		expect(read("untracked")).toBe("not in Git, changed\n");
		const undone = await undoBatchChanges(output, place());
		expect(undone).toMatchObject([{ state: "undone" }]);
		expect(readTree(home.project)).toEqual(before);
	});

	it("of two who apply at once are applied once each", async () => {
		writeOutput(
			Object.fromEntries([2, 9, 16, 23].map((line) => [`l${line}`, replaceLine(line, `L${line}`)])),
		);
		const [left, right] = await Promise.all([apply(), apply()]);
		expect(read("src/a")).toBe(
			text(LINES.map((line, at) => ([1, 8, 15, 22].includes(at) ? `L${at + 1}` : line))),
		);
		for (const [at, line] of [2, 9, 16, 23].entries())
			expect([left?.[at], right?.[at]].sort()).toEqual([`l${line} applied`, `l${line} was-applied`]);
	});

	it("of a failed task, and those whose file is gone or elsewhere, are left with the reason", async () => {
		writeOutput({ half: replaceLine(2, "TWO") }, "failed");
		expect(await applyBatchChanges(output, place())).toEqual([
			{ id: "half", state: "left", reason: "its task failed, and its patch may be half of it" },
		]);
		writeOutput({ gone: replaceLine(2, "TWO") });
		const line = JSON.parse(readFileSync(output, "utf8")) as { changes: { patch: string } };
		const secret = home.write(join(home.home, "elsewhere.patch"), replaceLine(3, "THREE"));
		for (const patch of [
			"elsewhere.patch",
			"out.changes/../elsewhere.patch",
			secret,
			"out.changes/none.patch",
		]) {
			writeFileSync(output, `${JSON.stringify({ ...line, changes: { ...line.changes, patch } })}\n`);
			expect(await applyBatchChanges(output, place())).toMatchObject([
				{ state: "left", reason: "its patch is not there, or cannot be read" },
			]);
		}
		symlinkSync(secret, join(home.home, "out.changes", "link.patch"));
		writeFileSync(
			output,
			`${JSON.stringify({ ...line, changes: { ...line.changes, patch: "out.changes/link.patch" } })}\n`,
		);
		expect(await apply()).toEqual(["gone left"]);
		expect(read("src/a")).toBe(text(LINES));
	});

	it("are taken back the last applied one first; one that never was is neither taken back nor imported", async () => {
		const [first, second] = [replaceLine(30, "LAST"), replaceLine(2, "TWO")];
		writeOutput({ first });
		expect(await apply()).toEqual(["first applied"]);
		writeOutput({ second, first });
		expect(await apply()).toEqual(["second applied", "first was-applied"]);
		writeOutput({ second, first, never: replaceLine(9, "NINE") });
		expect(await undoBatchChanges(output, place())).toMatchObject([
			{ id: "second", state: "undone" },
			{ id: "first", state: "undone" },
		]);
		expect(read("src/a")).toBe(text(LINES));
		expect(
			readdirSync(changesDirectory(home.agentDirectory)).filter((id) => CHANGE_ID.test(id)),
		).toHaveLength(2);
		rmSync(join(home.home, "out.changes"), { recursive: true });
		const gone = { state: "left", reason: "its patch is not there, or cannot be read" };
		expect(await undoBatchChanges(output, place())).toMatchObject([gone, gone, gone]);
	});

	it("are those of the last line of a task, also when that has none", async () => {
		writeOutput({ task: replaceLine(2, "TWO") }, "failed");
		const { changes: _, ...line } = JSON.parse(readFileSync(output, "utf8"));
		appendFileSync(output, `${JSON.stringify({ ...line, status: "done" })}\n`);
		expect(await apply()).toEqual([]);
	});

	it("are not imported over a directory that no layer can be over", async () => {
		writeOutput({ task: replaceLine(2, "TWO") });
		expect(await applyBatchChanges(output, { ...place(), directory: home.home })).toMatchObject([
			{ state: "left", reason: expect.stringContaining("where layers are, is inside of it") },
		]);
	});

	it("of a project whose files were another commit's and have changed since, say which", async () => {
		home.write("src/b", "not committed\n");
		const patch = makePatch(() => home.write("src/b", "not committed\nmore\n"));
		home.write("src/b", "something else\n");
		writeOutput({ lost: patch });
		expect(await applyBatchChanges(output, place())).toMatchObject([
			{
				state: "left",
				reason: "What src/b was when the patch was made is neither in the project nor in its repository.",
			},
		]);
	});
});

const HEADER =
	"new file mode 100644\nindex 0000000000000000000000000000000000000000..e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
const file = (name: string): string =>
	`diff --git a/${name} b/${name}\n${HEADER}\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`;
const HOSTILE: Readonly<Record<string, string>> = {
	"a path above": file("../escaped"),
	"a path above in the middle": file("src/../../escaped"),
	"an absolute path": file("/tmp/escaped"),
	"a hook": file(".git/hooks/post-checkout"),
	"a hook in capitals": file(".GIT/hooks/post-checkout"),
	"another repository's": file("src/.git/config"),
	"a way through a link": file("out/escaped"),
	"half a patch": file("x").slice(0, -8),
	"no patch": "diff --git nothing at all\n",
	"a submodule":
		"diff --git a/m b/m\nnew file mode 160000\nindex 0000000000000000000000000000000000000000..1111111111111111111111111111111111111111\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+Subproject commit 1111111111111111111111111111111111111111\n",
	"a file of 8 GB": `diff --git a/big b/big\nnew file mode 100644\nindex 0000000000000000000000000000000000000000..1111111111111111111111111111111111111111\nGIT binary patch\nliteral 8589934592\nNcmZQzO3KVL0ssTy0d4>Q\n\nliteral 0\nHcmV?d00001\n\n`,
};

it("a patch of a stranger changes nothing outside of the project, in a repository, or at all when it is none", async () => {
	const outside = join(home.home, "outside");
	mkdirSync(outside);
	symlinkSync(outside, join(home.project, "out"));
	const before = [readTree(home.project), readdirSync(outside)];
	writeOutput(HOSTILE);
	const left = Object.keys(HOSTILE).map((name) => `${name} left`);
	expect(await apply()).toEqual(left);
	expect([readTree(home.project), readdirSync(outside)]).toEqual(before);
	expect(existsSync(join(home.project, "../escaped"))).toBe(false);
	expect(git("status", "--porcelain")).toBe("?? out\n");
	expect(existsSync(join(home.project, ".git/hooks/post-checkout"))).toBe(false);
});

describe("changes that a worker hands back", () => {
	const task = { id: "t", key: "k".repeat(32), agent: "fixer", task: "x" };
	const keep = (changes: object, mayChange = true) => {
		const result = parseQueuedResult(JSON.stringify({ ...RESULT, changes }));
		return keepPatch(task, result, nameBatchFiles(output), mayChange);
	};
	const left = (): readonly string[] =>
		existsSync(join(home.home, "out.changes")) ? readdirSync(join(home.home, "out.changes")) : [];

	it("are a file beside the output, whatever the worker says where it is", () => {
		const kept = keep({
			...COUNTS,
			packed: pack(file("x")),
			patch: "../../../etc/passwd",
			id: "../x",
			more: 1,
		});
		expect(kept.changes).toEqual({ ...COUNTS, patch: "out.changes/t-kkkkkkkkkkkk.patch" });
		expect(readFileSync(join(home.home, "out.changes/t-kkkkkkkkkkkk.patch"), "utf8")).toBe(file("x"));
	});

	it.each([
		["no patch at all", {}],
		["no compressed one", { packed: "AAAA" }],
		["something else", { packed: pack("rm -rf /\n") }],
		["a bomb", { packed: deflateRawSync(Buffer.alloc(BATCH_LIMITS.maxPatchBytes + 1)).toString("base64") }],
	])("that are %s make a failed task", (_what, changes) => {
		expect(keep({ ...COUNTS, ...changes })).toMatchObject({
			status: "failed",
			error: { cause: { kind: "worker_failed" } },
		});
		expect(left()).toEqual([]);
	});

	it("do not leave it with a secret of its environment, and are told when they cannot be handed over", () => {
		const changes = {
			isolation: "layer",
			state: "handed-over",
			files: [{ path: "src/a" }],
			added: 1,
			removed: 1,
		};
		const ended = (more: object = {}) =>
			({
				details: { results: [], changes: { ...changes, ...more } },
				isError: false,
			}) as unknown as DelegationResult;
		const patch = Buffer.from(file("x"));
		expect(toTaskResult(ended(), 1, { patch, secrets: ["elsewhere"] })).toMatchObject({
			status: "done",
			changes: { ...COUNTS, packed: pack(file("x")) },
		});
		const told = toTaskResult(ended(), 1, { patch, secrets: ["new file"] });
		expect(told).toMatchObject({ status: "failed", error: { cause: { kind: "changes" } } });
		expect(told.changes).toBeUndefined();
		expect(toTaskResult(ended({ problem: "Too much." }), 1)).toMatchObject({
			status: "failed",
			error: { message: "Too much.", cause: { kind: "changes" } },
		});
	});

	it("that do not fit into a queue are lost, and what they cost is not", async () => {
		const packed = "A".repeat(9 * 1024 * 1024);
		const result = { ...RESULT, costUsd: 3, changes: { ...COUNTS, packed } };
		const { process } = createJobProcessor({
			...{ agents: ["fixer"], isTrusted: async () => true, isUnchanged: () => true },
			execute: async () => ({ kind: "finished", result }),
			backend: {} as QueueBackend,
			solitude: createSolitude(createSlots(1)),
		});
		const job = { data: packPayload(task) } as unknown as QueuedJob;
		const told = parseQueuedResult(await process(job, "token", new AbortController().signal));
		const lost = { message: expect.stringContaining("8 MiB"), cause: { kind: "changes" } };
		expect(told).toMatchObject({ status: "failed", answer: "ok", costUsd: 3, error: lost });
		// Of a worker that returns it nevertheless, what it said last counts.
		const settle = vi.fn(async () => undefined);
		const returned = { id: "1", returnvalue: JSON.stringify(result), progress: { spentUsd: 2 } };
		const collector = createCollector({
			work: { settle } as unknown as LaneWork,
			queue: {
				getJobs: async ([state]: readonly string[]) => (state === "completed" ? [returned] : []),
			} as unknown as TaskQueue,
			outstanding: new Map([["1", task]]),
			persist: (work) => work(),
		});
		await collector.collectNew();
		expect(settle).toHaveBeenCalledWith(task, expect.objectContaining({ status: "failed", costUsd: 2 }));
	});

	it("for an agent that only reads make a failed task", () => {
		const kept = keep({ ...COUNTS, packed: pack(file("x")) }, false);
		expect(kept).toMatchObject({
			status: "failed",
			error: { message: expect.stringContaining("may not change files") },
		});
		expect(kept.changes).toBeUndefined();
		expect(left()).toEqual([]);
	});
});

it("the patches of a batch are none of the files that a commit is compared by", () => {
	const files = ["out.jsonl", "out.jsonl.state.json", "out.changes/a.patch", "out.changes.md", "src/a"];
	expect(leaveOutBatchFiles(files, home.project)).toEqual(["out.changes.md", "src/a"]);
});
