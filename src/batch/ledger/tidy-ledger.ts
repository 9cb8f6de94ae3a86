import { rmSync, writeFileSync } from "node:fs";
import { openReplacement } from "@deputize/ground";
import { refuseAsBatch } from "../batch-error.ts";
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
	else await copyLines(files, files.failed, (number) => failed.has(number));
	if (lastLine.size === lines) return;
	const kept = new Set(lastLine.values());
	await copyLines(files, files.output, (number) => kept.has(number));
}

async function copyLines(
	{ output, tree }: BatchFiles,
	to: string,
	isWanted: (number: number) => boolean,
): Promise<void> {
	const replacement = refuseAsBatch(() => openReplacement(to, { tree }));
	try {
		await readLedger(output, ({ bytes, number }) => {
			if (isWanted(number)) writeFileSync(replacement.descriptor, Buffer.concat([bytes, Buffer.from("\n")]));
		});
		refuseAsBatch(() => replacement.finish({ isOnDisk: true }));
	} finally {
		replacement.close();
	}
}
