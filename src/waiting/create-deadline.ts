/** One clock for a whole call: every wait inside it takes what is left, so waits cannot add up. */
export interface Deadline {
	readonly isPassed: () => boolean;
	/** Calls back once, when the time is up or the caller gave up. */
	readonly onPassed: (listener: () => void) => () => void;
	readonly extendTo: (totalMs: number) => void;
	/** Throws the reason when the time is up or the caller gave up. */
	readonly check: () => void;
	readonly reason: () => Error;
	readonly end: () => void;
}

export interface DeadlineEnd {
	/** The caller gave up; otherwise the time is up. */
	readonly isCancelled: boolean;
	readonly allowedMs: number;
}

export function createDeadline(
	totalMs: number,
	callerSignal: AbortSignal,
	toReason: (end: DeadlineEnd) => Error,
): Deadline {
	const started = performance.now();
	const listeners = new Set<() => void>();
	let allowedMs = totalMs;
	let isPassed = false;
	let timer = setTimeout(expire, totalMs);

	function expire(): void {
		clearTimeout(timer);
		if (isPassed) return;
		isPassed = true;
		const waiting = [...listeners];
		listeners.clear();
		for (const listener of waiting) listener();
	}
	const reason = () => toReason({ isCancelled: callerSignal.aborted, allowedMs });

	if (callerSignal.aborted) expire();
	else callerSignal.addEventListener("abort", expire, { once: true });
	return {
		isPassed: () => isPassed,
		onPassed: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		extendTo: (longerMs) => {
			if (longerMs <= allowedMs || isPassed) return;
			allowedMs = longerMs;
			clearTimeout(timer);
			timer = setTimeout(expire, Math.max(0, allowedMs - (performance.now() - started)));
		},
		check: () => {
			if (isPassed) throw reason();
		},
		reason,
		end: () => {
			clearTimeout(timer);
			callerSignal.removeEventListener("abort", expire);
		},
	};
}

/** The work's own result, or the deadline's reason the moment it passes; the work itself is not stopped. */
export function withinDeadline<Value>(work: Promise<Value>, deadline: Deadline): Promise<Value> {
	return new Promise((resolve, reject) => {
		if (deadline.isPassed()) {
			work.catch(() => undefined);
			reject(deadline.reason());
			return;
		}
		const stopListening = deadline.onPassed(() => reject(deadline.reason()));
		work.then(resolve, reject).finally(stopListening);
	});
}

/** Waits, shorter when the deadline passes first; never rejects. */
export function pauseWithin(waitMs: number, deadline: Deadline): Promise<void> {
	if (deadline.isPassed()) return Promise.resolve();
	return new Promise((resolve) => {
		const done = () => {
			clearTimeout(timer);
			stopListening();
			resolve();
		};
		const timer = setTimeout(done, waitMs);
		const stopListening = deadline.onPassed(done);
	});
}
