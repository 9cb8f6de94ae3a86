import { sleep, statIfThere } from "@deputize/ground";
import type { JournalProcess } from "../journal/journal-record.ts";
import { runEventsFile } from "../journal/open-run-events.ts";
import { readRunEvents } from "../journal/read-run-events.ts";
import type { RunEvent } from "../journal/run-event.ts";
import { isProcessAlive, isThisMachine } from "../process/identify-process.ts";

/** Each look costs a few system calls; the page has to show what happens within half a second. */
export const WATCH_INTERVAL_MS = 100;

/** `lost`: the process that ran it is gone. `missing`: there are no events of this run. */
type WatchEnd = "ended" | "lost" | "missing" | "aborted";

/**
 * Calls back with the events of a run, first those there are, then each as it comes, until the run is over. A `writing`
 * event replaces the one before it.
 */
export async function watchRun(options: {
	readonly agentDirectory: string;
	readonly runId: string;
	readonly signal: AbortSignal;
	readonly onEvents: (events: readonly RunEvent[]) => void;
	readonly intervalMs?: number;
}): Promise<WatchEnd> {
	const file = runEventsFile(options.agentDirectory, options.runId);
	const reader = createRunReader(file);
	while (!options.signal.aborted) {
		// Asked before reading: what it wrote before it died is then still shown.
		const isOver = reader.isOver();
		const events = reader.readNew();
		if (events === undefined) return reader.hasBegun() ? "ended" : "missing";
		if (events.length > 0) options.onEvents(events);
		if (events.at(-1)?.type === "end") return "ended";
		if (events.length === 0 && isOver) return "lost";
		await sleep(options.intervalMs ?? WATCH_INTERVAL_MS, options.signal);
	}
	return "aborted";
}

export function createRunReader(file: string) {
	let offset = 0;
	let seen = "";
	let runner: JournalProcess | undefined;
	return {
		hasBegun: (): boolean => runner !== undefined,
		/** The process that runs it is gone. */
		isOver: (): boolean => runner !== undefined && isThisMachine(runner.host) && !isProcessAlive(runner),
		/** Undefined when the file is gone. */
		readNew(): readonly RunEvent[] | undefined {
			const entry = statIfThere(file);
			if (entry === undefined) return undefined;
			const now = `${entry.size} ${entry.mtimeMs}`;
			if (now === seen) return [];
			seen = now;
			const reading = readRunEvents(file, offset);
			offset = reading.offset;
			const [first] = reading.events;
			if (first?.type === "start") runner = first.start.process;
			return reading.events;
		},
	};
}

/** Reads the events of one run bit by bit. */
export type RunReader = ReturnType<typeof createRunReader>;
