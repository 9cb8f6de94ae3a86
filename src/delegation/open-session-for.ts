import { dirname } from "node:path";
import type { PlannedChild } from "../children/planned-child.ts";
import { type OpenSession, openSession } from "../sessions/open-session.ts";
import { sweepLocks, sweepSessions } from "../sessions/sweep-sessions.ts";
import type { DelegationContext } from "./delegation-context.ts";

/** A new session, or the named one; old ones are swept once it is safe from that. */
export function openSessionFor(
	sessionId: string | undefined,
	{ agent, runtime }: PlannedChild["plan"],
	context: DelegationContext,
): OpenSession {
	const { home } = context.surroundings;
	const session = openSession({
		home,
		cwd: context.cwd,
		agent: agent.name,
		runtime,
		sessionId,
	});
	sweepLocks(dirname(session.plan.file));
	sweepSessions({ home, maxAgeDays: context.config.subagents.sessions.maxAgeDays });
	return session;
}
