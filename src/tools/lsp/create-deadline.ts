import { LspError } from "./lsp-error.ts";

/** One clock for a whole call: every wait inside it takes what is left, so waits cannot add up. */
export interface Deadline {
	/** For interfaces that want one; made when it is first asked for. */
	readonly signal: () => AbortSignal;
	readonly isPassed: () => boolean;
	/** Calls back once, when the time is over or the caller gave up. */
	readonly onPassed: (listener: () => void) => () => void;
	readonly remainingMs: () => number;
	readonly extendTo: (totalMs: number) => void;
	/** Throws the reason when the time is over or the caller gave up. */
	readonly check: () => void;
	readonly reason: () => LspError;
	readonly end: () => void;
}

export function createDeadline(totalMs: number, callerSignal: AbortSignal): Deadline {
	const started = performance.now();
	const listeners = new Set<() => void>();
	let controller: AbortController | undefined;
	let allowedMs = totalMs;
	let isPassed = false;
	let timer = setTimeout(expire, totalMs);

	function reason(): LspError {
		if (callerSignal.aborted) return new LspError("LSP_CANCELLED", "The lsp call was cancelled.");
		return new LspError("LSP_TIMEOUT", `The language server did not answer within ${allowedMs} ms.`);
	}
	function expire(): void {
		clearTimeout(timer);
		if (isPassed) return;
		isPassed = true;
		controller?.abort();
		const waiting = [...listeners];
		listeners.clear();
		for (const listener of waiting) listener();
	}

	if (callerSignal.aborted) expire();
	else callerSignal.addEventListener("abort", expire, { once: true });
	return {
		signal: () => {
			controller ??= new AbortController();
			if (isPassed) controller.abort();
			return controller.signal;
		},
		isPassed: () => isPassed,
		onPassed: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		remainingMs: () => Math.max(0, allowedMs - (performance.now() - started)),
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

/** Waits `ms`, shorter when the deadline passes first; never rejects. */
export function pauseWithin(ms: number, deadline: Deadline): Promise<void> {
	if (deadline.isPassed()) return Promise.resolve();
	return new Promise((resolve) => {
		const done = () => {
			clearTimeout(timer);
			stopListening();
			resolve();
		};
		const timer = setTimeout(done, ms);
		const stopListening = deadline.onPassed(done);
	});
}
