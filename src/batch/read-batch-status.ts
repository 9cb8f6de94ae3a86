import { existsSync } from "node:fs";
import { defined } from "@deputize/ground";
import { readLockHolder } from "../process/take-file-lock.ts";
import { BatchError } from "./batch-error.ts";
import { nameBatchFiles } from "./batch-files.ts";
import type { BatchProgress } from "./batch-progress.ts";
import { type BatchState, readBatchState, readControl } from "./batch-state.ts";
import type { LedgerEntry } from "./ledger/ledger-entry.ts";
import { sumSpent } from "./ledger/open-spending.ts";
import { readEntries } from "./ledger/read-entries.ts";
import { measureRate } from "./measure-rate.ts";

/** How far a batch is, as its files say. */
export interface BatchStatus extends Pick<BatchProgress, "total" | "done" | "failed" | "spentUsd"> {
	readonly output: string;
	readonly state: BatchState;
	/** The process that collects, if one does. */
	readonly process?: { readonly pid: number; readonly host: string };
	readonly paused: boolean;
	readonly missing: number;
	/** Results in a minute, lately, and how long the rest takes at that rate. While something collects. */
	readonly perMinute?: number;
	readonly restMs?: number;
}

export async function readBatchStatus(output: string): Promise<BatchStatus> {
	const files = nameBatchFiles(output);
	const state = readBatchState(files);
	if (state === undefined || !existsSync(files.output)) {
		throw new BatchError(`${output} is not the output of a batch, or its ${files.state} is gone.`);
	}
	const { entries } = await readEntries(files.output);
	let done = 0;
	for (const { status } of entries.values()) if (status === "done") done += 1;
	const holder = readLockHolder(files.lock);
	const missing = Math.max(0, state.total - entries.size);
	const perMinute = holder && measureRate(listTimes(entries.values()), Date.now());
	return {
		output,
		state,
		...defined({ process: holder }),
		paused: readControl(files) === "pause",
		total: state.total,
		done,
		failed: entries.size - done,
		missing,
		...defined({ perMinute, restMs: perMinute && (missing * 60_000) / perMinute }),
		spentUsd: sumSpent(entries, state),
	};
}

function* listTimes(entries: Iterable<LedgerEntry>): Generator<number> {
	for (const { finishedAt } of entries) yield finishedAt;
}
