import { sleep } from "@deputize/ground";
import type { Rate } from "./parse-rate.ts";

/** Waits until one more start is within the rate. False when the signal was aborted. */
export type RateLimit = (signal: AbortSignal) => Promise<boolean>;

/** At most `count` starts in any window of `perMs`, however they are distributed in it. */
export function createRateLimit(rate: Rate | undefined): RateLimit {
	if (rate === undefined) return (signal) => Promise.resolve(!signal.aborted);
	const starts: number[] = [];
	return async (signal) => {
		const at = performance.now();
		const earliest = starts.length < rate.count ? at : (starts.shift() ?? at) + rate.perMs;
		// Taken before waiting, so that the next caller waits for the place after this one.
		starts.push(Math.max(at, earliest));
		return earliest <= at ? !signal.aborted : sleep(earliest - at, signal);
	};
}
