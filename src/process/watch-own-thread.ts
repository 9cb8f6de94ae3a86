import { Worker } from "node:worker_threads";

export interface OwnThreadWatch {
	/** The process is about to end by itself: it gets a moment from now on, and is then killed. */
	expectEnd(): void;
	/** Starts the watch if it has not started yet: before work that could keep this thread busy. */
	start(): void;
	stop(): void;
}

interface OwnThreadWatchOptions {
	/** The process is ended this long after now, plus a moment in which it can do so itself. */
	readonly limitMs: number;
	/** Written before the process is killed, each only if someone is reading. */
	readonly lastWords: {
		readonly stdout: string;
		/** At the limit, or when the process was about to end. */
		readonly lateStderr: string;
		/** When this thread did not respond. */
		readonly silentStderr: string;
	};
}

/** A run that is shorter than this never pays for the second thread. */
const START_AFTER_MS = 150;
const BEAT_MS = 250;
const GRACE_MS = 3000;
/** How long this thread may be busy without a pause. */
const SILENT_MS = 10_000;
const LAST_WORDS_MS = 300;
const POLL_MS = 500;
const WORKER_HEAP_MB = 16;

const BEAT = 0;
const ENDING = 1;

/**
 * Timers and signal handlers run on this thread, so whatever keeps it busy (a regular expression, a reader that does
 * not read) also keeps them from running. This watch runs on a separate thread and ends the process with SIGKILL
 * when it is past its limit, when it was to end and did not, or when this thread has not paused for a long time.
 * Polls without a beat are counted rather than time: a machine that was asleep or overloaded delays both threads.
 */
const WATCHER = `
const { workerData } = require("node:worker_threads");
const { write } = require("node:fs");
const { shared, limitMs, silentPolls, pollMs, graceMs, lastWordsMs, lastWords } = workerData;
const startedAt = performance.now();
let lastBeat = -1;
let polls = 0;
let endingSince;
const timer = setInterval(() => {
	const beat = Atomics.load(shared, ${BEAT});
	polls = beat === lastBeat ? polls + 1 : 0;
	lastBeat = beat;
	const now = performance.now();
	if (Atomics.load(shared, ${ENDING}) === 1) endingSince ??= now;
	const isLate = now - startedAt > limitMs + graceMs || now - endingSince > graceMs;
	if (!isLate && polls < silentPolls) return;
	clearInterval(timer);
	const say = (descriptor, text) => text !== "" && write(descriptor, text, () => undefined);
	say(2, isLate ? lastWords.lateStderr : lastWords.silentStderr);
	say(1, lastWords.stdout);
	// Nobody may be reading, so this does not wait for the writes.
	setTimeout(() => process.kill(process.pid, "SIGKILL"), lastWordsMs);
}, pollMs);
`;

export function watchOwnThread(options: OwnThreadWatchOptions): OwnThreadWatch {
	const createdAt = performance.now();
	const shared = new Int32Array(new SharedArrayBuffer(8));
	let worker: Worker | undefined;
	let beat: NodeJS.Timeout | undefined;

	function start(): void {
		clearTimeout(soon);
		if (beat !== undefined) return;
		beat = setInterval(() => Atomics.add(shared, BEAT, 1), BEAT_MS).unref();
		worker = startWatcher(shared, options, performance.now() - createdAt);
	}
	const soon = setTimeout(start, START_AFTER_MS).unref();

	return {
		start,
		expectEnd() {
			Atomics.store(shared, ENDING, 1);
			start();
		},
		stop() {
			clearTimeout(soon);
			clearInterval(beat);
			void worker?.terminate();
		},
	};
}

/** Undefined if the system has no room for a thread: this is an extra safety net, not a requirement. */
function startWatcher(
	shared: Int32Array,
	{ limitMs, lastWords }: OwnThreadWatchOptions,
	elapsedMs: number,
): Worker | undefined {
	try {
		const worker = new Worker(WATCHER, {
			eval: true,
			env: {},
			execArgv: [],
			resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB },
			workerData: {
				shared,
				limitMs: limitMs - elapsedMs,
				silentPolls: SILENT_MS / POLL_MS,
				pollMs: POLL_MS,
				graceMs: GRACE_MS,
				lastWordsMs: LAST_WORDS_MS,
				lastWords,
			},
		});
		worker.on("error", () => undefined);
		worker.unref();
		return worker;
	} catch {
		return undefined;
	}
}
