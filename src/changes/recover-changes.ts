import { join } from "node:path";
import { messageOf } from "@deputize/ground";
import type { ChangeSet, ChangesPlace } from "../contract/changes.ts";
import { takeFileLock } from "../process/take-file-lock.ts";
import { probeSandbox } from "../sandbox/probe-sandbox.ts";
import { readRecord } from "./change-record.ts";
import { collectState } from "./collect-changes.ts";
import { readRecords } from "./find-changes.ts";
import { sweepLayers } from "./sweep-layers.ts";

interface Recovered {
	/** Each is told once, whoever asks first. */
	readonly found: readonly ChangeSet[];
	/** Why some could not be collected. They stay as they are, and are tried again by the next who asks. */
	readonly problems: readonly string[];
}

/**
 * Collects the changes of children whose watchers ended before they could: a crash, `kill -9`, a lost machine. Those of
 * projects that are not wanted are left for whoever asks there.
 */
export async function recoverChanges(
	place: ChangesPlace,
	isWanted: (project: string) => boolean = () => true,
): Promise<Recovered> {
	const found: ChangeSet[] = [];
	const problems: string[] = [];
	sweepLayers(place);
	const open = readRecords(place).filter(
		({ record }) => record.state === "open" && record.isHandedOver !== true,
	);
	// What is thrown away is told to nobody, so it can be removed from anywhere.
	const wanted = open.filter(({ record }) => record.isThrownAway || isWanted(record.project));
	for (const { state, record: seen } of wanted) {
		const lock = takeFileLock(join(state, "owner.lock"));
		// Its child is at work.
		if (lock === undefined) continue;
		try {
			const record = readRecord(state);
			if (record?.state !== "open") continue;
			const probe = await probeSandbox(place);
			const change = await collectState({ record, state, place, probe, wasInterrupted: true });
			if (change !== undefined) found.push(change);
		} catch (error) {
			problems.push(`${seen.id}: ${messageOf(error)}`);
		} finally {
			lock.release();
		}
	}
	return { found, problems };
}
