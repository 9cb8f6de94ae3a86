import { sleep } from "@deputize/ground";

/** Writing waits while the disk syncs: a pause in between keeps a fast batch from waiting most of the time. */
const MIN_INTERVAL_MS = 20;

/**
 * One sync for everything that was written before it began. A disk takes milliseconds for each; tasks that end at
 * the same time share one.
 */
export function createGroupSync(sync: () => Promise<void>): () => Promise<void> {
	let syncedAt = 0;
	let current: Promise<void> | undefined;
	let next: Promise<void> | undefined;
	return () => {
		next ??= (current ?? Promise.resolve())
			// Whoever waited for the earlier one already got its error.
			.catch(() => undefined)
			.then(async () => {
				await sleep(syncedAt + MIN_INTERVAL_MS - performance.now());
				current = next;
				next = undefined;
				await sync();
				syncedAt = performance.now();
			});
		return next;
	};
}
