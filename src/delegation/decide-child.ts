import { discoverAgents } from "../agents/discover-agents.ts";
import { checkAgentTrust } from "./check-agent-trust.ts";
import type { ChildDecisions } from "./child-decisions.ts";
import { chooseModel } from "./choose-model.ts";
import type { DelegationContext } from "./delegation-context.ts";
import { type GrantedTools, grantTools } from "./filter-tools.ts";
import { findSkills } from "./find-skills.ts";
import { selectAgent } from "./select-agent.ts";
import { selectModel } from "./select-model.ts";

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
