import { basename } from "node:path";
import { defined, statIfThere } from "@deputize/ground";
import { nameBatchFiles } from "../batch/batch-files.ts";
import { type BatchStatus, readBatchStatus } from "../batch/read-batch-status.ts";
import type { Redact } from "../delegation/redact.ts";
import { type KnownBatch, readKnownBatches } from "../journal/known-batches.ts";
import { readLockHolder } from "../process/take-file-lock.ts";

const MAX_LISTED = 50;
const MAX_TEMPLATE_CHARS = 300;

/** One batch in a list. */
export interface BatchLine extends Pick<BatchStatus, "total" | "done" | "failed" | "missing" | "spentUsd"> {
	readonly id: string;
	/** What every task is made of. */
	readonly template?: string;
	/** The name of its output file. */
	readonly name: string;
	/** Its path, with `~` for the home directory. */
	readonly output: string;
	/** ISO 8601, of its first start; of the last one, where that was not written down. */
	readonly startedAt: string;
	readonly lane: "embedded" | "queue";
	/** A process collects its results now. */
	readonly isRunning: boolean;
	readonly isPaused: boolean;
}

/** Lists the newest batches whose files are still there. A file that has not changed is not read again. */
export function createBatchList(agentDirectory: string): (redact: Redact) => Promise<readonly BatchLine[]> {
	const known = new Map<string, { readonly stamp: string; readonly status: BatchStatus }>();
	const readStatus = async ({ output }: KnownBatch): Promise<BatchStatus | undefined> => {
		const files = nameBatchFiles(output);
		const entry = statIfThere(files.output);
		if (entry === undefined) return undefined;
		const stamp = `${entry.ino} ${entry.size} ${entry.mtimeMs}`;
		const remembered = known.get(output);
		if (remembered?.stamp === stamp) return remembered.status;
		// Somebody else's file by now, or one that cannot be read.
		const status = await readBatchStatus(output).catch(() => undefined);
		if (status !== undefined) known.set(output, { stamp, status });
		return status;
	};
	return async (redact) => {
		const lines: BatchLine[] = [];
		const listed = readKnownBatches(agentDirectory).slice(0, MAX_LISTED);
		for (const output of known.keys())
			if (!listed.some((batch) => batch.output === output)) known.delete(output);
		for (const batch of listed) {
			const status = await readStatus(batch);
			if (status !== undefined) lines.push(toBatchLine(batch, status, redact));
		}
		return lines;
	};
}

export function toBatchLine(
	{ id, output, time }: KnownBatch,
	status: BatchStatus,
	redact: Redact,
): BatchLine {
	const { total, done, failed, missing, spentUsd, state, paused } = status;
	return {
		id,
		name: redact.text(basename(output)),
		output: redact.text(output),
		startedAt: state.startedAt ?? time,
		...defined({ template: state.about?.template && redact.head(state.about.template, MAX_TEMPLATE_CHARS) }),
		...{ total, done, failed, missing, spentUsd },
		lane: state.lane,
		isRunning: readLockHolder(nameBatchFiles(output).lock) !== undefined,
		isPaused: paused,
	};
}
