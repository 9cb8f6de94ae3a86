import type { ChildEnd, ChildEvent } from "../contract/event.ts";
import type { ChildPlan } from "../contract/plan.ts";
import type { ProcessEnding } from "../process/start-process.ts";
import { type ChildLaunch, type LineDialect, startEventProcess } from "./start-event-process.ts";

export type WorkerDialect = Omit<LineDialect, "endWhenFinished">;

/** Starts a supervised child that waits for tasks. Limits of time apply to each of them, the others to the worker. */
export function startWorker(
	plan: Pick<ChildPlan, "cwd" | "limits">,
	launch: ChildLaunch,
	dialect: WorkerDialect,
) {
	let listener: (event: ChildEvent) => void = () => undefined;
	let isEnded = false;
	// One that waits has nothing left to do.
	const waiting = { ...dialect, endWhenFinished: true };
	const { child, toEnd, forgetTask, ...started } = startEventProcess(plan, launch, waiting, {
		onEvent: (event) => listener(event),
	});
	const ended = started.ended.finally(() => {
		isEnded = true;
	});
	return {
		pid: child.pid,
		confinement: launch.confinement,
		isRunning: (): boolean => !isEnded,
		/** One task at a time. Never rejects, like `PreparedChild.run`. */
		async run(line: string, timeoutMs: number, onEvent: (event: ChildEvent) => void): Promise<ChildEnd> {
			const startedAt = performance.now();
			const settled = new Promise<undefined>((resolve) => {
				let isCrashing = false;
				listener = (event) => {
					onEvent(event);
					// One that is about to be gone must not be given the next task.
					isCrashing ||= event.type === "crashed";
					if (event.type === "settled" && !isCrashing) resolve(undefined);
				};
			});
			child.sendTask(line, timeoutMs);
			onEvent({ type: "child-start", pid: child.pid });
			const ending = await Promise.race([settled, ended]);
			listener = () => undefined;
			child.endTask();
			const end = toEnd(ending ?? describeSettled(performance.now() - startedAt));
			forgetTask();
			onEvent(end);
			return end;
		},
		/** Ends one at work; `run` then resolves with the reason `aborted`. */
		stop: (): void => child.stop(),
		/** Ends one that waits. Resolves when nothing of it is left. */
		async close(): Promise<void> {
			child.finish();
			await ended;
		},
	};
}

/** A child that gets one task after the other. A task that does not end as it should ends the worker too. */
export type ChildWorker = ReturnType<typeof startWorker>;

/** As of a process that exited after its task, which this one would have done. */
function describeSettled(durationMs: number): ProcessEnding {
	return {
		reason: "finished",
		exitCode: 0,
		signal: null,
		stderrTail: "",
		durationMs: Math.round(durationMs),
	};
}
