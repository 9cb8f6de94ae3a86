import { PassThrough } from "node:stream";
import { defined, waitWithin } from "@deputize/ground";
import { createTailKeeper } from "./keep-tail.ts";
import { type ChildSpec, type ExitStatus, openChild } from "./open-child.ts";

interface PeerEnding extends ExitStatus {
	/** Why it never ran. */
	readonly message?: string;
}

const STDERR_TAIL_BYTES = 16 * 1024;
const STOP_GRACE_MS = 1000;
/** For output that was written before the exit and not read yet. */
const LAST_WORDS_MS = 250;

export function startPeer(spec: Omit<ChildSpec, "lifeline">) {
	const child = openChild(spec);
	const stderr = createTailKeeper(STDERR_TAIL_BYTES);
	child.stderr?.on("data", stderr.push);

	async function awaitEnd(): Promise<PeerEnding> {
		const { exitCode, signal, spawnError } = await child.exited;
		await waitWithin(child.closed, LAST_WORDS_MS);
		await child.dispose();
		return { exitCode, signal, ...defined({ message: spawnError?.message }) };
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
