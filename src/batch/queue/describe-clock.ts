import { spellDuration } from "@deputize/ground";
import type { WorkerEntry } from "./directory.ts";

/** Says when the clock of a worker's machine and ours differ much; else nothing. */
export function describeClock({ clockBehindMs }: Pick<WorkerEntry, "clockBehindMs">): string {
	if (clockBehindMs === undefined) return "";
	const difference = spellDuration(Math.abs(clockBehindMs));
	return `its clock is ${difference} ${clockBehindMs > 0 ? "behind" : "ahead of"} this machine's`;
}
