import { DelegationError } from "../contract/error-codes.ts";
import type { PreparedChild } from "../runtimes/runtime.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { buildPlan, createRunId } from "./build-plan.ts";
import { checkAllowed } from "./check-allowed.ts";
import type { ChildDecisions } from "./child-decisions.ts";
import { decideChild } from "./decide-child.ts";
import type { DelegateOptions } from "./delegate-options.ts";
import { createDelegationContext } from "./delegation-context.ts";
import { openSessionFor } from "./open-session-for.ts";
import type { ClaimedChild, PrestartedChild } from "./prestarted-child.ts";

/**
 * Starts the child of an agent while the parent's model is still writing the task. Undefined when there is
 * anything to ask or to refuse first: that belongs to the call itself, not to a guess about it.
 */
export async function prestartChild(
	agentName: string,
	options: DelegateOptions,
): Promise<PrestartedChild | undefined> {
	const abort = new AbortController();
	let session: OpenSession | undefined;
	try {
		const context = createDelegationContext(withoutQuestions(options));
		checkAllowed(context.config.subagents, context.surroundings.depth);
		const decisions = await decideChild(agentName, context);
		session = openSessionFor(undefined, decisions.agent, context);
		const plan = buildPlan(createRunId(), decisions, session.plan, context);
		const rehearsalApi = plan.model && options.host?.findModelApi?.(plan.model);
		const child = await (await context.runtime(decisions.agent)).prepare(plan, {
			signal: abort.signal,
			...(rehearsalApi ? { rehearsalApi } : {}),
		});
		return holdChild({ plan, session, child }, decisions, abort);
	} catch (error) {
		session?.close();
		// The call itself comes to the same refusal and says so.
		if (error instanceof DelegationError) return undefined;
		throw error;
	}
}

/** Asking a person about an agent because of half a sentence would be wrong: without `confirm` it is refused. */
function withoutQuestions(options: DelegateOptions): DelegateOptions {
	const { confirmAgent: _, prestarted: __, ...host } = options.host ?? {};
	return { ...options, host };
}

function holdChild(held: ClaimedChild, decisions: ChildDecisions, abort: AbortController): PrestartedChild {
	let available = true;
	const discard = async (): Promise<void> => {
		if (!available) return;
		available = false;
		await held.child.discard();
		held.session.close();
	};
	return {
		discard,
		claim(request, wanted, signal) {
			if (!available) return undefined;
			if (request.sessionId !== undefined || fingerprint(wanted) !== fingerprint(decisions)) {
				void discard();
				return undefined;
			}
			available = false;
			return followSignal(held, signal, abort);
		},
	};
}

/** The child was started with a signal of its own, which from now on does what the call's does. */
function followSignal(
	held: ClaimedChild,
	signal: AbortSignal | undefined,
	abort: AbortController,
): ClaimedChild {
	if (signal === undefined) return held;
	if (signal.aborted) abort.abort();
	const follow = (): void => abort.abort();
	signal.addEventListener("abort", follow, { once: true });
	const run: PreparedChild["run"] = (task, onEvent) =>
		held.child.run(task, onEvent).finally(() => signal.removeEventListener("abort", follow));
	return { ...held, child: { ...held.child, run } };
}

/** Between the guess and the call a file or the configuration may have changed. */
function fingerprint(decisions: ChildDecisions): string {
	return JSON.stringify(decisions);
}
