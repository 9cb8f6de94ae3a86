import { defined } from "@deputize/ground";
import { discoverAgents } from "../agents/discover-agents.ts";
import { findSkills } from "../agents/find-skills.ts";
import { findCredentials } from "../config/find-credentials.ts";
import type { AgentDefinition, RuntimeName } from "../contract/agent.ts";
import { OFFLINE_MODEL } from "../contract/offline-model.ts";
import { canUseModel, isProgram, keepUsable } from "../runtimes/can-use-model.ts";
import { checkAgentTrust } from "./check-agent-trust.ts";
import { chooseModel, type ModelRequest } from "./choose-model.ts";
import { type ChosenRuntime, chooseRuntime } from "./choose-runtime.ts";
import type { DelegationContext } from "./delegation-context.ts";
import { type GrantedTools, grantTools } from "./filter-tools.ts";
import { readTrustOptions } from "./read-trust-options.ts";
import { selectAgent } from "./select-agent.ts";
import { selectModel } from "./select-model.ts";

export async function decideChild(agentName: string, context: DelegationContext) {
	const { cwd, config, surroundings } = context;
	const agent = findAgent(agentName, context);
	await checkAgentTrust(agent, readTrustOptions(agent, context));
	const runtime = decideRuntime(agent, context);
	const granted = await addGates(grantTools(agent, config, context.parentTools), context);
	const chosen = chooseModel(agent, toModelRequest(runtime.name, context));
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

function decideRuntime(agent: AgentDefinition, context: DelegationContext): ChosenRuntime {
	const { cwd, surroundings, config, options, host } = context;
	return chooseRuntime(agent, {
		requested: options.runtime,
		configured: config.subagents.runtime,
		model: options.offline ? OFFLINE_MODEL : options.model,
		env: surroundings.env,
		cwd,
		home: surroundings.home,
		piPackage: host.piPackage,
		callingClient: host.callingClient,
	});
}

function toModelRequest(
	runtime: RuntimeName,
	{ config, surroundings, options, host }: DelegationContext,
): ModelRequest {
	const { env, agentDirectory } = surroundings;
	const { parentModel, parentThinkingLevel } = host;
	return {
		configured: { ...config.subagents, model: keepUsable(runtime, config.subagents.model) },
		hasCredentials:
			// Another agent's program has its own login and reports it when that is missing.
			isProgram(runtime) ||
			findCredentials({ env, agentDirectory }).length > 0 ||
			(runtime === "loop" && Boolean(env["DEPUTIZE_LOOP_URL"])),
		...defined({
			requested: options.model || undefined,
			offline: options.offline || undefined,
			parentModel: parentModel && canUseModel(runtime, parentModel) ? parentModel : undefined,
			parentThinkingLevel: parentThinkingLevel || undefined,
		}),
	};
}

/** What the user's own extensions refuse in the parent is refused in a child that may write, too. */
async function addGates(granted: GrantedTools, { host }: DelegationContext): Promise<GrantedTools> {
	if (!granted.mayWrite) return granted;
	const gates = (await host.findGates?.()) ?? [];
	return { ...granted, extensions: [...new Set([...granted.extensions, ...gates])] };
}
