import { createLineSplitter, waitWithin } from "@deputize/ground";
import type { ChildAnswer } from "../contract/child-question.ts";
import { MAX_TIMEOUT_MS } from "../contract/limits.ts";
import { createSingleDecision } from "./decide-once.ts";
import { drainOutput } from "./drain-output.ts";
import { createTailKeeper } from "./keep-tail.ts";
import { toLifelineAnswer, toLifelineMessage } from "./lifeline-message.ts";
import {
	type ChildExit,
	type ChildSpec,
	type ExitStatus,
	type OpenedChild,
	openChild,
} from "./open-child.ts";
import { createIdleWatch } from "./watch-idle.ts";
import { watchMemory } from "./watch-memory.ts";

type ProcessEndReason =
	/** It ended on its own. */
	| "exit"
	/** It reported that its work is done; it may have been terminated afterwards. */
	| "finished"
	| "aborted"
	| "runtime-timeout"
	| "idle-timeout"
	| "output-limit"
	| "memory-limit"
	| "spawn-error";

export interface ProcessLimits {
	readonly timeoutMs: number;
	readonly idleTimeoutMs: number;
	/** A longer line is skipped. */
	readonly maxLineBytes: number;
	/** More than this in total ends the child. */
	readonly maxStdoutBytes: number;
	readonly maxStderrBytes: number;
	readonly stderrTailBytes: number;
	/** Of the child and everything it started; Linux only. */
	readonly maxMemoryMb?: number;
	/** From SIGTERM to SIGKILL. */
	readonly stopGraceMs: number;
	/** How long output may still come after the child finished or exited. */
	readonly drainMs: number;
}

export interface ProcessSpec extends Omit<ChildSpec, "lifeline"> {
	/** Already aborted: nothing is started. */
	readonly signal?: AbortSignal;
	readonly limits: ProcessLimits;
	/**
	 * End the child the moment it has finished instead of letting it exit: for one that has nothing left to do then.
	 * Taking down a Node process takes longer than some of their work.
	 */
	readonly endWhenFinished?: boolean;
	/** One complete line of stdout, without LF. Called in order, until `ended` is settled. Must not throw. */
	onLine(line: Buffer): void;
	/** A line was too long to be kept: its length and its first bytes. Must not throw. */
	onSkippedLine?(lengthBytes: number, head: Buffer): void;
}

export interface ProcessEnding extends ExitStatus {
	readonly reason: ProcessEndReason;
	/** What went wrong, in words; absent if it exited, finished or was aborted. */
	readonly message?: string;
	/** The system's name for the error if it could not be started, such as `EAGAIN`. */
	readonly errorCode?: string;
	readonly stderrTail: string;
	readonly durationMs: number;
}

/** One supervised child of a delegation: spawning, running, draining, done. Nothing here throws. */
export interface SupervisedProcess {
	readonly pid: number | undefined;
	/**
	 * Sends the task, closes stdin and starts the hard and idle timers: a child may be started early and wait
	 * for its task. A child that does not read it is not an error. Only the first call counts.
	 */
	sendInput(text: string): void;
	/**
	 * Sends one task of several as a line, and starts its timers. For a child that reads tasks from an open stdin; false
	 * when it is over.
	 */
	sendTask(line: string, timeoutMs: number): boolean;
	/** The task is done and the child waits for the next one: no time limit applies. */
	endTask(): void;
	/** Sends a child that has its task a message over the lifeline; false if it has ended or has no lifeline. */
	sendMessage(text: string): boolean;
	/** To a question that the child asked. */
	sendAnswer(id: string, value: ChildAnswer): void;
	/** Restarts the idle time. Output alone does not: only the caller knows whether it meant something. */
	noteActivity(): void;
	/** While any hold is open the child cannot be idle (a tool runs, a back-off waits). Releasing twice is harmless. */
	holdIdle(): () => void;
	/** The child reported that its work is done: it gets a moment to exit by itself, then it is stopped. */
	finish(): void;
	/** Abort. */
	stop(): void;
	/** Never rejects. Settled when nothing of the child and of what it started runs any more and no timer or listener is left. */
	readonly ended: Promise<ProcessEnding>;
}

type Decision = Pick<ProcessEnding, "reason" | "message" | "errorCode">;

const NEVER_STARTED: ChildExit = { exitCode: null, signal: null };

export function startProcess(spec: ProcessSpec, open: typeof openChild = openChild): SupervisedProcess {
	const { limits, signal } = spec;
	const startedAt = performance.now();
	const decision = createSingleDecision<Decision>();
	const child = signal?.aborted === true ? undefined : open({ ...spec, lifeline: true });

	const abort = () => decision.make({ reason: "aborted" });
	if (child === undefined) abort();
	else signal?.addEventListener("abort", abort, { once: true });

	const idle = createIdleWatch({
		timeoutMs: limits.idleTimeoutMs,
		onIdle: () =>
			decision.make({
				reason: "idle-timeout",
				message: `Nothing was heard from the child for ${limits.idleTimeoutMs} ms; it was stopped.`,
			}),
	});
	let hardTimer: NodeJS.Timeout | undefined;
	function startTimers(timeoutMs: number): void {
		idle.start();
		hardTimer = setTimeout(
			() =>
				decision.make({
					reason: "runtime-timeout",
					message: `The child was still running after ${timeoutMs} ms; it was stopped.`,
				}),
			Math.min(timeoutMs, MAX_TIMEOUT_MS),
		);
	}
	function stopTimers(): void {
		idle.stop();
		clearTimeout(hardTimer);
	}

	const output = createOutputReader(child, spec, (message) =>
		decision.make({ reason: "output-limit", message }),
	);
	const unwatchMemory = watchMemory(child?.pid, limits.maxMemoryMb, (usedMb) =>
		decision.make({
			reason: "memory-limit",
			message: `The child used ${usedMb} MB of memory; the limit is ${limits.maxMemoryMb} MB. It was stopped.`,
		}),
	);
	let exit = NEVER_STARTED;
	void child?.exited.then((seen) => {
		exit = seen;
		decision.make(
			seen.spawnError === undefined
				? { reason: "exit" }
				: { reason: "spawn-error", message: seen.spawnError.message, errorCode: seen.spawnError.code },
		);
	});

	async function supervise(): Promise<ProcessEnding> {
		const decided = await decision.made;
		stopTimers();
		unwatchMemory();
		if (child !== undefined) {
			// A child that uses memory too fast would continue to do so while it is asked to stop.
			const isKilled =
				decided.reason === "memory-limit" || (decided.reason === "finished" && spec.endWhenFinished === true);
			await (isKilled ? child.kill() : stopAndDrain(child, decided.reason));
			await child.dispose();
		}
		output.finish();
		signal?.removeEventListener("abort", abort);
		return {
			...decided,
			exitCode: exit.exitCode,
			signal: exit.signal,
			stderrTail: output.stderrTail(),
			durationMs: Math.round(performance.now() - startedAt),
		};
	}

	async function stopAndDrain(opened: OpenedChild, reason: ProcessEndReason): Promise<void> {
		if (reason === "finished") await waitWithin(opened.exited, limits.drainMs);
		await opened.stop(limits.stopGraceMs);
		// Past the output limit there is nothing left to read for.
		if (opened.pid === undefined || reason === "output-limit") return;
		await drainOutput({ ...output, closed: opened.closed, maxMs: limits.drainMs });
	}

	let inputSent = false;
	return {
		pid: child?.pid,
		sendInput(text) {
			if (inputSent || decision.isMade()) return;
			inputSent = true;
			startTimers(limits.timeoutMs);
			child?.stdin?.end(text);
		},
		sendTask(line, timeoutMs) {
			if (decision.isMade()) return false;
			inputSent = true;
			startTimers(timeoutMs);
			child?.stdin?.write(`${line}\n`);
			return true;
		},
		endTask: stopTimers,
		sendMessage(text) {
			if (!inputSent || decision.isMade() || child?.lifeline === undefined) return false;
			child.lifeline.write(toLifelineMessage(text));
			return true;
		},
		sendAnswer(id, value) {
			if (!decision.isMade()) child?.lifeline?.write(toLifelineAnswer(id, value));
		},
		noteActivity: idle.note,
		holdIdle: idle.hold,
		finish: () => decision.make({ reason: "finished" }),
		stop: abort,
		ended: supervise(),
	};
}

function createOutputReader(
	child: OpenedChild | undefined,
	spec: ProcessSpec,
	onLimit: (message: string) => void,
) {
	const { limits } = spec;
	const stderr = createTailKeeper(limits.stderrTailBytes);
	let stdoutBytes = 0;
	let lastChunkAt = 0;
	const splitter = createLineSplitter({
		maxLineBytes: limits.maxLineBytes,
		onLine: spec.onLine,
		onSkip: (lengthBytes, head) => spec.onSkippedLine?.(lengthBytes, head),
	});

	// Past a limit the pipes are still drained: a child blocked in a write would not notice that it is asked to stop.
	const onStdout = (chunk: Buffer) => {
		lastChunkAt = performance.now();
		if (stdoutBytes > limits.maxStdoutBytes) return;
		stdoutBytes += chunk.length;
		if (stdoutBytes > limits.maxStdoutBytes) {
			onLimit(`The child wrote more than ${limits.maxStdoutBytes} bytes of output; it was stopped.`);
			return;
		}
		splitter.push(chunk);
	};
	const onStderr = (chunk: Buffer) => {
		lastChunkAt = performance.now();
		stderr.push(chunk);
		if (stderr.totalBytes > limits.maxStderrBytes) {
			onLimit(`The child wrote more than ${limits.maxStderrBytes} bytes to stderr; it was stopped.`);
		}
	};
	child?.stdout?.on("data", onStdout);
	child?.stderr?.on("data", onStderr);

	return {
		lastChunkAt: () => lastChunkAt,
		finish() {
			child?.stdout?.off("data", onStdout);
			child?.stderr?.off("data", onStderr);
			splitter.end();
		},
		stderrTail: stderr.text,
	};
}
