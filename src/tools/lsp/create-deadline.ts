import { LspError } from "./lsp-error.ts";

/** One clock for a whole call: every wait inside it takes what is left, so waits cannot add up. */
export interface Deadline {
	readonly signal: AbortSignal;
	readonly remainingMs: () => number;
	readonly extendTo: (totalMs: number) => void;
	/** Throws the reason when the time is over or the caller gave up. */
	readonly check: () => void;
	readonly reason: () => LspError;
	readonly end: () => void;
}

export function createDeadline(totalMs: number, callerSignal: AbortSignal): Deadline {
	const started = performance.now();
	const controller = new AbortController();
	let allowedMs = totalMs;
	let timer = setTimeout(expire, totalMs);

	function reason(): LspError {
		if (callerSignal.aborted) return new LspError("LSP_CANCELLED", "The lsp call was cancelled.");
		return new LspError("LSP_TIMEOUT", `The language server did not answer within ${allowedMs} ms.`);
	}
	function expire(): void {
		clearTimeout(timer);
		controller.abort();
	}

	if (callerSignal.aborted) expire();
	else callerSignal.addEventListener("abort", expire, { once: true });
	return {
		signal: controller.signal,
		remainingMs: () => Math.max(0, allowedMs - (performance.now() - started)),
		extendTo: (longerMs) => {
			if (longerMs <= allowedMs || controller.signal.aborted) return;
			allowedMs = longerMs;
			clearTimeout(timer);
			timer = setTimeout(expire, Math.max(0, allowedMs - (performance.now() - started)));
		},
		check: () => {
			if (controller.signal.aborted) throw reason();
		},
		reason,
		end: () => {
			clearTimeout(timer);
			callerSignal.removeEventListener("abort", expire);
		},
	};
}

/** The work's own result, or the deadline's reason the moment it passes; the work itself is not stopped. */
export async function withinDeadline<Value>(work: Promise<Value>, deadline: Deadline): Promise<Value> {
	deadline.check();
	let giveUp: () => void = () => undefined;
	const passed = new Promise<never>((_resolve, reject) => {
		giveUp = () => reject(deadline.reason());
		deadline.signal.addEventListener("abort", giveUp, { once: true });
	});
	try {
		return await Promise.race([work, passed]);
	} finally {
		deadline.signal.removeEventListener("abort", giveUp);
	}
}

/** Waits `ms`, shorter when the deadline passes first; never rejects. */
export function pauseWithin(ms: number, deadline: Deadline): Promise<void> {
	if (deadline.signal.aborted) return Promise.resolve();
	return new Promise((resolve) => {
		const done = () => {
			clearTimeout(timer);
			deadline.signal.removeEventListener("abort", done);
			resolve();
		};
		const timer = setTimeout(done, ms);
		deadline.signal.addEventListener("abort", done, { once: true });
	});
}
