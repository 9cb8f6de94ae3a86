import { discoverAgents } from "../agents/discover-agents.ts";
import { findSkills } from "../agents/find-skills.ts";
import type { AgentDefinition, RuntimeName } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { isProgram } from "../runtimes/can-use-model.ts";
import { checkAgentTrust } from "./check-agent-trust.ts";
import { decideModel, type ModelWishes } from "./decide-model.ts";
import type { DelegationContext } from "./delegation-context.ts";
import { type GrantedTools, grantTools } from "./filter-tools.ts";
import { gatherModelFacts } from "./gather-model-facts.ts";
import { isWriter } from "./is-writer.ts";
import { readTrustOptions } from "./read-trust-options.ts";
import { selectAgent } from "./select-agent.ts";
import { selectModel } from "./select-model.ts";

export async function decideChild(agentName: string, context: DelegationContext) {
	const { cwd, config, surroundings } = context;
	const agent = findAgent(agentName, context);
	await checkAgentTrust(agent, readTrustOptions(agent, context));
	const { runtime, model: chosen } = decideModel(
		agent,
		toModelWishes(context),
		gatherModelFacts({ ...context, ...context.host }),
	);
	const mayWork = isWriter(agent, config.subagents, surroundings.agentDirectory);
	const granted = await addGates(grantTools(agent, config, context.parentTools, mayWork), context);
	refuseProgram(agent, runtime.name, granted);
	const model = await selectModel(chosen, agent, runtime.name, context);
	const skills = findSkills(agent, { ...surroundings, cwd, projectTrust: context.projectTrust });
	return { agent, runtime, granted, model, skills };
}

/** All decisions about a child that do not depend on its task or session. */
export type ChildDecisions = Awaited<ReturnType<typeof decideChild>>;

/** The agent of that name as it is now. */
export function findAgent(
	name: string,
	{ cwd, config, surroundings, options }: DelegationContext,
): AgentDefinition {
	const discovered = discoverAgents({
		...surroundings,
		cwd,
		extraDirectories: options.agentsDirectories ?? [],
		builtinOnly: options.builtinOnly ?? false,
	});
	return selectAgent(name, discovered, config.subagents);
}

/** What another agent's program does with its tools, it does past ours: nothing of it would be confined as it has to be. */
function refuseProgram(agent: AgentDefinition, runtime: RuntimeName, { worksInLayer }: GrantedTools): void {
	if (!worksInLayer || !isProgram(runtime)) return;
	throw new DelegationError(
		"INVALID_INPUT",
		`The agent ${agent.name} changes files in a layer, which children of the runtime ${runtime} cannot do. Choose the runtime pi or loop for it.`,
	);
}

function toModelWishes({ config: { subagents }, options, host }: DelegationContext): ModelWishes {
	return {
		requestedRuntime: options.runtime,
		requestedModel: options.model,
		offline: options.offline,
		...subagents,
		parentModel: host.parentModel,
		parentThinkingLevel: host.parentThinkingLevel || undefined,
	};
}

/** What the user's own extensions refuse in the parent is refused in a child that may write, too. */
async function addGates(granted: GrantedTools, { host }: DelegationContext): Promise<GrantedTools> {
	if (!granted.mayWrite && !granted.worksInLayer) return granted;
	const gates = (await host.findGates?.()) ?? [];
	return { ...granted, extensions: [...new Set([...granted.extensions, ...gates])] };
}
