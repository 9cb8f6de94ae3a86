import { join } from "node:path";
import type { ChangeOverlap, ChangesPlace } from "../contract/changes.ts";
import type { ChangeRecord } from "./change-record.ts";
import { type FoundChange, findChange, readRecords } from "./find-changes.ts";
import { listTouched } from "./list-touched.ts";
import { toShown } from "./to-shown.ts";

/**
 * Others that changed the same files of the project: those that are not applied, also such whose child is at work, and those
 * that were applied since this one began. Nothing is merged to find it out.
 */
export async function findOverlaps(place: ChangesPlace, id: string): Promise<readonly ChangeOverlap[]> {
	const { record: own } = findChange(place, id);
	const paths = new Set(own.entries.map(({ path }) => path));
	const isRival = ({ record }: FoundChange): boolean =>
		record.id !== own.id &&
		record.project === own.project &&
		!record.isThrownAway &&
		(record.state !== "applied" || record.changedAt > own.createdAt);
	const found: ChangeOverlap[] = [];
	for (const { state, record } of readRecords(place).filter(isRival)) {
		const files = (await listPaths(state, record)).filter((path) => paths.has(path));
		if (files.length === 0) continue;
		found.push({
			id: record.id,
			agent: record.origin.agent,
			state: record.state,
			files: files.map(toShown),
		});
	}
	return found;
}

async function listPaths(
	state: string,
	{ state: stage, isolation, entries }: ChangeRecord,
): Promise<readonly string[]> {
	if (stage !== "open") return entries.map(({ path }) => path);
	return isolation === "layer" ? [...(await listTouched(join(state, "upper"))).paths] : [];
}
