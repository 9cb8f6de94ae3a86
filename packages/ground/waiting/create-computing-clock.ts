/**
 * Milliseconds that this thread has computed since now: a busy machine takes no time from whoever is to be done within a limit. Where
 * nobody counts threads, the process is counted, but never as more than the time that has passed.
 */
export function createComputingClock(): () => number {
	const begunAt = performance.now();
	const begun = readProcessorTime();
	return () => Math.min(performance.now() - begunAt, readProcessorTime() - begun);
}

function readProcessorTime(): number {
	const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
	return (user + system) / 1000;
}
