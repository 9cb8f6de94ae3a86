import { existsSync, readFileSync } from "node:fs";
import { defined, toOneLine, withRegularFile } from "@deputize/ground";
import { applyChanges } from "../changes/apply-changes.ts";
import type { ChangeRecord } from "../changes/change-record.ts";
import { ChangesError } from "../changes/changes-error.ts";
import { findChange } from "../changes/find-changes.ts";
import { findImported, importPatch } from "../changes/import-patch.ts";
import { undoChanges } from "../changes/undo-changes.ts";
import type { ChangesPlace, Conflict } from "../contract/changes.ts";
import { GitError } from "../git/git-error.ts";
import { BatchError } from "./batch-error.ts";
import { nameBatchFiles } from "./batch-files.ts";
import { BATCH_LIMITS } from "./batch-limits.ts";
import type { BatchRecord } from "./batch-record.ts";
import { findLastLines } from "./ledger/find-last-lines.ts";
import { locatePatch } from "./ledger/keep-patch.ts";
import { readLedger } from "./ledger/read-ledger.ts";

/** What became of the changes of one task. */
export interface AppliedTask {
	/** Of the task. */
	readonly id: string;
	/** What `deputize changes` calls it; absent when it could not be used here. */
	readonly change?: string;
	readonly state: "applied" | "was-applied" | "undone" | "left";
	readonly conflicts?: readonly Conflict[];
	/** Why it is left, where that is no conflict. */
	readonly reason?: string;
}

interface ApplyOptions extends ChangesPlace {
	/** In the project. */
	readonly directory: string;
	/** Says of each whether it could be applied to the project as it is, and changes nothing. */
	readonly isTrial?: boolean;
	/** Called with each as it is done. */
	readonly onTask?: (task: AppliedTask) => void;
}

type PatchedRecord = Pick<BatchRecord, "id" | "agent" | "status"> & { readonly patch: string | undefined };

/**
 * Applies what the tasks of a batch changed, one after the other, in the order of the output: what merges with the project
 * as it then is. What does not is left, and so is what failed tasks changed. Can be stopped anywhere and run again.
 */
export async function applyBatchChanges(
	output: string,
	options: ApplyOptions,
): Promise<readonly AppliedTask[]> {
	const { onTask } = options;
	const records = await readPatched(output);
	const imported: (PatchedRecord & { change?: string; reason?: string })[] = [];
	// All of them first: what a file was before is still there, whatever the first ones then do to it.
	for (const record of records) imported.push({ ...record, ...(await importOne(record, options)) });
	const tasks: AppliedTask[] = [];
	for (const { id, change, reason } of imported) {
		const task: AppliedTask =
			change === undefined
				? { id, state: "left", ...(reason === undefined ? {} : { reason }) }
				: { id, change, ...(await applyOne(change, options)) };
		tasks.push(task);
		onTask?.(task);
	}
	return tasks;
}

/** Takes back what was applied of a batch, what was applied last first, whatever the order of the output is. */
export async function undoBatchChanges(
	output: string,
	options: ApplyOptions,
): Promise<readonly AppliedTask[]> {
	const tasks: AppliedTask[] = [];
	const found: { readonly id: string; readonly change: ChangeRecord }[] = [];
	const tell = (task: AppliedTask): void => {
		tasks.push(task);
		options.onTask?.(task);
	};
	// What a failed task changed was never applied.
	for (const record of (await readPatched(output)).filter(({ status }) => status === "done")) {
		const { id } = record;
		const { value: change, reason } = await usePatch(record, async (patch) =>
			findImported({ ...options, patch }),
		);
		if (reason !== undefined) tell({ id, state: "left", reason });
		else if (change !== undefined && change.applied.length > 0) found.push({ id, change });
	}
	found.reverse().sort((left, right) => right.change.changedAt.localeCompare(left.change.changedAt));
	for (const { id, change } of found)
		tell({ id, change: change.id, ...(await orLeave(() => undoOne(change.id, options))) });
	return tasks;
}

type Outcome = Pick<AppliedTask, "state" | "conflicts" | "reason">;

/** The last word of each task, of those that changed something. */
async function readPatched(output: string): Promise<readonly PatchedRecord[]> {
	if (!existsSync(output)) throw new BatchError(`There is no output ${JSON.stringify(output)} of a batch.`);
	const files = nameBatchFiles(output);
	const { isLast } = await findLastLines(output);
	const found: PatchedRecord[] = [];
	await readLedger(output, (line) => {
		const { id, agent, status, changes } = line.record;
		if (changes !== undefined && isLast(line))
			found.push({ id, agent, status, patch: locatePatch(files, changes) });
	});
	return found;
}

async function importOne(
	record: PatchedRecord,
	{ env, agentDirectory, directory }: ApplyOptions,
): Promise<{ readonly change?: string; readonly reason?: string }> {
	const { id, agent, status } = record;
	if (status !== "done") return { reason: "its task failed, and its patch may be half of it" };
	const { value: change, reason } = await usePatch(record, (patch) =>
		importPatch({ env, agentDirectory, directory, patch, origin: { agent, task: id } }),
	);
	return defined({ change, reason });
}

/** What `use` makes of the patch, or why it cannot. */
async function usePatch<T>(
	{ patch: file }: PatchedRecord,
	use: (patch: Buffer) => Promise<T>,
): Promise<{ readonly value?: T; readonly reason?: string }> {
	const patch = file === undefined ? undefined : readPatchFile(file);
	if (patch === undefined) return { reason: "its patch is not there, or cannot be read" };
	try {
		return { value: await use(patch) };
	} catch (error) {
		return { reason: wordRefusal(error) };
	}
}

function readPatchFile(file: string): Buffer | undefined {
	return withRegularFile(file, (descriptor, { size }) =>
		size <= BATCH_LIMITS.maxPatchBytes ? readFileSync(descriptor) : undefined,
	);
}

async function applyOne(change: string, options: ApplyOptions): Promise<Outcome> {
	const isApplied = (): boolean => findChange(options, change).record.state === "applied";
	if (isApplied()) return { state: "was-applied" };
	const outcome = await orLeave(async () => {
		const result = await applyChanges(options, change, { isTrial: options.isTrial === true });
		return result.isApplied ? { state: "applied" } : { state: "left", conflicts: result.conflicts };
	});
	// Somebody else was faster.
	return outcome.state === "left" && isApplied() ? { state: "was-applied" } : outcome;
}

async function undoOne(change: string, options: ApplyOptions): Promise<Outcome> {
	const result = await undoChanges(options, change);
	return result.isUndone
		? { state: "undone" }
		: { state: "left", reason: `changed since: ${result.changed.map(toOneLine).join(", ")}` };
}

async function orLeave(work: () => Promise<Outcome>): Promise<Outcome> {
	try {
		return await work();
	} catch (error) {
		return { state: "left", reason: wordRefusal(error) };
	}
}

function wordRefusal(error: unknown): string {
	if (error instanceof ChangesError || error instanceof GitError) return toOneLine(error.message);
	throw error;
}
