import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { codeOf } from "@deputize/ground";
import { isRunning, readProcess } from "./read-process-table.ts";

/** Identifies a process, even when a later one gets the same number. */
export interface ProcessIdentity {
	readonly pid: number;
	/** Undefined if the system cannot tell. */
	readonly startTime?: number;
}

export function identifyProcess(pid: number): ProcessIdentity {
	const startTime = readProcess(pid)?.startTime;
	return startTime === undefined ? { pid } : { pid, startTime };
}

/** Only for this machine: processes of other machines cannot be checked. */
export function isProcessAlive({ pid, startTime }: ProcessIdentity): boolean {
	if (pid <= 0) return false;
	const now = readProcess(pid);
	if (now) return isRunning({ pid, startTime: startTime ?? now.startTime });
	if (startTime !== undefined) return false;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return codeOf(error) === "EPERM";
	}
}

/** Where process numbers mean the same: one boot of one kernel, and one namespace in it. Empty where nothing says so. */
export function identifyProcessSpace(): string {
	try {
		return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
	} catch {
		return "";
	}
}

export function isThisMachine(host: string): boolean {
	return host === hostname();
}
