import { setTimeout as sleep } from "node:timers/promises";
import type { SubagentsConfig } from "../contract/config.ts";
import type { ChildEnd, ChildEvent } from "../contract/event.ts";
import { describeCorrection } from "../contract/finalization.ts";
import type { ChildPlan } from "../contract/plan.ts";
import type { Confinement } from "../contract/result.ts";
import type { PreparedChild, Runtime } from "../runtimes/runtime.ts";
import { checkProgress } from "./check-progress.ts";
import { findLongest } from "./choose-output.ts";
import { type Collected, collectOutput, NOTHING_COLLECTED, startNextAttempt } from "./collect-output.ts";
import { judgeAttempt, type Verdict } from "./judge-attempt.ts";
import type { LimitNames } from "./limit-names.ts";
import { nextAttempt } from "./next-attempt.ts";

export interface ChildOutcome {
	readonly collected: Collected;
	readonly verdict: Verdict;
	readonly confinement: Confinement;
	readonly durationMs: number;
}

export interface RunChildOptions {
	readonly runtime: Runtime;
	readonly config: SubagentsConfig;
	readonly limitNames?: LimitNames;
	readonly signal?: AbortSignal;
	readonly isReadonlyTool: (name: string) => boolean;
	/** A child that was started for this plan before the task was known. */
	readonly prepared?: PreparedChild;
	readonly onProgress: (collected: Collected) => void;
	readonly onEvent?: (event: ChildEvent) => void;
	readonly onChild: (pid: number) => void;
}

/** Runs the child, and again where that is safe, until there is a final verdict. */
export async function runChild(
	plan: ChildPlan,
	task: string,
	options: RunChildOptions,
): Promise<ChildOutcome> {
	const startedAt = performance.now();
	let message = task;
	let prepared = options.prepared;
	let collected = NOTHING_COLLECTED;
	for (let retries = 0; ; ) {
		const remainingMs = plan.limits.timeoutMs - (performance.now() - startedAt);
		const child =
			prepared ?? (await options.runtime.prepare(withTimeout(plan, remainingMs), withSignal(options)));
		prepared = undefined;
		const end = await runAttempt(child, message, options, collected, (after) => {
			collected = after;
		});
		const verdict = judgeAttempt(collected, end, options.config, options.limitNames);
		const next = nextAttempt({ collected, end, verdict, retries }, options.config, options.isReadonlyTool);
		if (next.kind === "stop" || options.signal?.aborted || !(await pause(next, options.signal))) {
			const durationMs = Math.round(performance.now() - startedAt);
			return { collected, verdict, confinement: child.confinement, durationMs };
		}
		if (next.kind === "retry") retries += 1;
		collected = startNextAttempt(collected);
		if (next.kind === "correct") {
			message = describeCorrection(next.reason, findLongest(collected.texts));
			options.onEvent?.({ type: "correction" });
			collected = collectOutput(collected, { type: "correction" });
		}
	}
}

async function runAttempt(
	child: PreparedChild,
	message: string,
	options: RunChildOptions,
	before: Collected,
	keep: (collected: Collected) => void,
): Promise<ChildEnd> {
	let collected = before;
	let hopeless: string | undefined;
	if (child.pid !== undefined) options.onChild(child.pid);
	const end = await child.run(message, (event) => {
		options.onEvent?.(event);
		collected = collectOutput(collected, event);
		keep(collected);
		if (event.type === "child-end") return;
		options.onProgress(collected);
		if (hopeless !== undefined) return;
		hopeless = checkProgress(collected, options.config);
		if (hopeless !== undefined) child.stop();
	});
	// A run that is cancelled meanwhile is reported as cancelled.
	if (hopeless === undefined || end.reason !== "aborted" || options.signal?.aborted) return end;
	return { ...end, reason: "given-up", message: hopeless };
}

/** The hard cap counts from the start of the run, not of an attempt. */
function withTimeout(plan: ChildPlan, remainingMs: number): ChildPlan {
	return { ...plan, limits: { ...plan.limits, timeoutMs: Math.max(1, Math.round(remainingMs)) } };
}

function withSignal(options: RunChildOptions): { readonly signal?: AbortSignal } {
	return options.signal ? { signal: options.signal } : {};
}

/** False when the wait was aborted. */
async function pause(
	next: { kind: string; delayMs?: number },
	signal: AbortSignal | undefined,
): Promise<boolean> {
	if (!next.delayMs) return true;
	try {
		await sleep(next.delayMs, undefined, signal ? { signal } : {});
		return true;
	} catch {
		return false;
	}
}
