import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { statIfThere } from "./stat-if-there.ts";

/**
 * Removes the entries of a directory that were not changed for the longest time, until `maxKept` are left. As many as
 * `spare` more may pile up first, so that not every caller has to look at all of them.
 */
export function removeOldest(directory: string, maxKept: number, spare = 0): void {
	const names = readdirSync(directory);
	if (names.length < maxKept + spare) return;
	const aged = names.map((name) => {
		const path = join(directory, name);
		return { path, changedAt: statIfThere(path)?.mtimeMs ?? 0 };
	});
	aged.sort((left, right) => right.changedAt - left.changedAt);
	for (const { path } of aged.slice(maxKept)) rmSync(path, { recursive: true, force: true });
}
