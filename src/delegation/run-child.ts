import { defined, sleep } from "@deputize/ground";
import type { ChildAnswer, ChildQuestion } from "../contract/child-question.ts";
import type { SubagentsConfig } from "../contract/config.ts";
import type { ChildEnd, ChildEvent } from "../contract/event.ts";
import { type CheckData, CONTINUE_WITH_OTHER_MODEL, describeCorrection } from "../contract/finalization.ts";
import type { ChildPlan, RunBounds } from "../contract/plan.ts";
import type { Confinement, FailedModel } from "../contract/result.ts";
import { CHILD_WORDS } from "../runtimes/child-words.ts";
import type { PreparedChild } from "../runtimes/runtime.ts";
import { checkBounds } from "./check-bounds.ts";
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
	/** Models whose provider refused, before the one that was asked last. */
	readonly failedModels: readonly FailedModel[];
}

export interface RunChildOptions {
	/** Starts a process for an attempt; one that was up before the call serves the first. */
	readonly start: (plan: ChildPlan) => Promise<PreparedChild>;
	readonly config: SubagentsConfig;
	readonly limitNames?: LimitNames;
	/** For agents that hand over data with a schema. */
	readonly checkData?: CheckData;
	readonly signal?: AbortSignal;
	readonly isReadonlyTool: (name: string) => boolean;
	readonly onProgress: (collected: Collected) => void;
	readonly onEvent?: (event: ChildEvent) => void;
	readonly onChild: (pid: number) => void;
	/** Called with a function that sends the child a message for its next turn, and with undefined once it takes none. */
	readonly onMessageable?: ((send: PreparedChild["send"]) => void) | undefined;
	/** Asks a person for an extension in the child; absent where there is nobody. */
	readonly askPerson?: ((question: ChildQuestion) => Promise<ChildAnswer>) | undefined;
}

/** Runs the child, and again where that is safe, until there is a final verdict. */
export async function runChild(
	plan: ChildPlan,
	task: string,
	options: RunChildOptions,
): Promise<ChildOutcome> {
	const startedAt = performance.now();
	let message = task;
	let collected = NOTHING_COLLECTED;
	let current = plan;
	const failedModels: FailedModel[] = [];
	for (let retries = 0; ; ) {
		const remainingMs = plan.limits.timeoutMs - (performance.now() - startedAt);
		const child = await options.start(withWhatIsLeft(current, remainingMs, collected));
		const attempt = { message, bounds: plan.bounds ?? {}, before: collected };
		const end = await runAttempt(child, attempt, options, (after) => {
			collected = after;
		});
		const verdict = judgeAttempt(collected, end, options.config, options.limitNames);
		const hasFallback = (current.fallbacks ?? []).length > 0;
		const state = { collected, end, verdict, retries, hasFallback };
		const next = nextAttempt(state, options.config, options.isReadonlyTool);
		const waitMs = next.kind === "retry" ? next.delayMs : 0;
		if (next.kind === "stop" || !(await sleep(waitMs, options.signal))) {
			const durationMs = Math.round(performance.now() - startedAt);
			return { collected, verdict, confinement: child.confinement, durationMs, failedModels };
		}
		collected = startNextAttempt(collected);
		if (next.kind === "retry") retries += 1;
		if (next.kind === "switch-model") {
			failedModels.push(defined({ model: current.model ?? collected.model, cause: next.cause }));
			current = switchModel(current);
			// The session already contains the steps so far, unless there were none.
			message = collected.usage.turns > 0 ? CONTINUE_WITH_OTHER_MODEL : task;
		}
		if (next.kind === "correct") {
			const field = options.checkData === undefined ? "result" : "data";
			const { handover } = CHILD_WORDS[plan.runtime];
			message = describeCorrection(next.reason, findLongest(collected.texts), field, handover);
			options.onEvent?.({ type: "correction" });
			collected = collectOutput(collected, { type: "correction" });
		}
	}
}

async function runAttempt(
	child: PreparedChild,
	attempt: { readonly message: string; readonly bounds: RunBounds; readonly before: Collected },
	options: RunChildOptions,
	keep: (collected: Collected) => void,
): Promise<ChildEnd> {
	let collected = attempt.before;
	let stopped: Pick<ChildEnd, "reason" | "message"> | undefined;
	const running = child.run(attempt.message, (event) => {
		options.onEvent?.(event);
		if (event.type === "question") void answerChild(child, event.question, options);
		const reached = checkBounds(collected, event, attempt.bounds);
		collected = collectOutput(collected, event, options.checkData);
		keep(collected);
		if (event.type === "child-end") return;
		options.onProgress(collected);
		if (stopped !== undefined) return;
		const hopeless = checkProgress(collected, options.config);
		stopped = hopeless === undefined ? reached : { reason: "given-up", message: hopeless };
		if (stopped !== undefined) child.stop();
	});
	try {
		if (child.pid !== undefined) options.onChild(child.pid);
		options.onMessageable?.(child.send);
	} catch (error) {
		child.stop();
		await running;
		throw error;
	}
	const end = await running;
	options.onMessageable?.(undefined);
	if (end.reason === "aborted") {
		// If the run was also cancelled, that is what is reported, along with who did it if that is known.
		const { signal } = options;
		if (signal?.aborted) return typeof signal.reason === "string" ? { ...end, message: signal.reason } : end;
		return { ...end, ...stopped };
	}
	// The child ended on its own, without an answer, before our stop reached it.
	const isOwnEnd = end.reason === "settled" || end.reason === "exit";
	return isOwnEnd && collected.finalization === undefined ? { ...end, ...stopped } : end;
}

/** Whatever goes wrong with the question, the answer is no: the child waits for one. */
async function answerChild(
	child: PreparedChild,
	question: ChildQuestion,
	{ askPerson }: RunChildOptions,
): Promise<void> {
	const answer = await askPerson?.(question).catch(() => undefined);
	child.answer?.(question.id, answer);
}

function switchModel({ model: _, thinkingLevel: __, fallbacks = [], ...rest }: ChildPlan): ChildPlan {
	const [next, ...others] = fallbacks;
	return { ...rest, ...next, fallbacks: others };
}

/** The limits on time, turns and cost apply to the whole run, not to each attempt. */
function withWhatIsLeft(plan: ChildPlan, remainingMs: number, { usage }: Collected): ChildPlan {
	const { bounds = {}, limits } = plan;
	const { maxTurns, maxCost } = bounds;
	return {
		...plan,
		limits: { ...limits, timeoutMs: Math.max(1, Math.round(remainingMs)) },
		bounds: defined({
			maxTurns: maxTurns && Math.max(1, maxTurns - usage.turns),
			maxCost: maxCost && Math.max(LEAST_COST, maxCost - usage.cost),
		}),
	};
}

/** No program accepts a budget or a number of turns of zero. Once the bound is reached, the next attempt ends at its first turn anyway. */
const LEAST_COST = 1e-6;
