import type { ChildPlan } from "../contract/plan.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import type { OpenSession } from "../sessions/open-session.ts";

/** A child as it would be started now, before it has a run and a session. */
export interface PlannedChild {
	readonly plan: Omit<ChildPlan, "runId" | "session">;
	readonly runtime: Runtime;
	/** What a child reads from disk when it starts. Everything else is in the plan. */
	readonly files: readonly string[];
	/** A new session, or the named one. */
	openSession(sessionId: string | undefined): OpenSession;
}
