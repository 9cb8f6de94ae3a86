import { existsSync, readdirSync, readFileSync } from "node:fs";

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
	let names: string[];
	try {
		names = readdirSync("/proc");
	} catch {
		return [];
	}
	const entries: ProcessEntry[] = [];
	for (const name of names) {
		const pid = Number(name);
		const entry = Number.isInteger(pid) ? readProcess(pid) : undefined;
		if (entry !== undefined) entries.push(entry);
	}
	return entries;
}

/** Children, their children and so on; not the root itself. Those already handed to PID 1 are not found. */
export function findDescendants(root: number): ProcessEntry[] {
	return followChildren(root) ?? selectDescendants(root, listProcesses());
}

/**
 * The same from the kernel's own lists, which does not depend on how much else runs on the machine. Undefined where
 * the kernel has none. A list can miss a process while one of its siblings ends.
 */
function followChildren(root: number): ProcessEntry[] | undefined {
	const found = new Map<number, ProcessEntry>();
	const open = [root];
	for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
		const children = readChildIds(parent);
		if (children === undefined) return undefined;
		for (const pid of children) {
			const entry = found.has(pid) ? undefined : readProcess(pid);
			if (entry === undefined) continue;
			found.set(pid, entry);
			open.push(pid);
		}
	}
	return [...found.values()];
}

/** Any of its threads can have started a child. None when it is gone; undefined when the kernel does not say. */
function readChildIds(pid: number): number[] | undefined {
	let threads: string[];
	try {
		threads = readdirSync(`/proc/${pid}/task`);
	} catch {
		return [];
	}
	const children: number[] = [];
	for (const thread of threads) {
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

export function selectDescendants(root: number, table: readonly ProcessEntry[]): ProcessEntry[] {
	const byParent = new Map<number, ProcessEntry[]>();
	for (const entry of table) {
		const siblings = byParent.get(entry.parentPid);
		if (siblings === undefined) byParent.set(entry.parentPid, [entry]);
		else siblings.push(entry);
	}
	// A table read row by row while processes come and go can show a circle: every row is taken once.
	const found = new Set<ProcessEntry>();
	const open = [root];
	for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
		for (const entry of byParent.get(parent) ?? []) {
			if (found.has(entry)) continue;
			found.add(entry);
			open.push(entry.pid);
		}
	}
	return [...found];
}

/** The same process as the entry, not another one with the same number, and not a zombie or about to become one. */
export function isRunning(entry: Pick<ProcessEntry, "pid" | "startTime">): boolean {
	const now = readProcess(entry.pid);
	return now !== undefined && now.startTime === entry.startTime && !now.isEnding && !/[ZX]/.test(now.state);
}
