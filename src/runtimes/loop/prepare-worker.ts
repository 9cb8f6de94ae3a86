import { dirname } from "node:path";
import { onAbort } from "@deputize/ground";
import type { ChildPlan } from "../../contract/plan.ts";
import { startInRunDirectory } from "../run-directory.ts";
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
	return {
		pid: worker.pid,
		confinement: worker.confinement,
		async run(task, onEvent) {
			const forget = onAbort(signal, worker.stop);
			const line = launcher.writeTask(task, launch, runDirectory);
			const end = await worker.run(line, plan.limits.timeoutMs, onEvent);
			forget();
			workers.giveBack({ ...taken, tasks: taken.tasks + 1 });
			return end;
		},
		stop: worker.stop,
		async discard() {
			workers.giveBack(taken);
		},
	};
}

function startLoopWorker<Launch extends ChildLaunch>(
	plan: ChildPlan,
	launcher: WorkerLauncher<Launch>,
	purpose: WorkerPurpose,
): Promise<LoopWorker> {
	return startInRunDirectory(launcher.agentDirectory, async ({ path, remove }) => {
		const launch = await launcher.launch(path);
		const worker = startWorker(plan, launch, { ...LOOP_DIALECT, cleanUp: remove });
		return { purpose, runDirectory: path, worker, tasks: 0 };
	});
}

/** Less what is this task's own. */
function describePurpose(plan: ChildPlan, { command, args, env, confinement }: ChildLaunch): WorkerPurpose {
	const { runId: _, session, limits, ...rest } = plan;
	const { timeoutMs: __, ...otherLimits } = limits;
	const shared = { ...rest, limits: otherLimits, sessions: dirname(session.file) };
	return { plan: JSON.stringify(shared), launch: JSON.stringify([command, args, env, confinement]) };
}
