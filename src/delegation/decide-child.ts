import { discoverAgents } from "../agents/discover-agents.ts";
import type { AgentDefinition } from "../contract/agent.ts";
import { checkAgentTrust } from "./check-agent-trust.ts";
import { type ChosenModel, chooseModel } from "./choose-model.ts";
import type { DelegationContext } from "./delegation-context.ts";
import { type GrantedTools, grantTools } from "./filter-tools.ts";
import { findSkills, type Skill } from "./find-skills.ts";
import { selectAgent } from "./select-agent.ts";
import { selectModel } from "./select-model.ts";

/** All decisions about a child that do not depend on its task or session. */
export interface ChildDecisions {
	readonly agent: AgentDefinition;
	readonly granted: GrantedTools;
	readonly skills: readonly Skill[];
	readonly model: ChosenModel;
}

export async function decideChild(agentName: string, context: DelegationContext): Promise<ChildDecisions> {
	const { cwd, config, surroundings, options } = context;
	const discovered = discoverAgents({
		...surroundings,
		cwd,
		extraDirectories: options.agentsDirectories ?? [],
		builtinOnly: options.builtinOnly ?? false,
	});
	const agent = selectAgent(agentName, discovered, config.subagents);
	await checkAgentTrust(agent, context.trustOptions(agent));
	const granted = await addGates(grantTools(agent, config, context.parentTools), context);
	const model = await selectModel(chooseModel(agent, context.modelRequest(agent)), agent, context);
	const skills = findSkills(agent, { ...surroundings, cwd, projectTrust: context.projectTrust });
	return { agent, granted, model, skills };
}

/** What the user's own extensions refuse in the parent is refused in a child that may write, too. */
async function addGates(granted: GrantedTools, { host }: DelegationContext): Promise<GrantedTools> {
	if (!granted.mayWrite) return granted;
	const gates = (await host.findGates?.()) ?? [];
	return { ...granted, extensions: [...new Set([...granted.extensions, ...gates])] };
}
