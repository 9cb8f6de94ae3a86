import { createRunId } from "../children/child.ts";
import type { AgentDefinition } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import type { ChildPlan } from "../contract/plan.ts";
import { createRuntime } from "../runtimes/create-runtime.ts";
import type { LaunchDescription } from "../runtimes/runtime.ts";
import { planSession } from "../sessions/open-session.ts";
import { buildPlan } from "./build-plan.ts";
import { checkAllowed } from "./check-allowed.ts";
import { decideChild } from "./decide-child.ts";
import type { DelegateOptions } from "./delegate-options.ts";
import { createDelegationContext } from "./delegation-context.ts";
import { findModelAddress } from "./find-model-address.ts";
import { validateRequest } from "./validate-request.ts";

export type DelegationDescription =
	| (LaunchDescription &
			Pick<ChildPlan, "tools" | "cwd" | "session" | "limits" | "systemPrompt"> & {
				readonly agent: Pick<AgentDefinition, "name" | "source" | "file">;
				/** Asked for by the agent and not granted. */
				readonly withheld: readonly string[];
				readonly model: string | null;
				/** Who decided the model, and the runtime. */
				readonly modelFrom: string;
				readonly runtimeFrom: string;
				/** Where its requests go; null where only pi or another agent's program knows. */
				readonly address: string | null;
				readonly stdin: string;
			})
	| { readonly error: { readonly code: string; readonly message: string } };

/** What `delegate` would start, without starting it, opening its session or writing anything of the run. */
export async function describeDelegation(
	input: unknown,
	options: DelegateOptions,
): Promise<DelegationDescription> {
	try {
		const context = createDelegationContext(options);
		checkAllowed(context.config.subagents, context.surroundings.depth);
		const request = validateRequest(input);
		const decisions = await decideChild(request.agent, context);
		const session = planSession({
			home: context.surroundings.home,
			cwd: context.cwd,
			agent: decisions.agent.name,
			sessionId: request.sessionId,
		});
		const plan = { ...buildPlan(decisions, context), runId: createRunId(), session };
		const runtime = await createRuntime(plan.runtime, { ...context, ...context.host });
		const { name, source, file } = decisions.agent;
		return {
			agent: { name, source, file },
			...(await runtime.describe(plan)),
			tools: plan.tools,
			withheld: decisions.granted.withheld,
			model: plan.model ?? null,
			modelFrom: decisions.model.why,
			runtimeFrom: decisions.runtime.why,
			address:
				findModelAddress(plan.runtime, plan.model, {
					env: context.surroundings.env,
					models: context.config.models,
				}) ?? null,
			cwd: plan.cwd,
			session,
			limits: plan.limits,
			systemPrompt: plan.systemPrompt,
			stdin: request.task,
		};
	} catch (error) {
		if (error instanceof DelegationError) return { error: { code: error.code, message: error.message } };
		throw error;
	}
}
