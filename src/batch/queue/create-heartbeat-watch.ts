import { QUEUE_LIMITS } from "./queue-limits.ts";

interface Heartbeat {
	/** Undefined when a first look cannot say: its clock and ours differ, or it is gone. */
	readonly isAlive: boolean | undefined;
	/** How much later it is here than there; small differences are on the way. */
	readonly clockBehindMs: number;
}

/**
 * Who is still there? What counts is whether a time changes while we look, measured with our own clock: the clocks of
 * machines differ. Only for a first look the times are compared.
 */
export function createHeartbeatWatch(now: () => number = Date.now) {
	const seen = new Map<
		string,
		{ readonly seenAt: number; readonly at: number; readonly hasMoved: boolean }
	>();
	return (id: string, seenAt: number): Heartbeat => {
		const known = seen.get(id);
		const current = known?.seenAt === seenAt ? known : { seenAt, at: now(), hasMoved: known !== undefined };
		seen.set(id, current);
		const clockBehindMs = current.at - seenAt;
		if (now() - current.at >= QUEUE_LIMITS.workerEntryMs) return { isAlive: false, clockBehindMs };
		const isNear = Math.abs(now() - seenAt) < QUEUE_LIMITS.workerEntryMs;
		return { isAlive: current.hasMoved || isNear ? true : undefined, clockBehindMs };
	};
}
