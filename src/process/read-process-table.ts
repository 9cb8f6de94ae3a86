import { existsSync, readFileSync } from "node:fs";
import { groupBy, listIfThere } from "@deputize/ground";

/** One row of /proc. On systems without /proc everything in this file returns nothing. */
export interface ProcessEntry {
	readonly pid: number;
	readonly parentPid: number;
	readonly groupId: number;
	/** One letter; `Z` and `X` are dead. */
	readonly state: string;
	/** It is exiting for good; the kernel is still reclaiming its memory, which takes a while. */
	readonly isEnding: boolean;
	/** Clock ticks since boot. A pid with another start time is another process. */
	readonly startTime: number;
	readonly residentPages: number;
}

/** PF_EXITING of the kernel. */
const EXITING_FLAG = 0x4;

export function readProcess(pid: number): ProcessEntry | undefined {
	try {
		// Node reads files in a single step only as UTF-8; hundreds of these are read in a row.
		return parseProcessStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
	} catch {
		return undefined;
	}
}

/** The name in parentheses is chosen by the program and may itself contain spaces and parentheses. */
export function parseProcessStat(stat: string): ProcessEntry | undefined {
	const pid = Number.parseInt(stat, 10);
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const [state, parentPid, groupId] = fields;
	const startTime = Number(fields[19]);
	if (state === undefined || !Number.isFinite(pid) || !Number.isFinite(startTime)) return undefined;
	return {
		pid,
		parentPid: Number(parentPid),
		groupId: Number(groupId),
		state,
		isEnding: (Number(fields[6]) & EXITING_FLAG) !== 0,
		startTime,
		residentPages: Number(fields[21] ?? 0),
	};
}

export function listProcesses(): ProcessEntry[] {
	const pids = listIfThere("/proc").map(Number).filter(Number.isInteger);
	return pids.flatMap((pid) => readProcess(pid) ?? []);
}

/**
 * Children, their children and so on; not the root itself. Those already handed to PID 1 are not found. The kernel's own
 * lists do not depend on how much else runs on the machine, but can miss a process while one of its siblings ends.
 */
export function findDescendants(root: number): ProcessEntry[] {
	const listed = collectBelow(root, (pid) => readChildIds(pid)?.flatMap((child) => readProcess(child) ?? []));
	return listed ?? selectDescendants(root, listProcesses());
}

export function selectDescendants(root: number, table: readonly ProcessEntry[]): ProcessEntry[] {
	const byParent = groupBy(table, ({ parentPid }) => parentPid);
	return collectBelow(root, (pid) => byParent.get(pid) ?? []) ?? [];
}

/** Undefined as soon as the children of one are not known. */
function collectBelow(
	root: number,
	childrenOf: (pid: number) => readonly ProcessEntry[] | undefined,
): ProcessEntry[] | undefined {
	// Processes come and go while they are read, which can show a circle: every one is taken once.
	const found = new Map<number, ProcessEntry>();
	const open = [root];
	for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
		const children = childrenOf(parent);
		if (children === undefined) return undefined;
		for (const child of children) {
			if (found.has(child.pid)) continue;
			found.set(child.pid, child);
			open.push(child.pid);
		}
	}
	return [...found.values()];
}

/** Any of its threads can have started a child. None when it is gone; undefined when the kernel does not say. */
function readChildIds(pid: number): number[] | undefined {
	const children: number[] = [];
	for (const thread of listIfThere(`/proc/${pid}/task`)) {
		try {
			const list = readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8");
			for (const child of list.split(" ")) if (child.trim() !== "") children.push(Number(child));
		} catch {
			// A thread may have ended meanwhile; if the file is missing for a living thread, it is missing everywhere.
			if (existsSync(`/proc/${pid}/task/${thread}/stat`)) return undefined;
		}
	}
	return children;
}

/** The same process as the entry, not another one with the same number, and not a zombie or about to become one. */
export function isRunning(entry: Pick<ProcessEntry, "pid" | "startTime">): boolean {
	const now = readProcess(entry.pid);
	return now !== undefined && now.startTime === entry.startTime && !now.isEnding && !/[ZX]/.test(now.state);
}
