import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { removeOldest } from "@deputize/ground";
import type { RunEnd, RunEvent, RunStart } from "./run-event.ts";

const MAX_FILE_BYTES = 512 * 1024;
const MAX_LINE_BYTES = 32 * 1024;
/** Files that stay; the oldest go when a run starts. */
const MAX_KEPT_FILES = 500;
const SPARE_FILES = 50;

export interface RunEvents {
	write(event: Exclude<RunEvent, RunStart | RunEnd>): void;
	/** Nothing is written after this. Idempotent. */
	close(end: RunEnd): void;
}

export function runEventsDirectory(agentDirectory: string): string {
	return join(agentDirectory, "deputize", "run-events");
}

export function runEventsFile(agentDirectory: string, runId: string): string {
	return join(runEventsDirectory(agentDirectory), `${runId}.jsonl`);
}

/**
 * One private file for each run, bounded in size and number, which another process can follow. Never throws: a run goes
 * on when nobody can watch it. The file of a task of a batch is removed at its end: its result is in the output of the
 * batch, and thousands of them would push out everything else.
 */
export function openRunEvents(agentDirectory: string, start: RunStart): RunEvents {
	const directory = runEventsDirectory(agentDirectory);
	const file = runEventsFile(agentDirectory, start.start.runId);
	let append: ((event: RunEvent) => void) | undefined;
	let descriptor: number;
	try {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		removeOldest(directory, MAX_KEPT_FILES, SPARE_FILES);
		descriptor = openSync(file, "wx", 0o600);
	} catch {
		return { write: () => undefined, close: () => undefined };
	}
	append = createAppender(descriptor);
	append(start);
	return {
		write: (event) => append?.(event),
		close(end) {
			if (append === undefined) return;
			append(end);
			append = undefined;
			closeSync(descriptor);
			if (start.start.batch !== undefined) rmSync(file, { force: true });
		},
	};
}

/** The line after a `writing` line takes its place, so that a long text does not fill the file as it grows. */
function createAppender(descriptor: number): (event: RunEvent) => void {
	let size = 0;
	let isFull = false;
	const put = (event: RunEvent): void => {
		const line = Buffer.from(`${JSON.stringify(event)}\n`);
		writeSync(descriptor, line, 0, line.length, size);
		ftruncateSync(descriptor, size + line.length);
		if (event.type !== "writing") size += line.length;
	};
	return (event) => {
		const isEdge = event.type === "start" || event.type === "end";
		if (isFull && !isEdge) return;
		try {
			const shown = shorten(event);
			isFull ||= !isEdge && size > MAX_FILE_BYTES;
			put(isFull && !isEdge ? { type: "full", at: event.at } : shown);
		} catch {
			// A full disk: the run goes on unseen.
			isFull = true;
		}
	};
}

function shorten(event: RunEvent): RunEvent {
	if (event.type !== "call" || Buffer.byteLength(JSON.stringify(event.args)) <= MAX_LINE_BYTES) return event;
	return { ...event, args: { "…": "too long to show" } };
}
