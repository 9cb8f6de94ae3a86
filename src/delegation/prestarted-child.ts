import type { ChildPlan, SessionPlan } from "../contract/plan.ts";
import type { DelegationRequest } from "../contract/request.ts";
import type { PreparedChild } from "../runtimes/runtime.ts";
import type { OpenSession } from "../sessions/open-session.ts";

/** A child that was started before its task was known, for a call that is probably coming. */
export interface PrestartedChild {
	/** The child, when the call that came would start exactly this one now. Otherwise it is terminated. */
	claim(request: DelegationRequest, plan: PlanChild, signal?: AbortSignal): ClaimedChild | undefined;
	/** Leaves nothing behind. Harmless after a claim. */
	discard(): Promise<void>;
}

/** What would be started for a session now. */
export type PlanChild = (runId: string, session: SessionPlan) => ChildPlan;

export interface ClaimedChild {
	readonly plan: ChildPlan;
	readonly session: OpenSession;
	readonly child: PreparedChild;
}
