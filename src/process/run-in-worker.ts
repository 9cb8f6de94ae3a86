import { Worker } from "node:worker_threads";
import { createSlots } from "@deputize/ground";

type WorkerOutcome<Value> =
	| { readonly ok: true; readonly value: Value }
	| {
			readonly ok: false;
			readonly reason: "deadline" | "aborted" | "memory" | "crashed";
			readonly message: string;
	  };

interface WorkerRunner<Input, Value> {
	/** Never rejects. On a deadline or an abort the thread is ended, whatever it is doing. */
	run(input: Input, options: { signal: AbortSignal; deadlineMs: number }): Promise<WorkerOutcome<Value>>;
}

interface WorkerRunnerOptions {
	/** Absolute. */
	readonly file: string;
	readonly maxHeapMb: number;
	/** A thread without work ends after this time, so that an idle host is not held in memory. */
	readonly idleMs: number;
	readonly maxThreads: number;
}

interface Thread {
	readonly worker: Worker;
	idleTimer?: NodeJS.Timeout;
}

/**
 * Runs jobs in threads that can be ended. A thread that finished is kept for the next job for a while, because
 * loading its libraries takes longer than most jobs; one that was ended or crashed is never used again.
 * Each job is one message in and one message out.
 */
export function createWorkerRunner<Input, Value>(options: WorkerRunnerOptions): WorkerRunner<Input, Value> {
	const idle: Thread[] = [];
	const slots = createSlots(options.maxThreads);

	function takeThread(): Thread {
		const thread = idle.pop() ?? { worker: startPlainWorker(options) };
		clearTimeout(thread.idleTimer);
		thread.worker.ref();
		return thread;
	}

	function keepThread(thread: Thread): void {
		thread.worker.unref();
		thread.idleTimer = setTimeout(() => {
			idle.splice(idle.indexOf(thread), 1);
			void thread.worker.terminate();
		}, options.idleMs);
		thread.idleTimer.unref();
		idle.push(thread);
	}

	async function run(
		input: Input,
		{ signal, deadlineMs }: { signal: AbortSignal; deadlineMs: number },
	): Promise<WorkerOutcome<Value>> {
		const leave = await slots.take({ signal });
		if (!leave) return { ok: false, reason: "aborted", message: "The call was cancelled." };
		try {
			const thread = takeThread();
			const outcome = await runJob<Input, Value>(thread.worker, input, signal, deadlineMs);
			if (outcome.ok) keepThread(thread);
			else await thread.worker.terminate();
			return outcome;
		} finally {
			leave();
		}
	}

	return { run };
}

function startPlainWorker(options: WorkerRunnerOptions): Worker {
	// Own output streams: what a library prints must not reach the host's terminal. They are not read, because
	// reading them would keep the host alive; the thread itself throws away what is written. No environment, no flags.
	return new Worker(options.file, {
		stdout: true,
		stderr: true,
		env: {},
		execArgv: [],
		resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb },
	});
}

function runJob<Input, Value>(
	worker: Worker,
	input: Input,
	signal: AbortSignal,
	deadlineMs: number,
): Promise<WorkerOutcome<Value>> {
	return new Promise((resolve) => {
		const finish = (outcome: WorkerOutcome<Value>) => {
			clearTimeout(timer);
			signal.removeEventListener("abort", onAbort);
			worker.removeAllListeners("message");
			worker.removeAllListeners("exit");
			// A listener stays for errors: one that arrives after the job must not take the host down.
			worker.removeAllListeners("error");
			worker.on("error", () => undefined);
			resolve(outcome);
		};
		const onAbort = () => finish({ ok: false, reason: "aborted", message: "The call was cancelled." });
		const timer = setTimeout(
			() => finish({ ok: false, reason: "deadline", message: `It took longer than ${deadlineMs} ms.` }),
			deadlineMs,
		);
		signal.addEventListener("abort", onAbort, { once: true });
		worker.on("message", (value: WorkerOutcome<Value>) => finish(value));
		worker.on("error", (error: NodeJS.ErrnoException) =>
			finish({
				ok: false,
				reason: error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "crashed",
				message: error.message,
			}),
		);
		worker.on("exit", (code) =>
			finish({ ok: false, reason: "crashed", message: `The thread ended with ${code}.` }),
		);
		worker.postMessage(input);
	});
}
