import { waitWithin } from "@deputize/ground";

interface DrainOptions {
	/** Settles when no process holds the pipes open any longer. */
	readonly closed: Promise<void>;
	/** Monotonic time of the last chunk read. */
	lastChunkAt(): number;
	readonly maxMs: number;
}

/** No output for this long after the exit: whichever process still keeps the pipe open is not writing. */
const QUIET_MS = 100;

/**
 * Waits for the rest of an exited child's output. A grandchild that keeps the pipe open delays `close` for as long
 * as it lives, so the wait ends when the pipe stays quiet, and in any case after `maxMs`.
 */
export async function drainOutput(options: DrainOptions): Promise<void> {
	const startedAt = performance.now();
	for (;;) {
		const at = performance.now();
		const quietLeftMs = Math.max(startedAt, options.lastChunkAt()) + QUIET_MS - at;
		const leftMs = Math.min(quietLeftMs, startedAt + options.maxMs - at);
		if (leftMs <= 0) return;
		if (await waitWithin(options.closed, leftMs)) return;
		// Timers run before reads: give output that is already there a turn before looking at the clock again.
		await new Promise((resolve) => setImmediate(resolve));
	}
}
