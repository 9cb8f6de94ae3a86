import { PassThrough } from "node:stream";
import { defined, waitWithin } from "@deputize/ground";
import { createTailKeeper } from "./keep-tail.ts";
import { type ChildSpec, type ExitStatus, openChild } from "./open-child.ts";
import { watchMemory } from "./watch-memory.ts";

interface PeerEnding extends ExitStatus {
	/** Why it never ran. */
	readonly message?: string;
	/** What it used when it was ended for using too much. */
	readonly usedMb?: number;
}

const STDERR_TAIL_BYTES = 16 * 1024;
const STOP_GRACE_MS = 1000;
/** For output that was written before the exit and not read yet. */
const LAST_WORDS_MS = 250;

interface PeerSpec extends Omit<ChildSpec, "lifeline"> {
	/** Resident memory of it and everything it started; more ends it. */
	readonly maxMemoryMb?: number;
}

export function startPeer(spec: PeerSpec) {
	const child = openChild(spec);
	const stderr = createTailKeeper(STDERR_TAIL_BYTES);
	child.stderr?.on("data", stderr.push);
	let usedMb: number | undefined;
	const unwatch = watchMemory(child.pid, spec.maxMemoryMb, (used) => {
		usedMb = used;
		child.stop(0).catch(() => undefined);
	});

	async function awaitEnd(): Promise<PeerEnding> {
		const { exitCode, signal, spawnError } = await child.exited;
		unwatch();
		await waitWithin(child.closed, LAST_WORDS_MS);
		await child.dispose();
		return { exitCode, signal, ...defined({ message: spawnError?.message, usedMb }) };
	}
	const ended = awaitEnd();

	return {
		pid: child.pid,
		stdin: child.stdin ?? closedStream(),
		stdout: child.stdout ?? closedStream(),
		stderrTail: stderr.text,
		/** Settled when it and everything it started is gone. */
		ended,
		/** SIGTERM, and SIGKILL after the grace. Any protocol's own goodbye comes before this. */
		async stop(graceMs: number = STOP_GRACE_MS): Promise<PeerEnding> {
			await child.stop(graceMs);
			return ended;
		},
	};
}

/** A program we talk to over stdin and stdout for as long as it is useful. Nothing here throws or rejects. */
export type Peer = ReturnType<typeof startPeer>;

/** Given to the caller when nothing was started: reading ends at once, writing is discarded. */
function closedStream(): PassThrough {
	const stream = new PassThrough();
	stream.on("error", () => undefined);
	stream.end();
	stream.resume();
	return stream;
}
