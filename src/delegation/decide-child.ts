import { discoverAgents } from "../agents/discover-agents.ts";
import { findSkills } from "../agents/find-skills.ts";
import { findUnknownNames } from "../agents/find-unknown-names.ts";
import type { AgentDefinition, DiscoveredAgents } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { isOfflineModel } from "../contract/offline-model.ts";
import { checkAgentTrust } from "./check-agent-trust.ts";
import { decideModel, type ModelWishes } from "./decide-model.ts";
import type { DelegationContext } from "./delegation-context.ts";
import { type GrantedTools, grantTools, withoutTrying } from "./filter-tools.ts";
import { gatherModelFacts } from "./gather-model-facts.ts";
import { isWriter } from "./is-writer.ts";
import { readTrustOptions } from "./read-trust-options.ts";
import { selectAgent } from "./select-agent.ts";
import { selectModel } from "./select-model.ts";

export async function decideChild(agentName: string, context: DelegationContext) {
	const { cwd, config, surroundings } = context;
	const discovered = discover(context);
	const agent = selectAgent(agentName, discovered, config.subagents);
	await checkAgentTrust(agent, readTrustOptions(agent, context));
	const { runtime, model: chosen } = decideModel(
		agent,
		toModelWishes(context),
		gatherModelFacts({ ...context, ...context.host }),
	);
	const mayWork = isWriter(agent, config.subagents, surroundings.agentDirectory);
	const asked = await addGates(grantTools(agent, config, context.parentTools, mayWork), context);
	const model = await selectModel(chosen, agent, runtime.name, context);
	refuseOffline(agent, model.model, asked);
	const granted = (await canTry(asked, model.model, context)) ? asked : withoutTrying(asked);
	const skills = findSkills(agent, { ...surroundings, cwd, projectTrust: context.projectTrust });
	const misspelled = findUnknownNames(config.subagents, discovered.agents).filter(({ near }) => near);
	const notices = [...misspelled.map(({ text }) => text), runtime.notice, model.notice];
	return { agent, runtime, granted, model, skills, notices };
}

/** All decisions about a child that do not depend on its task or session. */
export type ChildDecisions = Awaited<ReturnType<typeof decideChild>>;

/** The agent of that name as it is now. */
export function findAgent(name: string, context: DelegationContext): AgentDefinition {
	return selectAgent(name, discover(context), context.config.subagents);
}

function discover({ cwd, surroundings, options }: DelegationContext): DiscoveredAgents {
	return discoverAgents({
		...surroundings,
		cwd,
		extraDirectories: options.agentsDirectories ?? [],
		builtinOnly: options.builtinOnly ?? false,
	});
}

/** Most readers do not ask. The navigator would not know which command to run. */
async function canTry(
	{ worksInLayer }: GrantedTools,
	model: string | undefined,
	{ cwd, surroundings }: DelegationContext,
): Promise<boolean> {
	if (worksInLayer !== "to-try" || isOfflineModel(model)) return false;
	return (await import("./can-try-commands.ts")).canTryCommands(cwd, surroundings);
}

/** It would look around, change nothing and call that a success. */
function refuseOffline(
	agent: AgentDefinition,
	model: string | undefined,
	{ worksInLayer }: GrantedTools,
): void {
	if (worksInLayer !== "to-change" || !isOfflineModel(model)) return;
	throw new DelegationError(
		"INVALID_INPUT",
		`The agent ${agent.name} changes files, which the offline navigator cannot do: it is no language model. Name one, with a key or a login for it.`,
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
