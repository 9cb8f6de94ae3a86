import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { processWideState } from "./live-children.ts";
import { isRunning, listProcesses, type ProcessEntry } from "./read-process-table.ts";

const LINEAGE_VARIABLE = "DEPUTIZE_LINEAGE";

/**
 * A mark in the environment that everything started below a child inherits. Parent numbers alone do not lead to
 * a grandchild whose parent died: it belongs to PID 1 by then, and pi's bash runs in a separate session.
 * A program that clears its environment loses the mark; it is still found while its parent lives.
 */
interface Lineage {
	readonly mark: string;
	/** The environment with the mark added. Marks of outer children stay, so an outer sweep finds inner children. */
	readonly env: Record<string, string>;
}

export function createLineage(env: Readonly<Record<string, string>>): Lineage {
	const mark = randomUUID();
	const outer = env[LINEAGE_VARIABLE];
	const own = `${ownerMark()}.${mark}`;
	return { mark, env: { ...env, [LINEAGE_VARIABLE]: outer === undefined ? own : `${outer},${own}` } };
}

/** Part of the mark of every child of this process. */
export function ownerMark(): string {
	const state = processWideState();
	state.ownerMark ??= randomUUID();
	return state.ownerMark;
}

/** Whether a child with this environment is started inside another child of ours. */
export function hasOuterLineage(env: Readonly<Record<string, string>>): boolean {
	return env[LINEAGE_VARIABLE] !== undefined;
}

/** Every running process that carries the mark. Linux only; elsewhere none are found. */
export function findMarked(mark: string, startedSince: number): ProcessEntry[] {
	return listProcesses().filter(
		(entry) =>
			entry.startTime >= startedSince &&
			entry.pid !== process.pid &&
			entry.state !== "Z" &&
			carriesMark(entry.pid, mark) &&
			isRunning(entry),
	);
}

function carriesMark(pid: number, mark: string): boolean {
	try {
		const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
		const start = environment.indexOf(`${LINEAGE_VARIABLE}=`);
		return start !== -1 && environment.slice(start).split("\0", 1)[0]?.includes(mark) === true;
	} catch {
		return false;
	}
}
