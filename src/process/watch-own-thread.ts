import { Worker } from "node:worker_threads";

export interface OwnThreadWatch {
	/** The process is about to end by itself: it gets a moment from now on, and is then killed, with these words. */
	expectEnd(lastWords: LastWords): void;
	/** Starts the watch if it has not started yet: before work that could keep this thread busy. */
	start(): void;
	stop(): void;
}

/** Written before the process is killed, each only if someone is reading. */
export interface LastWords {
	readonly stdout: string;
	readonly stderr: string;
}

interface OwnThreadWatchOptions {
	/** The process is ended this long after now, plus a moment in which it can do so itself. */
	readonly limitMs: number;
	/** At the limit. */
	readonly late: LastWords;
	/** When this thread did not respond. */
	readonly silent: LastWords;
}

/** A run that is shorter than this never pays for the second thread. */
const START_AFTER_MS = 150;
const BEAT_MS = 250;
const GRACE_MS = 3000;
/** Processor time that this thread may use without a pause. */
const SILENT_CPU_MS = 10_000;
/** Where only the time of all threads together is known, this thread may have had a fourth of it. */
const CAUTION = 4;
const LAST_WORDS_MS = 300;
const POLL_MS = 500;
const WORKER_HEAP_MB = 16;

/**
 * Timers and signal handlers run on this thread, so whatever keeps it busy (a regular expression, a reader that does
 * not read) also keeps them from running. This watch runs on a separate thread and ends the process with SIGKILL
 * when it is past its limit, when it was to end and did not, or when this thread computes and does not pause.
 * That is measured in processor time: on a busy machine a thread may wait for minutes for its few seconds of work,
 * while this one, which needs next to nothing, is on time.
 */
const WATCHER = `
const { parentPort, workerData } = require("node:worker_threads");
const { readFileSync, write } = require("node:fs");
const { beats, limitMs, silentCpuMs, caution, pollMs, graceMs, lastWordsMs, late, silent } = workerData;
const startedAt = performance.now();
let ending;
parentPort.on("message", (words) => { ending ??= { words, since: performance.now() }; });
// The first field is in nanoseconds. The first thread of a process has its number.
const readThreadMs = () => Number(readFileSync("/proc/self/task/" + process.pid + "/schedstat", "latin1").split(" ")[0]) / 1e6;
const readProcessMs = () => {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000 / caution;
};
let readCpuMs = readProcessMs;
try {
	// Zero where the kernel does not count.
	if (readThreadMs() > 0) readCpuMs = readThreadMs;
} catch {}
let lastBeat = -1;
let cpuAtBeat = 0;
const chooseWords = (now) => {
	if (now - ending?.since > graceMs) return ending.words;
	if (now - startedAt > limitMs + graceMs) return late;
	return readCpuMs() - cpuAtBeat > silentCpuMs ? silent : undefined;
};
const timer = setInterval(() => {
	const beat = Atomics.load(beats, 0);
	if (beat !== lastBeat) cpuAtBeat = readCpuMs();
	lastBeat = beat;
	const words = chooseWords(performance.now());
	if (words === undefined) return;
	clearInterval(timer);
	const say = (descriptor, text) => text !== "" && write(descriptor, text, () => undefined);
	say(2, words.stderr);
	say(1, words.stdout);
	// Nobody may be reading, so this does not wait for the writes.
	setTimeout(() => process.kill(process.pid, "SIGKILL"), lastWordsMs);
}, pollMs);
`;

export function watchOwnThread(options: OwnThreadWatchOptions): OwnThreadWatch {
	const createdAt = performance.now();
	const beats = new Int32Array(new SharedArrayBuffer(4));
	let worker: Worker | undefined;
	let beat: NodeJS.Timeout | undefined;

	function start(): void {
		clearTimeout(soon);
		if (beat !== undefined) return;
		beat = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
		worker = startWatcher(beats, options, performance.now() - createdAt);
	}
	const soon = setTimeout(start, START_AFTER_MS).unref();

	return {
		start,
		expectEnd(lastWords) {
			start();
			worker?.postMessage(lastWords);
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
	beats: Int32Array,
	{ limitMs, late, silent }: OwnThreadWatchOptions,
	elapsedMs: number,
): Worker | undefined {
	try {
		const worker = new Worker(WATCHER, {
			eval: true,
			env: {},
			execArgv: [],
			resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB },
			workerData: {
				beats,
				limitMs: limitMs - elapsedMs,
				silentCpuMs: SILENT_CPU_MS,
				caution: CAUTION,
				pollMs: POLL_MS,
				graceMs: GRACE_MS,
				lastWordsMs: LAST_WORDS_MS,
				late,
				silent,
			},
		});
		worker.on("error", () => undefined);
		worker.unref();
		return worker;
	} catch {
		return undefined;
	}
}
