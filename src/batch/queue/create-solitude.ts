import { type Slots, sleep } from "@deputize/ground";
import { QUEUE_LIMITS } from "./queue-limits.ts";

interface LeasedJob {
	/** How often its worker was lost. */
	readonly stalledCounter?: number;
}

/**
 * A task that would be blamed for the next loss of its worker runs there alone: so it takes nobody with it, and is not
 * blamed for what another one does.
 */
export function createSolitude(slots: Slots) {
	let owner: string | undefined;
	return {
		/** Nothing new is leased: somebody is alone, or is going to be. */
		isTaken: (): boolean => owner !== undefined,
		/** Called with what was leased. */
		noteLeased(job: LeasedJob, token: string): void {
			if (isSuspect(job)) owner ??= token;
		},
		/** Resolves when the task may run; false when another one is to be alone. */
		async enter(job: LeasedJob, token: string | undefined, signal: AbortSignal): Promise<boolean> {
			if (!isSuspect(job)) return true;
			if (owner !== token) return false;
			while (slots.running() > 1 && (await sleep(QUEUE_LIMITS.longestPollMs, signal)));
			return true;
		},
		leave(token: string): void {
			if (owner === token) owner = undefined;
		},
	};
}

export type Solitude = ReturnType<typeof createSolitude>;

function isSuspect({ stalledCounter = 0 }: LeasedJob): boolean {
	return stalledCounter >= QUEUE_LIMITS.maxLostWorkers;
}
