import { dirname } from "node:path";
import type { ChildPlan } from "../../contract/plan.ts";
import { createRunDirectory } from "../run-directory.ts";
import type { PreparedChild } from "../runtime.ts";
import type { ChildLaunch } from "../start-event-process.ts";
import { startWorker } from "../start-worker.ts";
import { LOOP_DIALECT } from "./loop-dialect.ts";
import type { LoopWorker, LoopWorkers, WorkerPurpose } from "./loop-workers.ts";

/** How a worker for one plan is started, and how its task is written. */
export interface WorkerLauncher<Launch extends ChildLaunch> {
	readonly agentDirectory: string;
	/** As it would be started now, without a run directory of its own. */
	describe(): Promise<Launch>;
	launch(runDirectory: string): Promise<Launch>;
	writeTask(task: string, launch: Launch, runDirectory: string): string;
}

/** The navigator is our own code, reads only and remembers nothing: one process can do several tasks, never two at once. */
export function mayServeInTurn(plan: ChildPlan): boolean {
	return plan.model?.startsWith("offline/") === true && !plan.mayWrite;
}

/** A worker that waits and is exactly what would be started now, or a new one. */
export async function prepareWorker<Launch extends ChildLaunch>(
	plan: ChildPlan,
	{ workers, ...launcher }: WorkerLauncher<Launch> & { readonly workers: LoopWorkers },
	signal: AbortSignal | undefined,
): Promise<PreparedChild> {
	const launch = await launcher.describe();
	const purpose = describePurpose(plan, launch);
	const taken = workers.take(purpose) ?? (await startLoopWorker(plan, launcher, purpose));
	const { worker, runDirectory } = taken;
	const stop = (): void => worker.stop();
	return {
		pid: worker.pid,
		confinement: worker.confinement,
		async run(task, onEvent) {
			if (signal?.aborted) stop();
			signal?.addEventListener("abort", stop, { once: true });
			const end = await worker.run(
				launcher.writeTask(task, launch, runDirectory),
				plan.limits.timeoutMs,
				onEvent,
			);
			signal?.removeEventListener("abort", stop);
			workers.giveBack({ ...taken, tasks: taken.tasks + 1 });
			return end;
		},
		stop,
		async discard() {
			workers.giveBack(taken);
		},
	};
}

async function startLoopWorker<Launch extends ChildLaunch>(
	plan: ChildPlan,
	launcher: WorkerLauncher<Launch>,
	purpose: WorkerPurpose,
): Promise<LoopWorker> {
	const directory = createRunDirectory(launcher.agentDirectory);
	try {
		const launch = await launcher.launch(directory.path);
		const worker = startWorker(plan, launch, { ...LOOP_DIALECT, cleanUp: directory.remove });
		return { purpose, runDirectory: directory.path, worker, tasks: 0 };
	} catch (error) {
		directory.remove();
		throw error;
	}
}

/** Less what is this task's own. */
function describePurpose(plan: ChildPlan, { command, args, env, confinement }: ChildLaunch): WorkerPurpose {
	const { runId: _, session, limits, ...rest } = plan;
	const { timeoutMs: __, ...otherLimits } = limits;
	const shared = { ...rest, limits: otherLimits, sessions: dirname(session.file) };
	return { plan: JSON.stringify(shared), launch: JSON.stringify([command, args, env, confinement]) };
}
