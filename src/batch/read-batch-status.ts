import { existsSync } from "node:fs";
import { defined } from "@deputize/ground";
import { readLockHolder } from "../process/take-file-lock.ts";
import { BatchError } from "./batch-error.ts";
import { nameBatchFiles } from "./batch-files.ts";
import type { BatchProgress } from "./batch-progress.ts";
import { type BatchState, readBatchState, readControl } from "./batch-state.ts";
import { sumSpent } from "./ledger/open-spending.ts";
import { readEntries } from "./ledger/read-entries.ts";

/** How far a batch is, as its files say. */
export interface BatchStatus extends Pick<BatchProgress, "total" | "done" | "failed" | "spentUsd"> {
	readonly output: string;
	readonly state: BatchState;
	/** The process that collects, if one does. */
	readonly process?: { readonly pid: number; readonly host: string };
	readonly paused: boolean;
	readonly missing: number;
}

export async function readBatchStatus(output: string): Promise<BatchStatus> {
	const files = nameBatchFiles(output);
	const state = readBatchState(files);
	if (state === undefined || !existsSync(files.output)) {
		throw new BatchError(`${output} is not the output of a batch, or its ${files.state} is gone.`);
	}
	const { entries } = await readEntries(files.output);
	const finished = [...entries.values()];
	const done = finished.filter(({ status }) => status === "done").length;
	const holder = readLockHolder(files.lock);
	return {
		output,
		state,
		...defined({ process: holder }),
		paused: readControl(files) === "pause",
		total: state.total,
		done,
		failed: finished.length - done,
		missing: Math.max(0, state.total - finished.length),
		spentUsd: sumSpent(entries, state),
	};
}
