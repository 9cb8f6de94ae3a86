import { join } from "node:path";
import type { ChangesPlace } from "../contract/changes.ts";
import { takeFileLock } from "../process/take-file-lock.ts";
import { readRecord } from "./change-record.ts";
import { readRecords } from "./find-changes.ts";
import { removeLayer } from "./remove-layer.ts";

/** Removes layers that were to be handed over by a process that is gone: what they were for is done again from the beginning. */
export function sweepLayers(place: ChangesPlace): void {
	for (const { state, record } of readRecords(place)) {
		if (record.isHandedOver !== true) continue;
		const lock = takeFileLock(join(state, "owner.lock"));
		// Its child is at work.
		if (lock === undefined) continue;
		// Meanwhile it can have become a change like every other one.
		if (readRecord(state)?.isHandedOver === true) removeLayer(state);
		lock.release();
	}
}
