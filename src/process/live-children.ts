import type { Slots } from "@deputize/ground";

/** What must still be ended when our own process ends. */
export interface LiveChild {
	/** Asks it to stop. Synchronous, never throws. */
	terminate(): void;
	hasEnded(): boolean;
	/** Ends it and everything it started. Synchronous, never throws. */
	kill(): void;
}

interface ProcessWideState {
	readonly children: Set<LiveChild>;
	/** Present while there is a child to end. */
	exitListener?: () => void;
	/** The command that makes the kernel signal a child when its parent dies; null when there is none here. */
	parentDeathCommand?: readonly string[] | null;
	/** Identifies this process in the marks of its children. */
	ownerMark?: string;
	/** Children that are watched over by the guardian, and how to dismiss it. */
	guarded?: number;
	stopGuardian?: () => void;
	/** See `heavyWork`. */
	heavyWork?: Slots;
	/** See `keepForAWhile`. */
	kept?: {
		readonly answers: Map<string, { readonly answer: Promise<unknown>; readonly until: number }>;
		/** One question at a time, whoever asks. */
		readonly turn: Slots;
	};
}

/** How long children that do not stop when asked may delay our normal exit. */
const EXIT_GRACE_MS = 1000;
const EXIT_POLL_MS = 10;

// Children belong to the operating system process, not to a copy of this module: pi can load the package twice,
// and one exit must end the children of both. This is the only state outside a factory.
const STATE_KEY = Symbol.for("deputize.process-wide-state.1");

export function processWideState(): ProcessWideState {
	const holder = globalThis as { [STATE_KEY]?: ProcessWideState };
	holder[STATE_KEY] ??= { children: new Set() };
	return holder[STATE_KEY];
}

/** Ends the child with our process unless the returned function is called first. */
export function registerLiveChild(child: LiveChild): () => void {
	const state = processWideState();
	state.children.add(child);
	if (state.exitListener === undefined) {
		state.exitListener = () => endAllNow(state.children);
		process.on("exit", state.exitListener);
	}
	return () => {
		state.children.delete(child);
		if (state.children.size > 0 || state.exitListener === undefined) return;
		process.off("exit", state.exitListener);
		delete state.exitListener;
	};
}

/** Does something when our process ends, unless the returned function is called first. Synchronous, must not throw. */
export function runAtExit(action: () => void): () => void {
	return registerLiveChild({ terminate: () => undefined, hasEnded: () => true, kill: action });
}

/** Runs inside the exit event, where nothing asynchronous runs any more: ask, wait briefly, kill. */
function endAllNow(children: ReadonlySet<LiveChild>): void {
	for (const child of children) child.terminate();
	const deadline = performance.now() + EXIT_GRACE_MS;
	const sleeper = new Int32Array(new SharedArrayBuffer(4));
	while (performance.now() < deadline && [...children].some((child) => !child.hasEnded())) {
		Atomics.wait(sleeper, 0, 0, EXIT_POLL_MS);
	}
	for (const child of children) child.kill();
}
