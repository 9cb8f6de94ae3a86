import { join } from "node:path";
import type { ChangesPlace } from "../contract/changes.ts";
import { takeFileLock } from "../process/take-file-lock.ts";
import { writeRecord } from "./change-record.ts";
import { type FoundChange, readRecords } from "./find-changes.ts";
import { listTouched } from "./list-touched.ts";
import { removeLayer } from "./remove-layer.ts";

/** `subagents.keepChanges`. */
export interface KeepRules {
	readonly maxAgeDays: number;
	readonly maxMb: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MEBIBYTE = 1024 * 1024;
/** From the notice that a change will be removed until it is. */
const NOTICE_DAYS = 7;

/**
 * Bounds what is kept. Applied changes go after their age, or the oldest of them when all take too much. What was never
 * applied is only removed after its age, and days after a person was told so. Returns what a person should know.
 */
export async function tidyChanges(
	place: ChangesPlace,
	{ maxAgeDays, maxMb }: KeepRules,
	now = Date.now(),
): Promise<readonly string[]> {
	const notices: string[] = [];
	const isOld = ({ record }: FoundChange): boolean =>
		now - Date.parse(record.changedAt) > maxAgeDays * DAY_MS;
	const settled = readRecords(place).filter(({ record }) => record.state !== "open");
	const applied = settled.filter(({ record }) => record.state === "applied");
	for (const { state } of applied.filter(isOld)) removeIfFree(state);
	for (const found of settled.filter(({ record }) => record.state === "pending").filter(isOld))
		notices.push(...remindOf(found, now));
	const left = await Promise.all(
		readRecords(place).map(async (found) => ({ ...found, bytes: (await listTouched(found.state)).bytes })),
	);
	let bytes = left.reduce((sum, found) => sum + found.bytes, 0);
	for (const { state, record, bytes: own } of [...left].reverse()) {
		if (bytes <= maxMb * MEBIBYTE) break;
		if (record.state !== "applied") continue;
		if (removeIfFree(state)) bytes -= own;
	}
	if (bytes > maxMb * MEBIBYTE)
		notices.push(
			`Changes that are not applied take ${Math.ceil(bytes / MEBIBYTE)} MB, and subagents.keepChanges.maxMb is ${maxMb}. Apply or drop some.`,
		);
	return notices;
}

/** A session that goes on can have taken its layer again since the record was read. */
function removeIfFree(state: string): boolean {
	const lock = takeFileLock(join(state, "owner.lock"));
	if (lock === undefined) return false;
	lock.release();
	removeLayer(state);
	return true;
}

function remindOf({ state, record }: FoundChange, now: number): readonly string[] {
	const told = record.removalToldAt;
	if (told !== undefined && now - told > NOTICE_DAYS * DAY_MS) {
		if (!removeIfFree(state)) return [];
		return [
			`${record.id} of ${record.origin.agent} was removed: it was never applied, and its age was told.`,
		];
	}
	if (told === undefined) writeRecord(state, { ...record, removalToldAt: now });
	const removedAt = new Date((told ?? now) + NOTICE_DAYS * DAY_MS).toISOString().slice(0, 10);
	return [`${record.id} of ${record.origin.agent} was never applied and will be removed after ${removedAt}.`];
}
