const POLL_MS = 1000;

/**
 * Calls back once when the process that started this one is gone: an orphan is handed to another parent. Works without
 * any help of the parent, which may be a program in any language; one that offers a lifeline is noticed sooner.
 * Unavailable on Windows, where a process keeps the number of its dead parent.
 */
export function watchParent(onGone: () => void): void {
	const parent = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(timer);
		onGone();
	}, POLL_MS);
	timer.unref();
}
