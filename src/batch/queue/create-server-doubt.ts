import type { BatchEntry } from "./directory.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";

/**
 * A server that was away may come back with an earlier state and offer tasks that are finished. No task of it begins before the process
 * that collects has been there again, and has put that right. Where none comes, nobody can tell, and the doubt ends.
 */
export function createServerDoubt(find: () => Promise<BatchEntry | undefined>, now: () => number = Date.now) {
	let newestSeenAt = 0;
	let since: number | undefined;
	const raise = (): void => {
		since ??= now();
	};
	return {
		/** The connection was lost. */
		raise,
		/** The batch as it was just found on the server. */
		note({ collector }: BatchEntry): void {
			const seenAt = collector?.seenAt ?? newestSeenAt;
			if (seenAt < newestSeenAt) raise();
			newestSeenAt = Math.max(newestSeenAt, seenAt);
		},
		async isOver(): Promise<boolean> {
			if (since === undefined) return true;
			if (now() - since < QUEUE_LIMITS.maxDoubtMs) {
				const entry = await find();
				if (entry === undefined || (entry.collector?.seenAt ?? Number.POSITIVE_INFINITY) <= newestSeenAt)
					return false;
			}
			since = undefined;
			return true;
		},
	};
}

export type ServerDoubt = ReturnType<typeof createServerDoubt>;
