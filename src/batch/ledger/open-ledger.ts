import { closeSync, existsSync, fdatasync, ftruncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { codeOf, openOwnDirectory, openToAppend } from "@deputize/ground";
import { type FileLock, takeFileLock } from "../../process/take-file-lock.ts";
import { BatchError, refuseAsBatch } from "../batch-error.ts";
import type { BatchFiles } from "../batch-files.ts";
import type { BatchRecord } from "../batch-record.ts";
import { createEntryTable, type Entries } from "./create-entry-table.ts";
import { createGroupSync } from "./create-group-sync.ts";
import { toEntry } from "./ledger-entry.ts";
import { readEntries } from "./read-entries.ts";
import { tidyLedger } from "./tidy-ledger.ts";

/** The output file: result and checkpoint at once. */
export interface Ledger {
	readonly entries: Entries;
	/**
	 * The line is in the file when this returns, so that a killed process loses nothing that finished. Resolves when
	 * the disk has it.
	 */
	write(record: BatchRecord): Promise<void>;
	/** Leaves one line for each task and the failed ones in a file of their own. */
	tidy(isReplaced: (id: string, key: string) => boolean): Promise<void>;
	close(): Promise<void>;
}

/** For a batch without an output file: nothing is kept when the process ends. */
export function createMemoryLedger(): Ledger {
	const entries = createEntryTable();
	return {
		entries,
		async write(record) {
			entries.set(record.key, toEntry(record));
		},
		tidy: () => Promise.resolve(),
		close: () => Promise.resolve(),
	};
}

/** Opens the output for writing, alone. A line that a crash cut off is removed: its task runs again. */
export async function openLedger(files: BatchFiles): Promise<Ledger> {
	const opened = openOutput(files);
	try {
		return await openLocked(files, opened);
	} catch (error) {
		closeOutput(opened);
		throw error;
	}
}

interface OpenedOutput {
	readonly descriptor: number;
	readonly lock: FileLock;
}

function closeOutput({ descriptor, lock }: OpenedOutput): void {
	closeSync(descriptor);
	lock.release();
}

async function openLocked(files: BatchFiles, opened: OpenedOutput): Promise<Ledger> {
	const { descriptor } = opened;
	const { entries, ...reading } = await readEntries(files.output);
	let size = reading.wholeBytes;
	ftruncateSync(descriptor, size);
	const append = (bytes: Buffer): void => {
		try {
			// All of it, also on a nearly full disk, where one `writeSync` may take only a part.
			writeFileSync(descriptor, bytes);
			size += bytes.length;
		} catch (error) {
			// Half a line would be taken for the damage of a crash; without it the file is whole.
			ftruncateSync(descriptor, size);
			const code = codeOf(error);
			throw new BatchError(
				`${files.output} cannot be written (${code}). Free space, then run the same command again.`,
			);
		}
	};
	if (reading.lacksLineBreak) append(Buffer.from("\n"));
	let written = 0;
	/** One line for each task, none replaced, none failed: reading the whole file again would find nothing to do. */
	const isTidy = (isReplaced: (id: string, key: string) => boolean): boolean => {
		if (reading.lines + written !== entries.size) return false;
		let hasFailed = false;
		for (const [key, { id, status }] of entries) {
			if (isReplaced(id, key)) return false;
			hasFailed ||= status === "failed";
		}
		return hasFailed ? written === 0 && existsSync(files.failed) : !existsSync(files.failed);
	};
	const synced = createGroupSync(() => promisify(fdatasync)(descriptor));
	return {
		entries,
		write(record) {
			append(Buffer.from(`${JSON.stringify(record)}\n`));
			entries.set(record.key, toEntry(record));
			written += 1;
			return synced();
		},
		async tidy(isReplaced) {
			if (isTidy(isReplaced)) return;
			await synced();
			await tidyLedger(files, isReplaced);
		},
		async close() {
			try {
				await synced();
			} finally {
				closeOutput(opened);
			}
		},
	};
}

function openOutput(files: BatchFiles): OpenedOutput {
	let descriptor: number | undefined;
	try {
		refuseAsBatch(() => openOwnDirectory(dirname(files.output), files)).close();
		// Before it is read: what is no file of ours is not looked at either.
		descriptor = refuseAsBatch(() => openToAppend(files.output, files));
		const lock = takeFileLock(files.lock, descriptor);
		if (lock !== undefined) return { descriptor, lock };
		closeSync(descriptor);
	} catch (error) {
		if (descriptor !== undefined) closeSync(descriptor);
		if (error instanceof BatchError) throw error;
		const code = codeOf(error);
		throw new BatchError(
			`${files.output} cannot be written (${code}). Correct the permissions there or choose another file.`,
		);
	}
	throw new BatchError(
		`Another process is writing ${files.output}. Wait for it, or look at it with: deputize batch status ${files.output}. If its machine or container is gone, remove ${files.lock}`,
	);
}
