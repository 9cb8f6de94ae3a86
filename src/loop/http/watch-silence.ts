import { EXIT_TIMEOUT, LoopError } from "../loop-error.ts";

/** Signs of life without progress (comments, pings) may go on for this many idle limits. */
const PROGRESS_FACTOR = 5;

export interface SilenceWatch {
	readonly signal: AbortSignal;
	/** Bytes arrived, whatever they mean. */
	alive(): void;
	/** An event arrived that moves the answer on. */
	progress(): void;
	/** Nothing more is needed: end soon, with whatever is there. */
	stop(): void;
}

/** Aborts an attempt when the run is aborted, when the server is silent, or when it only ever sends signs of life. */
export function watchSilence(run: AbortSignal, idleTimeoutMs: number): SilenceWatch {
	const controller = new AbortController();
	const onRunAbort = () => controller.abort(run.reason);
	if (run.aborted) onRunAbort();
	else run.addEventListener("abort", onRunAbort, { once: true });
	const idle = setTimeout(() => controller.abort(silent(idleTimeoutMs, "sent nothing")), idleTimeoutMs);
	const progressMs = idleTimeoutMs * PROGRESS_FACTOR;
	const stuck = setTimeout(
		() => controller.abort(silent(progressMs, "sent only signs of life, no part of an answer,")),
		progressMs,
	);
	return {
		signal: controller.signal,
		alive: () => {
			idle.refresh();
		},
		progress: () => {
			stuck.refresh();
		},
		stop() {
			clearTimeout(idle);
			clearTimeout(stuck);
			run.removeEventListener("abort", onRunAbort);
		},
	};
}

function silent(ms: number, what: string): LoopError {
	return new LoopError("idle_timeout", `The provider ${what} for ${ms} ms.`, { exitCode: EXIT_TIMEOUT });
}
