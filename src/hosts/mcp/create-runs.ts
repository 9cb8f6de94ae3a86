import { waitWithin } from "@deputize/ground";
import type { DelegationResult, DelegationUpdate } from "../../contract/result.ts";

/** A delegation of this server. It may outlive the call that started it. */
export interface Run {
	readonly agent: string;
	readonly startedAt: number;
	/** The newest one; undefined until the run has a session. */
	readonly latest: () => DelegationUpdate | undefined;
}

type Waited =
	| { readonly kind: "done"; readonly result: DelegationResult }
	/** The time is up. The run goes on, and a call with its session id joins it. */
	| { readonly kind: "running"; readonly update: DelegationUpdate; readonly sessionId: string }
	| { readonly kind: "cancelled" };

interface WaitOptions {
	readonly signal: AbortSignal;
	readonly answerWithinMs?: number | undefined;
	readonly onUpdate?: (update: DelegationUpdate) => void;
}

type StartRun = (hooks: {
	readonly signal: AbortSignal;
	readonly onUpdate: (update: DelegationUpdate) => void;
}) => Promise<DelegationResult>;

interface OpenRun extends Run {
	readonly result: Promise<DelegationResult>;
	readonly abort: AbortController;
	readonly waiting: Set<(update: DelegationUpdate) => void>;
}

/** How many results are kept for clients that may come back for them; the oldest are dropped first. */
const MAX_KEPT_RUNS = 100;

export function createRuns() {
	const runs = new Set<OpenRun>();
	const settled = new WeakSet<OpenRun>();

	const forgetOldest = (): void => {
		const kept = [...runs].filter((run) => settled.has(run));
		for (const run of kept.slice(0, Math.max(0, kept.length - MAX_KEPT_RUNS))) runs.delete(run);
	};

	return {
		begin(agent: string, start: StartRun): Run {
			const abort = new AbortController();
			const waiting: OpenRun["waiting"] = new Set();
			let latest: DelegationUpdate | undefined;
			const result = start({
				signal: abort.signal,
				onUpdate(update) {
					latest = update;
					for (const notify of waiting) notify(update);
				},
			});
			const run: OpenRun = {
				agent,
				startedAt: performance.now(),
				latest: () => latest,
				result,
				abort,
				waiting,
			};
			runs.add(run);
			// Whoever waits gets the rejection; if nobody does, there is nothing to report.
			result
				.catch(() => runs.delete(run))
				.finally(() => {
					settled.add(run);
					if (abort.signal.aborted) runs.delete(run);
					forgetOldest();
				});
			return run;
		},
		/** The run with this session, if there is one whose result nobody has received yet. */
		find(agent: unknown, sessionId: unknown): Run | undefined {
			if (typeof sessionId !== "string") return undefined;
			// A cancelled run has no result to join: a call that names its session wants to continue it.
			return [...runs].find(
				(run) =>
					run.agent === agent && !run.abort.signal.aborted && run.latest()?.details.sessionId === sessionId,
			);
		},
		/** Rejects as the run does. Cancelling the last one who waits ends the run. */
		wait: (run: Run, options: WaitOptions): Promise<Waited> =>
			waitForRun(run as OpenRun, options, () => runs.delete(run as OpenRun)),
		/** Ends every run; resolves when nothing of them is left, or when `withinMs` have passed. */
		async close(withinMs: number): Promise<void> {
			const open = [...runs].filter((run) => !settled.has(run));
			for (const run of open) run.abort.abort();
			await waitWithin(Promise.allSettled(open.map(({ result }) => result)), withinMs);
		},
	};
}

export type Runs = ReturnType<typeof createRuns>;

function waitForRun(
	run: OpenRun,
	{ signal, answerWithinMs, onUpdate }: WaitOptions,
	onDelivered: () => void,
): Promise<Waited> {
	return new Promise((resolve, reject) => {
		let isLate = false;
		const leave = (): void => {
			clearTimeout(timer);
			signal.removeEventListener("abort", cancel);
			run.waiting.delete(notify);
		};
		const cancel = (): void => {
			leave();
			if (run.waiting.size === 0) run.abort.abort();
			resolve({ kind: "cancelled" });
		};
		/** Without a session there is nothing to join: then the answer waits for the first update. */
		const answerLate = (): void => {
			isLate = true;
			const update = run.latest();
			const sessionId = update?.details.sessionId;
			if (update === undefined || sessionId === undefined) return;
			leave();
			resolve({ kind: "running", update, sessionId });
		};
		const notify = (update: DelegationUpdate): void => {
			onUpdate?.(update);
			if (isLate) answerLate();
		};
		const timer = answerWithinMs === undefined ? undefined : setTimeout(answerLate, answerWithinMs);
		if (signal.aborted) {
			cancel();
			return;
		}
		signal.addEventListener("abort", cancel, { once: true });
		run.waiting.add(notify);
		const known = run.latest();
		if (known !== undefined) notify(known);
		run.result.then(
			(result) => {
				if (!run.waiting.has(notify)) return;
				leave();
				onDelivered();
				resolve({ kind: "done", result });
			},
			(error: unknown) => {
				leave();
				reject(error);
			},
		);
	});
}
