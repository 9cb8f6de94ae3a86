import { randomUUID } from "node:crypto";
import { onAbort, stampFiles } from "@deputize/ground";
import type { ChildPlan } from "../contract/plan.ts";
import { isProcessAlive } from "../process/identify-process.ts";
import type { PreparedChild } from "../runtimes/runtime.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { PlannedChild } from "./planned-child.ts";
import type { SharedProcesses } from "./shared-processes.ts";
import type { Turn } from "./turn.ts";

/**
 * The child of one delegation: it owns the session and every process that is started for it, from the first to the moment
 * when nothing of them is left. A process may be up before the call that it is for.
 */
export class Child {
	readonly plan: ChildPlan;
	readonly session: OpenSession;
	readonly #planned: PlannedChild;
	readonly #key: string;
	readonly #shared: SharedProcesses | undefined;
	readonly #abort = new AbortController();
	/** It is up and has no task. */
	#process: PreparedChild | undefined;
	#turn: Turn | undefined;
	#unfollow: (() => void) | undefined;
	#onEnd: (() => void) | undefined;

	constructor(
		planned: PlannedChild,
		options: { readonly sessionId?: string | undefined; readonly shared?: SharedProcesses | undefined } = {},
	) {
		this.#planned = planned;
		this.#shared = options.shared;
		// Before anything is started: what changes while it starts counts as a change.
		this.#key = toKey(planned);
		this.session = planned.openSession(options.sessionId);
		this.plan = { ...planned.plan, runId: createRunId(), session: this.session.plan };
	}

	/** Whether it only needs its task. */
	get isUp(): boolean {
		return this.#process !== undefined;
	}

	/**
	 * Whether exactly this child would be started now. Minutes may have passed since it was: files, the configuration or the
	 * model may have changed, and its process may be gone.
	 */
	serves(planned: PlannedChild): boolean {
		const pid = this.#process?.pid;
		return pid !== undefined && isProcessAlive({ pid }) && toKey(planned) === this.#key;
	}

	/** It is a call's child from now on, and is stopped with it. */
	join(turn: Turn, signal: AbortSignal | undefined, onEnd: () => void): void {
		this.#turn = turn;
		this.#onEnd = onEnd;
		this.#unfollow = onAbort(signal, () => this.#abort.abort());
	}

	/** Resolves when it may run: false when the wait was cancelled. */
	async waitForTurn(onWait: () => void): Promise<boolean> {
		return this.#turn === undefined || this.#turn.wait(onWait);
	}

	/** Starts a process that waits for its task. */
	async wait(): Promise<void> {
		const { signal } = this.#abort;
		this.#process = await this.#planned.runtime.prepare(this.plan, { signal, waits: true });
	}

	/** The process that waits, or a new one for the plan: attempts after the first one may have another. */
	async start(plan: ChildPlan): Promise<PreparedChild> {
		this.#process ??=
			(await this.#shared?.prepare(this.#planned.runtime, plan, this.#abort.signal)) ??
			(await this.#planned.runtime.prepare(plan, { signal: this.#abort.signal }));
		const started = this.#process;
		return {
			...started,
			run: (task, onEvent) => {
				this.#process = undefined;
				return started.run(task, onEvent);
			},
		};
	}

	/** Resolves when nothing of it is left. Idempotent. */
	async end(): Promise<void> {
		const unused = this.#process;
		this.#process = undefined;
		try {
			await unused?.discard();
		} finally {
			this.#unfollow?.();
			this.session.close();
			this.#turn?.leave();
			this.#onEnd?.();
			this.#onEnd = undefined;
		}
	}
}

export function createRunId(): string {
	return randomUUID().slice(0, 8);
}

/** Two equal ones mean that the same would be started. */
function toKey({ plan, files }: PlannedChild): string {
	return `${JSON.stringify(plan)}\n${stampFiles(files)}`;
}
