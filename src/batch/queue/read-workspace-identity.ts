import { relative } from "node:path";
import { canonicalPath, type Environment, fingerprint } from "@deputize/ground";
import { readSurroundings } from "../../config/read-surroundings.ts";
import { confineGit } from "../../git/confine-git.ts";
import { GitError } from "../../git/git-error.ts";
import { listWorkChanges } from "../../git/list-work-changes.ts";
import { openRepository, type Repository } from "../../git/open-repository.ts";
import { listTreeFiles } from "../../navigator/list-tree-files.ts";
import { probeSandbox } from "../../sandbox/probe-sandbox.ts";
import { BatchError } from "../batch-error.ts";
import { leaveOutBatchFiles } from "../batch-files.ts";
import { BATCH_LIMITS } from "../batch-limits.ts";

const NO_REPOSITORY = "no-repository";

/**
 * What a directory contains: commit, place in the repository, and a hash of every file that differs from the commit or
 * is new. Two machines with the same identity give their agents the same files, apart from those that Git ignores.
 */
export async function readWorkspaceIdentity(directory: string, env: Environment): Promise<string> {
	const timeoutMs = BATCH_LIMITS.gitTimeoutMs;
	const { agentDirectory } = readSurroundings(env);
	try {
		const wrap = confineGit(await probeSandbox({ env, agentDirectory }));
		const repository = await openRepository({ directory, env, timeoutMs, wrap });
		if (repository === undefined) return NO_REPOSITORY;
		const files = leaveOutBatchFiles(await listTreeFiles(repository.top), repository.top);
		const changes = await listWorkChanges(repository, { files, below: "", isExact: true, timeoutMs });
		const own = `${relative(repository.top, canonicalPath(agentDirectory))}/`;
		const counted = changes.filter(({ path, before }) => before !== undefined || !path.startsWith(own));
		return toIdentity(repository, counted.map(({ path, after }) => `${path}\0${after ?? "-"}\0`).sort());
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		throw new BatchError(`The state of ${directory} cannot be read: ${error.message}`);
	}
}

function toIdentity({ head = "no-commit", prefix }: Repository, changes: readonly string[]): string {
	const changed = changes.length === 0 ? "" : `+${fingerprint(changes.join(""), 16)}`;
	return `${head}${prefix === "" ? "" : `:${prefix}`}${changed}`;
}
