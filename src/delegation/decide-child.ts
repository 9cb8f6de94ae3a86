import { discoverAgents } from "../agents/discover-agents.ts";
import type { AgentDefinition } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { checkAgentTrust } from "./check-agent-trust.ts";
import { checkModel } from "./check-model.ts";
import type { ChildDecisions } from "./child-decisions.ts";
import { chooseModel, OFFLINE_MODEL } from "./choose-model.ts";
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
		builtinOnly: options.builtinOnly ?? false,
	});
	const agent = selectAgent(agentName, discovered, config.subagents);
	await checkAgentTrust(agent, context.trustOptions(agent));
	const granted = grantTools(agent, config, context.parentTools);
	const request = context.modelRequest(agent);
	const model = chooseModel(agent, request);
	await refuseUnknownModel(agent, request.requested, model.model, context);
	return { agent, granted, model };
}

/** A name that somebody wrote is checked before anything starts; the parent's own model was used already. */
async function refuseUnknownModel(
	agent: AgentDefinition,
	requested: string | undefined,
	chosen: string | undefined,
	context: DelegationContext,
): Promise<void> {
	const named = requested ?? agent.model;
	if (named === undefined || chosen === undefined || chosen === OFFLINE_MODEL) return;
	if (chosen === context.host.parentModel || context.runtimeName(agent) !== "pi") return;
	const problem = checkModel(named, (await context.listModels()) ?? []);
	if (problem === undefined) return;
	const where = requested === undefined ? ` in ${agent.file}` : "";
	throw new DelegationError("INVALID_INPUT", `The model${where} cannot be used: ${problem}`);
}
