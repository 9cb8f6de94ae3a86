import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { sleep } from "@deputize/ground";
import { BatchError } from "../batch-error.ts";
import type { BatchEntry, Collector, Directory } from "./directory.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";

/** What has become of the entry since the last look. */
type ClaimState =
	| "kept"
	/** The server has lost it, or has gone back to an earlier state. */
	| "forgotten"
	/** Somebody cancelled the batch on the server. */
	| "cancelled";

/** The entry of a batch on the server, kept by the one process that collects it. */
export function createClaim(directory: Directory, entry: BatchEntry) {
	const own = { id: randomUUID(), name: `${hostname()}:${process.pid}` };
	let seenAt = 0;
	let before: Collector | undefined;
	const write = async (): Promise<void> => {
		const next = Math.max(Date.now(), seenAt + 1);
		await directory.put({ ...entry, collector: { ...own, seenAt: next } });
		seenAt = next;
	};
	const refuse = ({ name }: Collector): never => {
		throw new BatchError(
			`Another process (${name}) collects this batch, into an output of its own. Wait for it, or start this one as a batch of its own: remove its .state.json.`,
		);
	};
	return {
		/** Refuses while another process collects: its entry changes while we look. One that was killed is replaced. */
		async take(): Promise<void> {
			const readOther = async (): Promise<Collector | undefined> =>
				(await directory.find(entry.id))?.collector;
			const until = Date.now() + QUEUE_LIMITS.claimWatchMs;
			before = await readOther();
			for (let other = before; other !== undefined && Date.now() < until; other = await readOther()) {
				if (other.seenAt !== before?.seenAt) refuse(other);
				await sleep(QUEUE_LIMITS.longestPollMs);
			}
			await write();
		},
		/** Puts the entry back as it was. */
		write,
		/** Says that this process is still there, and what has become of the entry that was found. */
		async renew(found: BatchEntry | undefined): Promise<ClaimState> {
			if (found?.state === "cancelled") return "cancelled";
			const { collector } = found ?? {};
			if (collector !== undefined && collector.id !== own.id && collector.id !== before?.id)
				refuse(collector);
			if (collector?.id !== own.id || collector.seenAt < seenAt) return "forgotten";
			await write();
			return "kept";
		},
		/** The next one need not wait to see whether this process is still there. False when it is somebody else's. */
		async release(): Promise<boolean> {
			const found = await directory.find(entry.id);
			if (found?.collector !== undefined && found.collector.id !== own.id) return false;
			if (found !== undefined) await directory.put({ ...entry, state: found.state });
			return true;
		},
	};
}

export type Claim = ReturnType<typeof createClaim>;
