import { LIMITS } from "../contract/limits.ts";
import type { Collected } from "./collect-output.ts";

/**
 * Calls `send` with the newest state at most once per interval. Redacting a growing text for every fragment
 * would cost more than the child itself.
 */
export function createUpdateThrottle(
	send: (collected: Collected) => void,
	intervalMs: number = LIMITS.updateIntervalMs,
): { push(collected: Collected): void; stop(): void } {
	let newest: Collected | undefined;
	let timer: NodeJS.Timeout | undefined;
	const flush = (): void => {
		timer = undefined;
		if (!newest) return;
		const collected = newest;
		newest = undefined;
		timer = setTimeout(flush, intervalMs).unref();
		try {
			send(collected);
		} catch {
			// A host that fails to show progress must not take the run, or from a timer the whole process, with it.
		}
	};
	return {
		push(collected) {
			newest = collected;
			if (!timer) flush();
		},
		stop() {
			clearTimeout(timer);
			newest = undefined;
		},
	};
}
