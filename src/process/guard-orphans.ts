import { type ChildProcess, spawn } from "node:child_process";
import { processWideState, runAtExit } from "./live-children.ts";
import { hasOuterLineage, ownerMark } from "./trace-lineage.ts";

const SHELL = "/bin/sh";
/** A child that may write can end the guardian, by accident too (`killall sh`). Another takes over, but not without end. */
const MAX_RESTARTS = 20;

/**
 * Waits on a pipe from us. A line on it means that all is well; if it closes without one, we were killed. Then, after a
 * moment in which children may clean up after themselves, everything that carries our mark is killed.
 */
const GUARDIAN = `
read -r _ && exit 0
sleep 0.6
for round in 1 2 3 4 5; do
	found=$(grep -laF -- "$1" /proc/[0-9]*/environ 2>/dev/null)
	[ -n "$found" ] || exit 0
	for file in $found; do pid=\${file#/proc/}; kill -KILL "\${pid%/environ}" 2>/dev/null; done
	sleep 0.1
done
`;

/**
 * A small shell that runs as long as we have children. It ends them and all they started if we are killed in a way
 * that lets us do nothing. It does not need the child's help: one that ignores SIGTERM, is suspended or is stuck
 * in a computation goes as well. Linux only. Inside a child of ours the outermost parent's guardian does it.
 */
export function guardOrphans(env: Readonly<Record<string, string>>): () => void {
	if (process.platform !== "linux" || hasOuterLineage(env)) return () => undefined;
	const state = processWideState();
	state.guarded = (state.guarded ?? 0) + 1;
	// Right after the child, in the same turn: nobody may hear of a child that is not guarded yet. The kernel's signal covers
	// the milliseconds in between, in which the child is only booting.
	if (state.guarded === 1) state.stopGuardian = keepGuardian();
	let isReleased = false;
	return () => {
		if (isReleased) return;
		isReleased = true;
		state.guarded = (state.guarded ?? 1) - 1;
		if (state.guarded > 0) return;
		state.stopGuardian?.();
		delete state.stopGuardian;
	};
}

function keepGuardian(): () => void {
	let guardian: ChildProcess | undefined;
	let isOver = false;
	const start = (restarts: number): void => {
		guardian = startGuardian();
		guardian?.once("exit", () => {
			if (!isOver && restarts < MAX_RESTARTS) start(restarts + 1);
		});
	};
	start(0);
	const forget = runAtExit(() => {
		isOver = true;
		guardian?.kill("SIGKILL");
	});
	return () => {
		isOver = true;
		forget();
		guardian?.stdin?.end("done\n");
	};
}

/** Undefined, or a process that never runs, if the system has no room for it: this is an extra safety net, not a requirement. */
function startGuardian(): ChildProcess | undefined {
	try {
		const guardian = spawn(SHELL, ["-c", GUARDIAN, "deputize-guardian", ownerMark()], {
			cwd: "/",
			env: { PATH: "/usr/bin:/bin" },
			stdio: ["pipe", "ignore", "ignore"],
			detached: true,
		});
		guardian.on("error", () => undefined);
		guardian.stdin?.on("error", () => undefined);
		guardian.unref();
		return guardian;
	} catch {
		return undefined;
	}
}
