import { fstatSync } from "node:fs";
import { Socket } from "node:net";
import { type LifelineListeners, readLifelineMessages } from "./lifeline-message.ts";
import { findDescendants, isRunning } from "./read-process-table.ts";

const LIFELINE_FD = 3;
/** For a child whose own handling of SIGTERM hangs. */
const HARD_EXIT_MS = 3000;
const EXIT_CODE_SIGTERM = 143;
/** Where the kernel signals the child too, a second SIGTERM would interrupt pi's cleanup after the first. */
const KERNEL_SIGNAL_FIRST_MS = 300;

/**
 * To be called in a child that was started with a lifeline: ends this process when the parent is gone, however it
 * went. The kernel closes the other end of the pipe then. The pipe does not keep the child alive, and a process
 * started by hand, without such a pipe, is left alone. Covers the time from this call on; see `parentDeathPrefix`
 * for the time before. It needs the child's event loop: a child stuck in a computation ends when that is over.
 */
export function watchLifeline(options: LifelineListeners & { readonly fd?: number } = {}): void {
	const fd = options.fd ?? LIFELINE_FD;
	if (!isStdioPipe(fd)) return;
	let lifeline: Socket;
	try {
		lifeline = new Socket({ fd, readable: true, writable: false });
	} catch {
		return;
	}
	lifeline.on("error", () => lifeline.destroy());
	lifeline.once("close", endThisProcess);
	if (options.onMessage) lifeline.on("data", readLifelineMessages(options));
	lifeline.resume();
	lifeline.unref();
}

/** Node makes its stdio pipes from sockets on POSIX. A plain pipe there is some internal of this process: not ours. */
function isStdioPipe(fd: number): boolean {
	try {
		// Not as plain numbers: Node keeps the last of those, and its resolver of links takes a socket there for the end of a path.
		const status = fstatSync(fd, { bigint: true });
		return process.platform === "win32" ? status.isFIFO() : status.isSocket();
	} catch {
		return false;
	}
}

function endThisProcess(): void {
	const descendants = findDescendants(process.pid);
	const ask = setTimeout(() => process.kill(process.pid, "SIGTERM"), KERNEL_SIGNAL_FIRST_MS);
	const hardExit = setTimeout(() => {
		for (const entry of descendants.filter(isRunning)) {
			try {
				process.kill(entry.pid, "SIGKILL");
			} catch {
				// It ended in between.
			}
		}
		process.exit(EXIT_CODE_SIGTERM);
	}, HARD_EXIT_MS);
	ask.unref();
	hardExit.unref();
}
