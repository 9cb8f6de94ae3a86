import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { decideBatchAgent } from "../../../src/batch/decide-batch-agent.ts";
import { checkBatch } from "../../../src/batch/queue/check-batch.ts";
import type { BatchEntry } from "../../../src/batch/queue/directory.ts";
import { readWorkspaceIdentity } from "../../../src/batch/queue/read-workspace-identity.ts";
import { readPackageVersion } from "../../../src/contract/read-package-version.ts";
import { batchEnvironment, createBatchDirectory } from "../../helpers/batch-lanes.ts";

let directory: ReturnType<typeof createBatchDirectory>;
let env: Record<string, string>;
beforeEach(() => {
	directory = createBatchDirectory();
	env = batchEnvironment(directory.path);
});
afterEach(() => directory.remove());

const git = (...args: string[]): void =>
	void execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
		cwd: directory.path,
		env,
		stdio: "ignore",
	});

async function describeBatch(): Promise<BatchEntry> {
	const { agentHash } = await decideBatchAgent("explorer", { cwd: directory.path, env, offline: true });
	return {
		kind: "batch",
		version: 1,
		id: "b",
		state: "open",
		workspace: "here",
		commit: await readWorkspaceIdentity(directory.path, env),
		agents: { explorer: agentHash },
		delegate: { offline: true, runtime: "loop", timeoutMs: 1000 },
	};
}
const permissions = () => ({ workspaces: new Map([["here", directory.path]]), agents: ["explorer"], env });

test("a worker takes a batch of its own commit and agents, and never writes to its workspace", async () => {
	const subagents = { allowWrite: true, isolation: "in-place", writers: ["fixer"], applyChanges: "auto" };
	writeFileSync(join(directory.path, "deputize.json"), JSON.stringify({ subagents }));
	env["PI_CODING_AGENT_DIR"] = directory.path;
	const entry = await describeBatch();
	const verdict = await checkBatch(entry, permissions());
	expect(verdict).toMatchObject({
		accepted: true,
		delegate: {
			cwd: directory.path,
			runtime: "loop",
			timeoutMs: 1000,
			config: {
				subagents: { allowWrite: false, isolation: "layer", writers: [], applyChanges: "keep" },
			},
		},
	});
	expect(await checkBatch({ ...entry, writers: ["explorer"] }, permissions())).toMatchObject({
		accepted: false,
		reason: expect.stringContaining("it does not let explorer change files."),
	});
});

test("a batch of another version of deputize is refused with both, one that does not say is not", async () => {
	const entry = await describeBatch();
	const reason = `it has deputize ${readPackageVersion()}, the batch is from 0.0.1 forged. Install the same.`;
	expect(await checkBatch({ ...entry, package: "0.0.1\n\u001b[2Jforged" }, permissions())).toEqual({
		accepted: false,
		reason,
	});
	expect((await checkBatch({ ...entry, package: readPackageVersion() }, permissions())).accepted).toBe(true);
});

test("a commit, a changed file, another agent or an unknown workspace is refused with its reason", async () => {
	expect(await readWorkspaceIdentity(directory.path, env)).toBe("no-repository");
	git("init", "-q");
	writeFileSync(join(directory.path, "a.txt"), "a\n");
	git("add", "a.txt");
	git("commit", "-qm", "a");
	const entry = await describeBatch();
	expect((await checkBatch(entry, permissions())).accepted).toBe(true);
	const reasonOf = async (batch: BatchEntry, changes = {}): Promise<string> => {
		const verdict = await checkBatch(batch, { ...permissions(), ...changes });
		return verdict.accepted ? "accepted" : verdict.reason;
	};
	expect(await reasonOf({ ...entry, workspace: "there" })).toBe('it has no workspace "there".');
	expect(await reasonOf(entry, { agents: ["reviewer"] })).toBe("it does not allow the agent explorer.");
	expect(await reasonOf({ ...entry, agents: { explorer: "0" } })).toMatch(
		/its agent explorer \(.*\) has other content/,
	);
	writeFileSync(join(directory.path, "a.txt"), "b\n");
	expect(await reasonOf(entry)).toMatch(
		/its workspace here is at \w{12} with uncommitted changes or untracked files, the batch at \w{12}\./,
	);
	git("commit", "-qam", "b");
	expect(await reasonOf(entry)).toMatch(/its workspace here is at \w{12}, the batch at \w{12}\./);
});

test("new files, and changes that Git was told to overlook, make it another workspace; what batches write does not", async () => {
	git("init", "-q");
	const write = (name: string, text: string) => writeFileSync(join(directory.path, name), text);
	write("a.txt", "a\n");
	write(".gitignore", "ignored\n");
	git("add", ".");
	git("commit", "-qm", "a");
	const read = () => readWorkspaceIdentity(directory.path, env);
	const clean = await read();
	expect(clean).toMatch(/^[0-9a-f]{40}$/);
	for (const name of ["out.jsonl", "out.jsonl.state.json", "out.jsonl.lock", "out.failed.jsonl", "ignored"])
		write(name, "x\n");
	expect(await read()).toBe(clean);
	write("new.txt", "new\n");
	const withNew = await read();
	expect(withNew).not.toBe(clean);
	write("new.txt", "other\n");
	expect(await read()).not.toBe(withNew);
	write("new.txt", "new\n");
	expect(await read()).toBe(withNew);
	for (const flag of ["--assume-unchanged", "--skip-worktree"]) {
		git("update-index", flag, "a.txt");
		write("a.txt", "b\n");
		expect(await read()).not.toBe(withNew);
		write("a.txt", "a\n");
		git("update-index", flag.replace("--", "--no-"), "a.txt");
		expect(await read()).toBe(withNew);
	}
});
