import { isAbsolute, join } from "node:path";
import { onAbort, stampFiles } from "@deputize/ground";
import type { RuntimeName } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import type { ChildPlan } from "../contract/plan.ts";
import { isProcessAlive } from "../process/identify-process.ts";
import type { PreparedChild } from "../runtimes/runtime.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { buildPlan, createRunId } from "./build-plan.ts";
import { checkAllowed } from "./check-allowed.ts";
import { decideChild } from "./decide-child.ts";
import type { DelegateOptions } from "./delegate-options.ts";
import { createDelegationContext } from "./delegation-context.ts";
import { openSessionFor } from "./open-session-for.ts";
import type { ClaimedChild, PrestartedChild } from "./prestarted-child.ts";

/**
 * Starts an agent's child while the parent's model is still writing the task. Undefined if something has to be asked
 * or refused first: that belongs to the call itself, not to a guess about it.
 */
export async function prestartChild(
	agentName: string,
	options: DelegateOptions,
	{ mayRehearse = true }: { readonly mayRehearse?: boolean } = {},
): Promise<PrestartedChild | undefined> {
	const abort = new AbortController();
	let session: OpenSession | undefined;
	try {
		const context = createDelegationContext(withoutQuestions(options));
		checkAllowed(context.config.subagents, context.surroundings.depth);
		const decisions = await decideChild(agentName, context);
		if (!PRESTARTED.includes(context.runtimeName(decisions.agent))) return undefined;
		session = openSessionFor(undefined, decisions.agent, context);
		const plan = buildPlan(createRunId(), decisions, session.plan, context);
		const files = listReadFiles(plan, context.surroundings.agentDirectory);
		const stamp = stampFiles(files);
		const rehearsalApi = mayRehearse && plan.model && options.host?.findModelApi?.(plan.model);
		const child = await (await context.runtime(decisions.agent)).prepare(plan, {
			signal: abort.signal,
			...(rehearsalApi ? { rehearsalApi } : {}),
		});
		return holdChild({ plan, session, child }, () => stampFiles(files) === stamp, abort);
	} catch (error) {
		session?.close();
		// The call itself will be refused for the same reason, and reports it.
		if (error instanceof DelegationError) return undefined;
		throw error;
	}
}

/** Another agent's program reads its login when it starts, and another process may refresh that login while it waits. */
const PRESTARTED: readonly RuntimeName[] = ["pi", "loop"];

/** Nobody should be asked about an agent because of half a sentence; without `confirm` it is refused. */
function withoutQuestions(options: DelegateOptions): DelegateOptions {
	const { confirmAgent: _, prestarted: __, ...host } = options.host ?? {};
	return { ...options, host };
}

/** What a waiting child has read from disk. Everything else is in the plan. */
function listReadFiles({ cwd, extensions }: ChildPlan, agentDirectory: string): readonly string[] {
	return [
		...OF_PI.map((name) => join(agentDirectory, name)),
		join(cwd, ".pi", "settings.json"),
		...extensions.filter(isAbsolute),
	];
}

const OF_PI = ["auth.json", "models.json", "settings.json", "mcp.json"];

/**
 * Minutes may pass between the guess and the call: files, the configuration or the model may have changed, and the
 * child may be gone.
 */
function holdChild(held: ClaimedChild, isCurrent: () => boolean, abort: AbortController): PrestartedChild {
	const { plan, session, child } = held;
	const isSame = (now: ChildPlan): boolean => JSON.stringify(now) === JSON.stringify(plan);
	const isThere = (): boolean => child.pid !== undefined && isProcessAlive({ pid: child.pid });
	let available = true;
	const discard = async (): Promise<void> => {
		if (!available) return;
		available = false;
		await held.child.discard();
		held.session.close();
	};
	return {
		discard,
		claim(request, planChild, signal) {
			if (!available) return undefined;
			const isUsable =
				request.sessionId === undefined &&
				isThere() &&
				isCurrent() &&
				isSame(planChild(plan.runId, session.plan));
			if (!isUsable) {
				void discard();
				return undefined;
			}
			available = false;
			return followSignal(held, signal, abort);
		},
	};
}

/** The child was started with its own signal, which follows the call's from now on. */
function followSignal(
	held: ClaimedChild,
	signal: AbortSignal | undefined,
	abort: AbortController,
): ClaimedChild {
	if (signal === undefined) return held;
	const unfollow = onAbort(signal, () => abort.abort());
	const run: PreparedChild["run"] = (task, onEvent) => held.child.run(task, onEvent).finally(unfollow);
	return { ...held, child: { ...held.child, run } };
}
