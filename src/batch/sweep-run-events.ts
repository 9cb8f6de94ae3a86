import { rmSync } from "node:fs";
import { join } from "node:path";
import { listIfThere } from "@deputize/ground";
import { runEventsDirectory } from "../journal/open-run-events.ts";
import { readRunEvents } from "../journal/read-run-events.ts";
import { isProcessAlive, isThisMachine } from "../process/identify-process.ts";

/** Removes what tasks of batches left whose process was killed: theirs are only there while they run. */
export function sweepRunEvents(agentDirectory: string): void {
	const directory = runEventsDirectory(agentDirectory);
	for (const name of listIfThere(directory)) {
		const file = join(directory, name);
		const [first] = readRunEvents(file).events;
		if (first?.type !== "start" || first.start.batch === undefined) continue;
		const { process: owner } = first.start;
		if (owner && isThisMachine(owner.host) && !isProcessAlive(owner)) rmSync(file, { force: true });
	}
}
