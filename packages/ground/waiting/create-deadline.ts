import { onAbort } from "./on-abort.ts";
import { sleep } from "./sleep.ts";

/** One clock for a whole call: every wait inside it takes what is left, so waits cannot add up. */
export interface Deadline {
	/** Aborted when the time is up or the caller gave up. */
	readonly signal: AbortSignal;
	readonly isPassed: () => boolean;
	/** Calls back once, when that happens, immediately if it already did. Returns a function that stops listening. */
	readonly onPassed: (listener: () => void) => () => void;
	readonly extendTo: (totalMs: number) => void;
	/** Throws the reason when the time is up or the caller gave up. */
	readonly check: () => void;
	readonly reason: () => Error;
	readonly end: () => void;
}

export interface DeadlineEnd {
	/** The caller gave up; otherwise the time is up. */
	readonly isCancelled: boolean;
	readonly allowedMs: number;
}

export function createDeadline(
	totalMs: number,
	callerSignal: AbortSignal,
	toReason: (end: DeadlineEnd) => Error,
): Deadline {
	const started = performance.now();
	const passed = new AbortController();
	let allowedMs = totalMs;
	let timer = setTimeout(pass, totalMs);

	function pass(): void {
		clearTimeout(timer);
		passed.abort();
	}
	const reason = () => toReason({ isCancelled: callerSignal.aborted, allowedMs });
	const stopListening = onAbort(callerSignal, pass);
	return {
		signal: passed.signal,
		isPassed: () => passed.signal.aborted,
		onPassed: (listener) => onAbort(passed.signal, listener),
		extendTo: (longerMs) => {
			if (longerMs <= allowedMs || passed.signal.aborted) return;
			allowedMs = longerMs;
			clearTimeout(timer);
			timer = setTimeout(pass, Math.max(0, allowedMs - (performance.now() - started)));
		},
		check: () => {
			if (passed.signal.aborted) throw reason();
		},
		reason,
		end: () => {
			clearTimeout(timer);
			stopListening();
		},
	};
}

/** The work's own result, or the deadline's reason the moment it passes; the work itself is not stopped. */
export function withinDeadline<Value>(work: Promise<Value>, deadline: Deadline): Promise<Value> {
	return new Promise((resolve, reject) => {
		const stopListening = deadline.onPassed(() => reject(deadline.reason()));
		work.then(resolve, reject).finally(stopListening);
	});
}

/** Waits, shorter when the deadline passes first; never rejects. */
export async function pauseWithin(waitMs: number, deadline: Deadline): Promise<void> {
	await sleep(waitMs, deadline.signal);
}
