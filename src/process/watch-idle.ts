import { MAX_TIMEOUT_MS } from "../contract/limits.ts";

interface IdleWatchOptions {
	readonly timeoutMs: number;
	onIdle(): void;
	/** Monotonic milliseconds. */
	readonly now?: () => number;
}

/** Between the suspicion and the verdict, so that output which is already waiting in the pipe is read first. */
const CONFIRM_MS = 50;
/** A timer this late means that our own process was blocked or suspended. */
const LATE_MS = 100;
const MAX_CONFIRMATIONS = 5;

/**
 * Calls `onIdle` once when nothing was noted for the given time.
 * While our event loop is blocked nobody reads the child's output, so the silence is ours: a check that comes
 * late gives the child the lost time back before it decides.
 */
export function createIdleWatch(options: IdleWatchOptions) {
	const now = options.now ?? (() => performance.now());
	let timer: NodeJS.Timeout | undefined;
	let running = false;
	let holds = 0;
	let lastActivity = 0;
	let checkDueAt = 0;
	let confirmations = 0;

	function arm(delayMs: number): void {
		clearTimeout(timer);
		const boundedMs = Math.min(Math.max(1, delayMs), MAX_TIMEOUT_MS);
		checkDueAt = now() + boundedMs;
		timer = setTimeout(check, boundedMs);
	}

	function disarm(): void {
		clearTimeout(timer);
		timer = undefined;
	}

	function check(): void {
		const at = now();
		const quietMs = at - lastActivity;
		if (quietMs < options.timeoutMs) {
			arm(options.timeoutMs - quietMs);
			return;
		}
		const lateMs = at - checkDueAt;
		if (confirmations === 0 || (lateMs > LATE_MS && confirmations < MAX_CONFIRMATIONS)) {
			confirmations += 1;
			arm(Math.min(Math.max(CONFIRM_MS, lateMs), Math.max(CONFIRM_MS, options.timeoutMs)));
			return;
		}
		running = false;
		disarm();
		options.onIdle();
	}

	function note(): void {
		lastActivity = now();
		confirmations = 0;
	}

	return {
		start(): void {
			if (running) return;
			running = true;
			note();
			if (holds === 0) arm(options.timeoutMs);
		},
		/** Something happened: the idle time starts over. */
		note,
		/** Silence is expected until the returned function is called, for as many holds as are open. */
		hold(): () => void {
			holds += 1;
			disarm();
			let released = false;
			return () => {
				if (released) return;
				released = true;
				holds -= 1;
				note();
				if (holds === 0 && running) arm(options.timeoutMs);
			};
		},
		stop(): void {
			running = false;
			disarm();
		},
	};
}
