/** Waits. True after the whole time, false as soon as the signal is aborted; never rejects, leaves no timer. */
export function sleep(waitMs: number, signal?: AbortSignal): Promise<boolean> {
	if (signal?.aborted) return Promise.resolve(false);
	return new Promise((resolve) => {
		const stop = (): void => {
			clearTimeout(timer);
			resolve(false);
		};
		const timer = setTimeout(
			() => {
				signal?.removeEventListener("abort", stop);
				resolve(true);
			},
			Math.max(0, waitMs),
		);
		signal?.addEventListener("abort", stop, { once: true });
	});
}
