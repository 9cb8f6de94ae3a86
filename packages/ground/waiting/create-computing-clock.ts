/** To ask takes longer than to redact a word, and most texts are short. */
const NOT_WORTH_ASKING_MS = 5;

/**
 * Milliseconds that this thread has computed since now: a busy machine takes no time from whoever is to be done within a limit. Where
 * nobody counts threads, the process is counted, but never as more than the time that has passed.
 */
export function createComputingClock(): () => number {
	const begunAt = performance.now();
	const begun = readProcessorTime();
	return () => {
		const passed = performance.now() - begunAt;
		return passed < NOT_WORTH_ASKING_MS ? passed : Math.min(passed, readProcessorTime() - begun);
	};
}

function readProcessorTime(): number {
	const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
	return (user + system) / 1000;
}
