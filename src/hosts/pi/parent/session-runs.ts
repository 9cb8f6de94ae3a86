import type { DelegationResult, DelegationUpdate } from "../../../contract/result.ts";

/** One delegation of this session, from its call on. */
export interface SessionRun {
	/** The tool call it belongs to, or a name of ours for one that a person started. */
	readonly id: string;
	readonly agent: string;
	readonly task: string;
	/** Milliseconds since 1970. */
	readonly startedAt: number;
	readonly update?: DelegationUpdate;
	readonly result?: DelegationResult;
	/** Whether a message can be sent to the child now. */
	readonly takesMessages: boolean;
	/** Whether somebody waits for it who need not. */
	readonly canDetach: boolean;
	/** It goes on in the background. */
	readonly isDetached?: boolean;
	/** A person ended it. */
	readonly isStopped?: boolean;
}

/** What can be done to a child that is at work. */
interface RunControls {
	/** Ends this run alone. `reason` becomes the message of its result. */
	stop(reason: string): void;
	/** Hands the child a message for its next turn; false when it can no longer take one. */
	readonly send?: ((text: string) => boolean) | undefined;
	/** Lets the run go on without anybody waiting for it. */
	readonly detach?: (() => void) | undefined;
}

/** Ended runs that stay in the list; older ones are in the journal. */
const MAX_ENDED = 50;

interface KeptRun extends Omit<SessionRun, "takesMessages" | "canDetach"> {
	/** Absent once it has ended. */
	readonly controls?: RunControls | undefined;
}

export type SessionRuns = ReturnType<typeof createSessionRuns>;

/** The delegations of one session: what runs, what ran, and how to act on one of them. */
export function createSessionRuns(now: () => number = Date.now) {
	const runs = new Map<string, KeptRun>();
	const listeners = new Set<() => void>();
	const tell = (): void => {
		for (const listener of listeners) listener();
	};
	const put = (run: KeptRun): void => {
		runs.set(run.id, run);
		tell();
	};
	const change = (id: string, parts: Partial<KeptRun>): void => {
		const run = runs.get(id);
		if (run) put({ ...run, ...parts });
	};
	const offer = (id: string, parts: Partial<RunControls>): void => {
		const controls = runs.get(id)?.controls;
		if (controls) change(id, { controls: { ...controls, ...parts } });
	};
	const forgetOldest = (): void => {
		const ended = [...runs.values()].filter((run) => run.result !== undefined);
		for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) runs.delete(id);
	};
	return {
		open: (run: Pick<SessionRun, "id" | "agent" | "task">, controls: RunControls): void =>
			put({ ...run, startedAt: now(), controls }),
		/** From now on a message can be sent, or no longer. */
		offerMessages: (id: string, send: RunControls["send"]): void => offer(id, { send }),
		/** From now on nobody has to wait for it, or no longer. */
		offerDetach: (id: string, detach: RunControls["detach"]): void => offer(id, { detach }),
		/** It goes on in the background. */
		noteDetached: (id: string): void => change(id, { isDetached: true }),
		update(id: string, update: DelegationUpdate): void {
			const wasWaiting = runs.get(id)?.update?.details.streaming?.waiting;
			const hasBegun = wasWaiting && !update.details.streaming?.waiting;
			change(id, { update, ...(hasBegun ? { startedAt: now() } : {}) });
		},
		end(id: string, result: DelegationResult): void {
			change(id, { result, controls: undefined });
			forgetOldest();
		},
		/** A run that never came to a result, because of a bug of ours. */
		forget(id: string): void {
			if (runs.delete(id)) tell();
		},
		/** The newest last. */
		list: (): readonly SessionRun[] =>
			[...runs.values()].map(({ controls, ...run }) => ({
				...run,
				takesMessages: controls?.send !== undefined,
				canDetach: controls?.detach !== undefined,
			})),
		stop(id: string, reason: string): boolean {
			const controls = runs.get(id)?.controls;
			if (controls) change(id, { isStopped: true });
			controls?.stop(reason);
			return controls !== undefined;
		},
		send: (id: string, text: string): boolean => runs.get(id)?.controls?.send?.(text) ?? false,
		detach(id: string): boolean {
			const detach = runs.get(id)?.controls?.detach;
			detach?.();
			return detach !== undefined;
		},
		/** Called after every change. Returns how to stop that. */
		watch(listener: () => void): () => void {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}
