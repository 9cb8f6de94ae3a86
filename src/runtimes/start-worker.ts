import type { ChildEnd, ChildEvent } from "../contract/event.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ChildPlan } from "../contract/plan.ts";
import type { Confinement } from "../contract/result.ts";
import { type ProcessEnding, type SupervisedProcess, startProcess } from "../process/start-process.ts";
import { formatMebibytes } from "../text/format-mebibytes.ts";
import { type ChildDialect, type ChildLaunch, createHolds, toChildEnd } from "./start-child.ts";

/** A child that gets one task after the other. A task that does not end as it should ends the worker too. */
export interface ChildWorker {
	readonly pid: number | undefined;
	readonly confinement: Confinement;
	/** One task at a time. Never rejects, like `PreparedChild.run`. */
	run(line: string, timeoutMs: number, onEvent: (event: ChildEvent) => void): Promise<ChildEnd>;
	isRunning(): boolean;
	/** Ends it at work; `run` then resolves with the reason `aborted`. */
	stop(): void;
	/** Ends one that waits. Resolves when nothing of it is left. */
	close(): Promise<void>;
}

export type WorkerDialect = Pick<ChildDialect, "readLine" | "readSkippedLine" | "cleanUp">;

/** Starts a supervised child that waits for tasks. Limits of time apply to each of them, the others to the worker. */
export function startWorker(
	plan: Pick<ChildPlan, "cwd" | "limits">,
	launch: ChildLaunch,
	dialect: WorkerDialect,
): ChildWorker {
	const holds = createHolds();
	let listener: (event: ChildEvent) => void = () => undefined;
	let lostOutput: string | undefined;
	let isEnded = false;
	const passOn = (event: ChildEvent): void => {
		holds.follow(event, child);
		listener(event);
	};
	const child: SupervisedProcess = startProcess({
		command: launch.command,
		args: launch.args,
		cwd: plan.cwd,
		env: launch.env,
		limits: { ...LIMITS, ...plan.limits },
		// One that waits has nothing left to do.
		endWhenFinished: true,
		onLine(line) {
			const { isActivity, events } = dialect.readLine(line);
			if (isActivity) child.noteActivity();
			for (const event of events) passOn(event);
		},
		onSkippedLine(lengthBytes, head) {
			child.noteActivity();
			const { events, lost } = dialect.readSkippedLine(head);
			if (lost !== undefined) lostOutput = `${lost} of ${formatMebibytes(lengthBytes)}`;
			for (const event of events) passOn(event);
		},
	});
	const ended = child.ended.finally(() => {
		isEnded = true;
		holds.releaseAll();
		dialect.cleanUp?.();
	});
	return {
		pid: child.pid,
		confinement: launch.confinement,
		isRunning: () => !isEnded,
		async run(line, timeoutMs, onEvent) {
			const startedAt = performance.now();
			lostOutput = undefined;
			const settled = new Promise<undefined>((resolve) => {
				listener = (event) => {
					onEvent(event);
					if (event.type === "settled") resolve(undefined);
				};
			});
			child.sendTask(line, timeoutMs);
			onEvent({ type: "child-start", pid: child.pid });
			const ending = await Promise.race([settled, ended]);
			listener = () => undefined;
			child.endTask();
			holds.releaseAll();
			const end = toChildEnd(ending ?? describeSettled(performance.now() - startedAt), lostOutput);
			onEvent(end);
			return end;
		},
		stop: () => child.stop(),
		async close() {
			child.finish();
			await ended;
		},
	};
}

/** As of a process that exited after its task, which this one would have done. */
function describeSettled(durationMs: number): ProcessEnding {
	return {
		reason: "finished",
		exitCode: 0,
		signal: null,
		stderrTail: "",
		stdoutBytes: 0,
		durationMs: Math.round(durationMs),
	};
}
