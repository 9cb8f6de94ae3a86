import { rmSync, writeFileSync } from "node:fs";
import { openReplacement } from "@deputize/ground";
import { refuseAsBatch } from "../batch-error.ts";
import type { BatchFiles } from "../batch-files.ts";
import { findLastLines } from "./find-last-lines.ts";
import { toEntryId } from "./ledger-entry.ts";
import { type LedgerLine, readLedger } from "./read-ledger.ts";

/**
 * Leaves the last line of each task, without those that a newer task replaced, and writes the failed ones to their own
 * file. Both are replaced whole, so a crash leaves the old file or the new one. Must not be called while tasks run.
 */
export async function tidyLedger(
	files: BatchFiles,
	isReplaced: (entryId: string, key: string) => boolean,
): Promise<void> {
	let hasFailed = false;
	const { lines, tasks, isLast } = await findLastLines(files.output, ({ id, key, status }) => {
		if (isReplaced(toEntryId(id), key)) return false;
		hasFailed ||= status === "failed";
		return true;
	});
	const isFailed = (line: LedgerLine): boolean => line.record.status === "failed" && isLast(line);
	// One that failed and then did not leaves nothing to write.
	if (!hasFailed || (await copyLines(files, files.failed, isFailed)) === 0)
		rmSync(files.failed, { force: true });
	if (tasks < lines) await copyLines(files, files.output, isLast);
}

/** Returns how many lines there are in the copy. */
async function copyLines(
	{ output, tree }: BatchFiles,
	to: string,
	isWanted: (line: LedgerLine) => boolean,
): Promise<number> {
	const replacement = refuseAsBatch(() => openReplacement(to, { tree }));
	let copied = 0;
	try {
		await readLedger(output, (line) => {
			if (!isWanted(line)) return;
			copied += 1;
			writeFileSync(replacement.descriptor, Buffer.concat([line.bytes, Buffer.from("\n")]));
		});
		refuseAsBatch(() => replacement.finish({ isOnDisk: true }));
		return copied;
	} finally {
		replacement.close();
	}
}
