import { spawnSync } from "node:child_process";
import { isMainThread } from "node:worker_threads";
import { processWideState } from "./live-children.ts";

const SETPRIV = "/usr/bin/setpriv";
const PROBE_TIMEOUT_MS = 5000;

/**
 * The command prefix after which Linux itself sends SIGTERM to a child whose parent died, however it died. It works
 * from the first instruction of the child, before any code of ours is loaded in it; the lifeline takes over from
 * there and works on every system. Grandchildren are the child's to end when it gets the signal.
 * Empty where it cannot work: without util-linux (busybox and old versions have a setpriv that does not know the
 * option, hence the trial), and in a worker, because the kernel watches the thread that started the child.
 */
export function parentDeathPrefix(): readonly string[] {
	if (process.platform !== "linux" || !isMainThread) return [];
	const state = processWideState();
	if (state.parentDeathCommand === undefined) {
		const prefix = [SETPRIV, "--pdeathsig", "TERM", "--"];
		state.parentDeathCommand = worksHere(prefix) ? prefix : null;
	}
	return state.parentDeathCommand ?? [];
}

function worksHere(prefix: readonly string[]): boolean {
	const [command = "", ...args] = prefix;
	// Itself once more, because it is there and starts in a millisecond.
	const trial = spawnSync(command, [...args, command, "--version"], {
		stdio: "ignore",
		timeout: PROBE_TIMEOUT_MS,
		env: {},
	});
	return trial.status === 0;
}
