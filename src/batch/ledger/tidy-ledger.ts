import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { BatchFiles } from "../batch-files.ts";
import { readLedger } from "./read-ledger.ts";

/**
 * Leaves the last line of each task, without those that a newer task replaced, and writes the failed ones to their own
 * file. Both are replaced whole, so a crash leaves the old file or the new one. Must not be called while tasks run.
 */
export async function tidyLedger(
	files: BatchFiles,
	isReplaced: (id: string, key: string) => boolean,
): Promise<void> {
	const lastLine = new Map<string, number>();
	const failed = new Set<number>();
	const { lines } = await readLedger(files.output, ({ record, number }) => {
		if (isReplaced(record.id, record.key)) return;
		const earlier = lastLine.get(record.key);
		if (earlier !== undefined) failed.delete(earlier);
		lastLine.set(record.key, number);
		if (record.status === "failed") failed.add(number);
	});
	if (failed.size === 0) rmSync(files.failed, { force: true });
	else await copyLines(files.output, files.failed, (number) => failed.has(number));
	if (lastLine.size === lines) return;
	const kept = new Set(lastLine.values());
	await copyLines(files.output, files.output, (number) => kept.has(number));
}

async function copyLines(from: string, to: string, isWanted: (number: number) => boolean): Promise<void> {
	const temporary = `${to}.tidying`;
	const descriptor = openSync(temporary, "w", 0o600);
	try {
		await readLedger(from, ({ bytes, number }) => {
			if (isWanted(number)) writeFileSync(descriptor, Buffer.concat([bytes, Buffer.from("\n")]));
		});
		fsyncSync(descriptor);
		renameSync(temporary, to);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	} finally {
		closeSync(descriptor);
	}
}
