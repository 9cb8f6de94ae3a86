import type { ChildPlan } from "../contract/plan.ts";
import type { DelegationRequest } from "../contract/request.ts";
import type { PreparedChild } from "../runtimes/runtime.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { ChildDecisions } from "./child-decisions.ts";

/** A child that was started before its task was known, for a call that is probably coming. */
export interface PrestartedChild {
	/** The child, when the call that came is the one it was started for. Otherwise it is terminated. */
	claim(
		request: DelegationRequest,
		decisions: ChildDecisions,
		signal?: AbortSignal,
	): ClaimedChild | undefined;
	/** Leaves nothing behind. Harmless after a claim. */
	discard(): Promise<void>;
}

export interface ClaimedChild {
	readonly plan: ChildPlan;
	readonly session: OpenSession;
	readonly child: PreparedChild;
}
