import { findDescendants, readProcess } from "./read-process-table.ts";

const POLL_MS = 200;
/** The page size on the machines we know; where pages are larger, the limit only takes effect later. */
const PAGE_BYTES = 4096;
const BYTES_PER_MB = 1024 * 1024;

/** Calls `onLimit` once when the tree below `pid` uses more memory than allowed. Returns how to stop watching. */
export function watchMemory(
	pid: number | undefined,
	maxMb: number | undefined,
	onLimit: (usedMb: number) => void,
): () => void {
	if (pid === undefined || maxMb === undefined || process.platform !== "linux") return () => undefined;
	const timer = setInterval(() => {
		const usedMb = Math.ceil((residentPages(pid) * PAGE_BYTES) / BYTES_PER_MB);
		if (usedMb <= maxMb) return;
		clearInterval(timer);
		onLimit(usedMb);
	}, POLL_MS);
	// Whoever watches a process waits for its end anyway, or wants to be able to leave.
	timer.unref();
	return () => clearInterval(timer);
}

function residentPages(pid: number): number {
	const own = readProcess(pid)?.residentPages ?? 0;
	return findDescendants(pid).reduce((sum, entry) => sum + entry.residentPages, own);
}
