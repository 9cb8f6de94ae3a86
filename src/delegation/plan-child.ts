import { dirname, isAbsolute, join } from "node:path";
import type { PlannedChild } from "../children/planned-child.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { isProgram } from "../runtimes/can-use-model.ts";
import { createRuntime } from "../runtimes/create-runtime.ts";
import { type OpenSession, openSession } from "../sessions/open-session.ts";
import { sweepLocks, sweepSessions } from "../sessions/sweep-sessions.ts";
import { buildPlan } from "./build-plan.ts";
import { checkAllowed } from "./check-allowed.ts";
import { type ChildDecisions, decideChild } from "./decide-child.ts";
import type { DelegateOptions } from "./delegate-options.ts";
import { createDelegationContext, type DelegationContext } from "./delegation-context.ts";

/** What the decisions come to: the plan, and how it becomes a child. */
export async function planChild(
	decisions: ChildDecisions,
	context: DelegationContext,
): Promise<PlannedChild> {
	const plan = buildPlan(decisions, context);
	return {
		plan,
		runtime: await createRuntime(plan.runtime, { ...context, ...context.host }),
		files: listReadFiles(plan, context.surroundings.agentDirectory),
		openSession: (sessionId) => openSessionFor(sessionId, plan, context),
	};
}

/**
 * An agent's child for a call that is not there yet. Undefined if something has to be asked or refused first: that belongs
 * to the call itself, not to a guess about it.
 */
export async function planWaitingChild(
	agent: string,
	options: DelegateOptions,
): Promise<PlannedChild | undefined> {
	try {
		// Nobody should be asked about an agent because of half a sentence; without `confirmAgent` it is refused.
		const { confirmAgent: _, ...host } = options.host ?? {};
		const context = createDelegationContext({ ...options, host });
		checkAllowed(context.config.subagents, context.surroundings.depth);
		const decisions = await decideChild(agent, context);
		// Another agent's program reads its login when it starts, and another process may refresh that login while it waits.
		// A layer shows the project as it is when the child is asked.
		const mayWait = !isProgram(decisions.runtime.name) && !decisions.granted.worksInLayer;
		return mayWait ? await planChild(decisions, context) : undefined;
	} catch (error) {
		if (error instanceof DelegationError) return undefined;
		throw error;
	}
}

/** What a child reads from disk when it starts. Everything else is in the plan. */
function listReadFiles({ cwd, extensions }: PlannedChild["plan"], agentDirectory: string): readonly string[] {
	return [
		...OF_PI.map((name) => join(agentDirectory, name)),
		join(cwd, ".pi", "settings.json"),
		...extensions.filter(isAbsolute),
	];
}

const OF_PI = ["auth.json", "models.json", "settings.json", "mcp.json"];

/** A new session, or the named one; old ones are swept once it is safe from that. */
function openSessionFor(
	sessionId: string | undefined,
	{ agent, runtime }: PlannedChild["plan"],
	context: DelegationContext,
): OpenSession {
	const { home } = context.surroundings;
	const session = openSession({ home, cwd: context.cwd, agent: agent.name, runtime, sessionId });
	sweepLocks(dirname(session.plan.file));
	sweepSessions({ home, maxAgeDays: context.config.subagents.sessions.maxAgeDays });
	return session;
}
