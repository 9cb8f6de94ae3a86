import { onAbort } from "@deputize/ground";
import { EXIT_TIMEOUT, LoopError } from "../loop-error.ts";

/** Signs of life without progress (comments, pings) may go on for this many idle limits. */
const PROGRESS_FACTOR = 5;

/** Aborts an attempt when the run is aborted, when the server is silent, or when it only ever sends signs of life. */
export function watchSilence(run: AbortSignal, idleTimeoutMs: number) {
	const controller = new AbortController();
	const unfollow = onAbort(run, () => controller.abort(run.reason));
	const progressMs = idleTimeoutMs * PROGRESS_FACTOR;
	const idle = startAlarm(idleTimeoutMs, () => controller.abort(silent(idleTimeoutMs, "sent nothing")));
	const stuck = startAlarm(progressMs, () =>
		controller.abort(silent(progressMs, "sent only signs of life, no part of an answer,")),
	);
	return {
		signal: controller.signal,
		/** Bytes arrived, whatever they mean. */
		alive: idle.putOff,
		/** An event arrived that moves the answer on. */
		progress: stuck.putOff,
		/** Nothing more is needed: end soon, with whatever is there. */
		stop(): void {
			idle.stop();
			stuck.stop();
			unfollow();
		},
	};
}

export type SilenceWatch = ReturnType<typeof watchSilence>;

/**
 * Goes off after this time, unless put off. A process that was held up (a busy machine, a suspended laptop) finds its
 * timer due before it has looked at what arrived meanwhile: so it checks once more before it reports silence.
 */
function startAlarm(ms: number, onDue: () => void) {
	let putOffs = 0;
	let isStopped = false;
	const timer = setTimeout(() => {
		const before = putOffs;
		setImmediate(() => {
			if (isStopped) return;
			if (putOffs === before) onDue();
			else timer.refresh();
		});
	}, ms);
	return {
		putOff(): void {
			putOffs += 1;
			timer.refresh();
		},
		stop(): void {
			isStopped = true;
			clearTimeout(timer);
		},
	};
}

function silent(ms: number, what: string): LoopError {
	return new LoopError("idle_timeout", `The provider ${what} for ${ms} ms.`, { exitCode: EXIT_TIMEOUT });
}
