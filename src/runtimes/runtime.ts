import type { RuntimeName } from "../contract/agent.ts";
import type { ChildAnswer } from "../contract/child-question.ts";
import type { ChildEnd, ChildEvent } from "../contract/event.ts";
import type { ChildPlan } from "../contract/plan.ts";
import type { Confinement } from "../contract/result.ts";
import type { ChildLaunch } from "./start-event-process.ts";
import type { ChildWorker } from "./start-worker.ts";

/** What would be started, for `--dry-run`. Values of environment variables are never part of it. */
export interface LaunchDescription extends Omit<ChildLaunch, "env"> {
	readonly environmentNames: readonly string[];
}

export function describeLaunch({ command, args, confinement, env }: ChildLaunch): LaunchDescription {
	return { command, args, confinement, environmentNames: Object.keys(env).sort() };
}

/** A child that is up and waits for its task. It gets one task, or is discarded. */
export interface PreparedChild {
	readonly pid: number | undefined;
	readonly confinement: Confinement;
	/**
	 * Sends the task and reports what happens. Never rejects: every failure is encoded in the events, and the last one
	 * is the `child-end` it resolves with.
	 */
	run(task: string, onEvent: (event: ChildEvent) => void): Promise<ChildEnd>;
	/** Sends a running child a message for its next turn; false if it has ended. Absent if the runtime cannot do this. */
	send?(text: string): boolean;
	/** To a `question` of the child; present where there can be one. */
	answer?(id: string, value: ChildAnswer): void;
	/** Ends a running child; `run` then resolves with the reason `aborted`. */
	stop(): void;
	/** Ends a child that never got a task, leaving nothing behind. */
	discard(): Promise<void>;
}

/** A process that does one task after the other. */
export interface SharedProcess {
	readonly worker: ChildWorker;
	readonly runDirectory: string;
}

export interface Sharing {
	/** With what a process would be started now. */
	readonly launch: string;
	start(): Promise<SharedProcess>;
	/** The task as one line, for a process with this run directory. */
	writeTask(task: string, runDirectory: string): string;
}

interface PrepareOptions {
	readonly signal?: AbortSignal;
	/** The task is not there yet: the child may use the time to get ready for it. */
	readonly waits?: boolean;
}

/** The parent's side of one kind of child. */
export interface Runtime {
	readonly name: RuntimeName;
	describe(plan: ChildPlan): Promise<LaunchDescription>;
	/**
	 * Starts a child for the plan. Throws a DelegationError if that cannot even be tried (no pi found, a required
	 * sandbox that does not work); everything later is an event.
	 */
	prepare(plan: ChildPlan, options: PrepareOptions): Promise<PreparedChild>;
	/** Undefined where each task needs a process of its own. */
	share?(plan: ChildPlan): Promise<Sharing | undefined>;
}
