/** Waits for a promise that never rejects, but not longer than this. True when it was settled in time. No timer is left. */
export function waitWithin(settled: Promise<unknown>, waitMs: number): Promise<boolean> {
	return new Promise((resolve) => {
		const timer = setTimeout(() => resolve(false), Math.max(0, waitMs));
		void settled.then(() => {
			clearTimeout(timer);
			resolve(true);
		});
	});
}
