import { sleep } from "@deputize/ground";
import { BATCH_LIMITS } from "./batch-limits.ts";

/** Delays the start of every task: until some time after a quota error, or until somebody resumes. */
export interface Pause {
	/** True when tasks may start; false when the signal was aborted meanwhile. */
	wait(signal: AbortSignal): Promise<boolean>;
	/** Everybody waits: as long as the provider asks, else longer each time. */
	holdForQuota(retryAfterMs: number | undefined): void;
	/** The provider answers again. */
	noteSuccess(): void;
	setHeld(held: boolean): void;
	isHeld(): boolean;
	/** Clock time when a quota pause ends; undefined without one. */
	until(): number | undefined;
	/** Since when the provider has refused without a success in between. */
	refusedSince(): number | undefined;
}

const LOOK_AGAIN_MS = 200;

export function createPause(now: () => number = Date.now): Pause {
	let untilMs = 0;
	let refusals = 0;
	let refusedSince: number | undefined;
	let isHeld = false;
	const until = (): number | undefined => (untilMs > now() ? untilMs : undefined);
	return {
		async wait(signal) {
			while (isHeld || until() !== undefined) {
				const restMs = isHeld ? LOOK_AGAIN_MS : Math.min(untilMs - now(), LOOK_AGAIN_MS);
				if (!(await sleep(restMs, signal))) return false;
			}
			return !signal.aborted;
		},
		holdForQuota(retryAfterMs) {
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
		noteSuccess() {
			refusals = 0;
			refusedSince = undefined;
		},
		setHeld(held) {
			isHeld = held;
		},
		isHeld: () => isHeld,
		until,
		refusedSince: () => refusedSince,
	};
}
