import type { ChildWorker } from "../start-worker.ts";

/** What a worker was started for and with: only a task for which the very same would be started may have it. */
export interface WorkerPurpose {
	readonly plan: string;
	readonly launch: string;
}

export interface LoopWorker {
	readonly purpose: WorkerPurpose;
	readonly runDirectory: string;
	readonly worker: ChildWorker;
	/** Tasks that it was given. */
	readonly tasks: number;
}

/** Workers that wait for the next task. Whoever opens this closes it. */
export interface LoopWorkers {
	take(purpose: WorkerPurpose): LoopWorker | undefined;
	/** It waits for the next task, or is ended when it has had enough. */
	giveBack(worker: LoopWorker): void;
	/** Ends those that wait; resolves when nothing of them is left. Those at work are ended when they are given back. */
	close(): Promise<void>;
}

/** What a process gathers over time (memory, output that is counted) ends with it. */
const MAX_TASKS = 50;
/** As many as a batch runs at once at most waits between two tasks. */
const MAX_WAITING = 64;

export function createLoopWorkers(): LoopWorkers {
	let waiting: readonly LoopWorker[] = [];
	let isClosed = false;
	const leaving = new Set<Promise<void>>();

	const end = ({ worker }: LoopWorker): void => {
		const gone = worker.close().finally(() => leaving.delete(gone));
		leaving.add(gone);
	};
	return {
		take({ plan, launch }) {
			waiting = waiting.filter(({ worker }) => worker.isRunning());
			const same = waiting.filter(({ purpose }) => purpose.plan === plan);
			// The machine or the environment has changed since: nobody would get these any more.
			const stale = same.filter(({ purpose }) => purpose.launch !== launch);
			const found = same.findLast(({ purpose }) => purpose.launch === launch);
			waiting = waiting.filter((candidate) => candidate !== found && !stale.includes(candidate));
			stale.forEach(end);
			return found;
		},
		giveBack(worker) {
			const isSpent = isClosed || worker.tasks >= MAX_TASKS || !worker.worker.isRunning();
			if (isSpent) return end(worker);
			const all = [...waiting, worker];
			waiting = all.slice(-MAX_WAITING);
			all.slice(0, -MAX_WAITING).forEach(end);
		},
		async close() {
			isClosed = true;
			waiting.forEach(end);
			waiting = [];
			await Promise.all(leaving);
		},
	};
}
