import { MAX_TIMEOUT_MS } from "../contract/limits.ts";
import { createSingleDecision } from "./decide-once.ts";
import { drainOutput } from "./drain-output.ts";
import { createTailKeeper } from "./keep-tail.ts";
import { type ChildExit, type ChildSpec, type ExitStatus, openChild } from "./open-child.ts";
import { watchMemory } from "./watch-memory.ts";

export interface CommandSpec extends Omit<ChildSpec, "lifeline"> {
	readonly input?: string | Uint8Array;
	/** Left out for a program that answers in a moment, which on a busy machine is many seconds. */
	readonly timeoutMs?: number;
	readonly signal?: AbortSignal;
	/** More than this ends the command; what was read until then is kept. */
	readonly maxStdoutBytes: number;
	/** Only the end of stderr is kept; more never ends the command. */
	readonly maxStderrBytes?: number;
	/** Resident memory of the whole tree, checked several times a second. Linux only. */
	readonly maxRssMb?: number;
}

export interface CommandEnding extends ExitStatus {
	readonly reason: "exit" | "timeout" | "aborted" | "output-limit" | "memory-limit" | "spawn-error";
	readonly stdout: Buffer;
	/** Only the end of it. */
	readonly stderr: string;
	/** What went wrong, in words; absent if it exited or was aborted. */
	readonly message?: string;
}

type Decision = Pick<CommandEnding, "reason" | "message">;

const STDERR_TAIL_BYTES = 16 * 1024;
/** Only what hangs takes this long: an answer must not depend on who else is computing. */
const PATIENCE_MS = 60_000;
const STOP_GRACE_MS = 1000;
const DRAIN_MS = 1000;
const NEVER_STARTED: ChildExit = { exitCode: null, signal: null };

/** Runs a program to its end, within bounds. Never rejects; when it resolves, everything it started is gone. */
export async function runCommand(spec: CommandSpec): Promise<CommandEnding> {
	const { made: decided, make: decide } = createSingleDecision<Decision>();
	if (spec.signal?.aborted === true)
		return { reason: "aborted", ...NEVER_STARTED, stdout: Buffer.alloc(0), stderr: "" };
	const { timeoutMs = PATIENCE_MS } = spec;
	const child = openChild(spec);
	const timer = setTimeout(
		() =>
			decide({
				reason: "timeout",
				message: `${spec.command} did not finish within ${timeoutMs} ms.`,
			}),
		Math.min(timeoutMs, MAX_TIMEOUT_MS),
	);
	const output = createOutputCollector(spec, decide);
	child.stdout?.on("data", output.onStdout);
	child.stderr?.on("data", output.onStderr);
	child.stdin?.end(spec.input);

	const abort = () => decide({ reason: "aborted" });
	spec.signal?.addEventListener("abort", abort, { once: true });
	const unwatchMemory = watchMemory(child.pid, spec.maxRssMb, (usedMb) =>
		decide({
			reason: "memory-limit",
			message: `${spec.command} used ${usedMb} MB of memory; the limit is ${spec.maxRssMb} MB.`,
		}),
	);
	let exit = NEVER_STARTED;
	void child.exited.then((seen) => {
		exit = seen;
		decide(
			seen.spawnError === undefined
				? { reason: "exit" }
				: { reason: "spawn-error", message: seen.spawnError.message },
		);
	});

	const decision = await decided;
	clearTimeout(timer);
	unwatchMemory();
	spec.signal?.removeEventListener("abort", abort);
	await child.stop(STOP_GRACE_MS);
	if (child.pid !== undefined && decision.reason !== "output-limit") {
		await drainOutput({ closed: child.closed, lastChunkAt: output.lastChunkAt, maxMs: DRAIN_MS });
	}
	await child.dispose();
	return {
		...decision,
		exitCode: exit.exitCode,
		signal: exit.signal,
		...output.summary(),
	};
}

function createOutputCollector(spec: CommandSpec, decide: (decision: Decision) => void) {
	const chunks: Buffer[] = [];
	const stderr = createTailKeeper(spec.maxStderrBytes ?? STDERR_TAIL_BYTES);
	let keptBytes = 0;
	let lastChunkAt = 0;
	return {
		lastChunkAt: () => lastChunkAt,
		onStdout(chunk: Buffer) {
			lastChunkAt = performance.now();
			const part = chunk.subarray(0, spec.maxStdoutBytes - keptBytes);
			if (part.length > 0) chunks.push(part);
			keptBytes += part.length;
			if (part.length < chunk.length) {
				decide({
					reason: "output-limit",
					message: `${spec.command} wrote more than ${spec.maxStdoutBytes} bytes of output.`,
				});
			}
		},
		onStderr(chunk: Buffer) {
			lastChunkAt = performance.now();
			stderr.push(chunk);
		},
		summary: () => ({ stdout: Buffer.concat(chunks), stderr: stderr.text() }),
	};
}
