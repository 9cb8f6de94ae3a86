import { sleep } from "@deputize/ground";
import { BATCH_LIMITS } from "./batch-limits.ts";

const LOOK_AGAIN_MS = 200;

export function createPause(now: () => number = Date.now) {
	let untilMs = 0;
	let refusals = 0;
	let refusedSince: number | undefined;
	let isHeld = false;
	const until = (): number | undefined => (untilMs > now() ? untilMs : undefined);
	return {
		/** True when tasks may start; false when the signal was aborted meanwhile. */
		async wait(signal: AbortSignal): Promise<boolean> {
			while (isHeld || until() !== undefined) {
				const restMs = isHeld ? LOOK_AGAIN_MS : Math.min(untilMs - now(), LOOK_AGAIN_MS);
				if (!(await sleep(restMs, signal))) return false;
			}
			return !signal.aborted;
		},
		/** Everybody waits: as long as the provider asks, else longer each time. */
		holdForQuota(retryAfterMs: number | undefined): void {
			refusedSince ??= now();
			// Tasks that were running when the pause began meet the same refusal: it counts once.
			if (retryAfterMs === undefined && until() !== undefined) return;
			const guessMs = Math.min(
				BATCH_LIMITS.firstQuotaPauseMs * 2 ** refusals,
				BATCH_LIMITS.longestQuotaPauseMs,
			);
			refusals += 1;
			untilMs = Math.max(untilMs, now() + (retryAfterMs ?? guessMs));
		},
		/** The provider answers again. */
		noteSuccess(): void {
			refusals = 0;
			refusedSince = undefined;
		},
		setHeld(held: boolean): void {
			isHeld = held;
		},
		isHeld: (): boolean => isHeld,
		/** Clock time when a quota pause ends; undefined without one. */
		until,
		/** Since when the provider has refused without a success in between. */
		refusedSince: (): number | undefined => refusedSince,
	};
}

/** Delays the start of every task: until some time after a quota error, or until somebody resumes. */
export type Pause = ReturnType<typeof createPause>;
