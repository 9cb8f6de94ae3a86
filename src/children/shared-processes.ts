import { dirname } from "node:path";
import { onAbort } from "@deputize/ground";
import type { ChildPlan } from "../contract/plan.ts";
import type { PreparedChild, Runtime, SharedProcess } from "../runtimes/runtime.ts";

interface Shared {
	/** What it was started for and with: only a task for which the very same would be started may have it. */
	readonly purpose: string;
	readonly launch: string;
	readonly process: SharedProcess;
	/** Tasks that it was given. */
	readonly tasks: number;
}

/** What a process gathers over time (memory, output that is counted) ends with it. */
const MAX_TASKS = 50;
/** As many as a batch runs at once at most waits between two tasks. */
const MAX_WAITING = 64;

/** Processes that do several tasks, one after the other, where their runtime allows it. */
export class SharedProcesses {
	#waiting: readonly Shared[] = [];
	#isClosed = false;
	readonly #leaving = new Set<Promise<void>>();

	/** The child for one task, in a process that waits and is exactly what would be started now, or in a new one. */
	async prepare(runtime: Runtime, plan: ChildPlan, signal: AbortSignal): Promise<PreparedChild | undefined> {
		const sharing = await runtime.share?.(plan);
		if (sharing === undefined) return undefined;
		const { launch } = sharing;
		const purpose = describePurpose(plan);
		const taken = this.#take(purpose, launch) ?? {
			...{ purpose, launch, tasks: 0 },
			process: await sharing.start(),
		};
		const { worker, runDirectory } = taken.process;
		return {
			pid: worker.pid,
			confinement: worker.confinement,
			run: async (task, onEvent) => {
				const forget = onAbort(signal, worker.stop);
				const line = sharing.writeTask(task, runDirectory);
				const end = await worker.run(line, plan.limits.timeoutMs, onEvent);
				forget();
				this.#giveBack({ ...taken, tasks: taken.tasks + 1 });
				return end;
			},
			stop: worker.stop,
			discard: async () => this.#giveBack(taken),
		};
	}

	/** Ends those that wait; resolves when nothing of them is left. Those at work are ended after their task. */
	async close(): Promise<void> {
		this.#isClosed = true;
		for (const shared of this.#waiting) this.#end(shared);
		this.#waiting = [];
		await Promise.all(this.#leaving);
	}

	#take(purpose: string, launch: string): Shared | undefined {
		const running = this.#waiting.filter(({ process }) => process.worker.isRunning());
		const same = running.filter((shared) => shared.purpose === purpose);
		// The machine or the environment has changed since: nobody would get these any more.
		const stale = same.filter((shared) => shared.launch !== launch);
		const found = same.findLast((shared) => shared.launch === launch);
		this.#waiting = running.filter((shared) => shared !== found && !stale.includes(shared));
		for (const shared of stale) this.#end(shared);
		return found;
	}

	#giveBack(shared: Shared): void {
		const isSpent = this.#isClosed || shared.tasks >= MAX_TASKS || !shared.process.worker.isRunning();
		const all = isSpent ? this.#waiting : [...this.#waiting, shared];
		if (isSpent) this.#end(shared);
		this.#waiting = all.slice(-MAX_WAITING);
		for (const oldest of all.slice(0, -MAX_WAITING)) this.#end(oldest);
	}

	#end({ process }: Shared): void {
		const gone = process.worker.close().finally(() => this.#leaving.delete(gone));
		this.#leaving.add(gone);
	}
}

/** Less what is this task's own. */
function describePurpose({ runId: _, session, limits, ...rest }: ChildPlan): string {
	const { timeoutMs: __, ...otherLimits } = limits;
	return JSON.stringify({ ...rest, limits: otherLimits, sessions: dirname(session.file) });
}
