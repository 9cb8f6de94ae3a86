import { randomUUID } from "node:crypto";
import { discoverAgents } from "../agents/discover-agents.ts";
import type { ChildPlan, SessionPlan } from "../contract/plan.ts";
import { buildChildPrompt } from "./build-child-prompt.ts";
import { checkAgentTrust } from "./check-agent-trust.ts";
import type { ChildDecisions } from "./child-decisions.ts";
import { chooseModel } from "./choose-model.ts";
import type { DelegationContext } from "./delegation-context.ts";
import { grantTools } from "./filter-tools.ts";
import { selectAgent } from "./select-agent.ts";

export async function decideChild(agentName: string, context: DelegationContext): Promise<ChildDecisions> {
	const { cwd, config, surroundings, options } = context;
	const discovered = discoverAgents({
		cwd,
		home: surroundings.home,
		agentDirectory: surroundings.agentDirectory,
		extraDirectories: options.agentsDirectories ?? [],
	});
	const agent = selectAgent(agentName, discovered, config.subagents);
	await checkAgentTrust(agent, context.trustOptions());
	const granted = grantTools(agent, config, context.parentTools);
	const model = chooseModel(agent, context.modelWishes(agent));
	return { agent, granted, model };
}

export function createRunId(): string {
	return randomUUID().slice(0, 8);
}

export function buildPlan(
	runId: string,
	decisions: ChildDecisions,
	session: SessionPlan,
	context: DelegationContext,
): ChildPlan {
	const { agent, granted, model } = decisions;
	const { subagents } = context.config;
	const modelExtensions = model.model ? (context.host.findModelExtensions?.(model.model) ?? []) : [];
	return {
		runId,
		agent,
		cwd: context.cwd,
		systemPrompt: buildChildPrompt(agent, {
			tools: granted.tools,
			mayWrite: granted.mayWrite,
			finalize: subagents.finalize,
		}),
		tools: granted.tools,
		extensions: [...new Set([...granted.extensions, ...modelExtensions])],
		...(model.model ? { model: model.model } : {}),
		...(model.thinkingLevel ? { thinkingLevel: model.thinkingLevel } : {}),
		session,
		mayWrite: granted.mayWrite,
		projectTrust: describeTrust(context.projectTrust),
		depth: context.surroundings.depth,
		limits: { timeoutMs: subagents.timeoutMs, idleTimeoutMs: subagents.idleTimeoutMs },
		sandbox: subagents.sandbox,
		finalize: subagents.finalize,
		lspActions: granted.lspActions,
		...(context.host.lspSocket && granted.lspActions.length > 0 ? { lspSocket: context.host.lspSocket } : {}),
	};
}

function describeTrust(trusted: boolean | undefined): ChildPlan["projectTrust"] {
	if (trusted === undefined) return "undecided";
	return trusted ? "trusted" : "refused";
}
