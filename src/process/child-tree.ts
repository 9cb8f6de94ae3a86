import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { LiveChild } from "./live-children.ts";
import { findDescendants, isRunning, type ProcessEntry, readProcess } from "./read-process-table.ts";
import { findMarked } from "./trace-lineage.ts";

interface ChildTree extends LiveChild {
	/** Ends what the exited child left running. Resolves when it is gone. */
	sweep(): Promise<void>;
}

/** A survivor may fork between being seen and being killed, so the search is repeated, for up to a quarter of a second. */
const SWEEP_POLLS_MS = [2, 4, 8, 16, 32, 64, 128];
const TASKKILL_TIMEOUT_MS = 5000;

/**
 * A child with everything below it, as something to signal.
 * Linux is tested. macOS gets the group signals only. Windows has no SIGTERM and no groups: `taskkill` ends the
 * tree at once, while its root still lives. Neither of those two was tested.
 */
export function createChildTree(pid: number | undefined, mark: string, hasExited: () => boolean): ChildTree {
	const startTime = pid === undefined ? undefined : readProcess(pid)?.startTime;
	const noted = new Map<number, ProcessEntry>();
	const doomed = new Map<number, ProcessEntry>();
	/** The last search found only processes that had already been sent SIGKILL. They start nothing more, so we are done. */
	let isSealed = false;

	function noteDescendants(): void {
		if (pid === undefined || hasExited()) return;
		for (const entry of findDescendants(pid)) noted.set(entry.pid, entry);
	}

	function hasEnded(): boolean {
		if (pid === undefined || hasExited()) return true;
		// Inside our exit event Node no longer learns that the child has ended; a zombie counts as ended too.
		return startTime !== undefined && !isRunning({ pid, startTime });
	}

	/** Running processes of this tree other than the child itself, if they can be determined. */
	function survivors(): ProcessEntry[] {
		const known = [...noted.values()].filter(isRunning);
		const marked = startTime === undefined ? [] : findMarked(mark, startTime);
		return [...known, ...marked.filter((entry) => entry.pid !== pid)];
	}

	function doom(entry: ProcessEntry): void {
		signal(entry.pid, "SIGKILL");
		doomed.set(entry.pid, entry);
	}

	function killSurvivors(): void {
		const fresh = survivors().filter((entry) => doomed.get(entry.pid)?.startTime !== entry.startTime);
		fresh.forEach(doom);
		isSealed = fresh.length === 0;
	}

	return {
		hasEnded,
		terminate() {
			if (pid === undefined || hasEnded()) return;
			noteDescendants();
			if (process.platform === "win32") endWindowsTree(pid);
			else signal(pid, "SIGTERM");
		},
		kill() {
			if (pid === undefined) return;
			noteDescendants();
			if (!hasEnded()) signal(process.platform === "win32" ? pid : -pid, "SIGKILL");
			for (const entry of noted.values()) if (isRunning(entry)) doom(entry);
			// The kernel is ending all of them while this looks for more.
			killSurvivors();
		},
		async sweep() {
			if (pid === undefined) return;
			// Without a process table the group is all we know. Its number cannot belong to others yet: it is
			// given out again only after the table of pids has gone round.
			if (startTime === undefined && process.platform !== "win32") signal(-pid, "SIGKILL");
			for (const pollMs of SWEEP_POLLS_MS) {
				if (!isSealed) killSurvivors();
				if (isSealed && ![...doomed.values()].some(isRunning)) return;
				await new Promise((resolve) => setTimeout(resolve, pollMs));
			}
		},
	};
}

function signal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
	try {
		process.kill(pid, name);
	} catch {
		// It is already gone, or belongs to someone else: either way there is nothing for us to end.
	}
}

function endWindowsTree(pid: number): void {
	// By absolute path: a taskkill.exe in the working directory must not be what runs.
	const taskkill = join("C:\\Windows", "System32", "taskkill.exe");
	spawnSync(taskkill, ["/T", "/F", "/PID", String(pid)], {
		stdio: "ignore",
		windowsHide: true,
		timeout: TASKKILL_TIMEOUT_MS,
	});
}
