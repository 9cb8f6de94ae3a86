import { openApprovedAgents } from "../agents/approved-agents.ts";
import { isListedWriter } from "../agents/find-agent-settings.ts";
import type { AgentDefinition } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { describeAgentGrant } from "../delegation/describe-question.ts";
import { grantTools } from "../delegation/filter-tools.ts";
import { selectAgent } from "../delegation/select-agent.ts";
import { type CommandContext, discoverFor } from "./command-context.ts";
import { APPROVAL, adviseOn, describeAgentState } from "./list-agents.ts";
import { refuseInChild } from "./refuse-in-child.ts";
import { type Report, sectionIfAny, warn } from "./report.ts";

type TrustWord = "trust" | "untrust";

/**
 * Remembers that a person approved an agent of the project, or takes that back, in the place where pi's answers are
 * kept. The approval is for this content of the file.
 */
export function trustAgent(word: TrustWord, name: string, context: CommandContext): Report {
	refuseInChild(context, "approve agents");
	const { surroundings, cwd } = context;
	const agent = selectAgent(name, discoverFor(context), context.config.subagents);
	const approved = openApprovedAgents(surroundings.agentDirectory);
	if (word === "untrust") return reportUntrust(agent, approved.revoke(agent), context);
	const state = describeAgentState(agent, context);
	if (state !== APPROVAL && state !== "ready")
		throw new DelegationError(
			"SUBAGENT_DISABLED",
			`${agent.name} cannot be approved: ${state}. ${adviseOn({ ...agent, state })}`,
		);
	const mayWork = isListedWriter(agent, context.config.subagents);
	// To change files takes an approval of the content, also where the whole project is trusted.
	const isNew = state === APPROVAL || (agent.source === "project" && mayWork && !approved.isApproved(agent));
	const granted = grantTools(agent, context.config, context.parentTools, mayWork);
	if (isNew) approved.approve(agent);
	const howToRevoke = `A changed file is asked about again. To take it back: deputize agents untrust ${agent.name}`;
	return {
		title: isNew
			? `Approved: the agent ${agent.name} of this project`
			: `The agent ${agent.name} needs no approval here`,
		sections: [
			{
				heading: "What it is and gets",
				lines: describeAgentGrant(agent, granted, cwd).map((text) => ({ text })),
			},
			...sectionIfAny("For this content only", isNew ? [{ text: howToRevoke }] : []),
		],
		data: { ...identify(agent), approved: true, tools: granted.tools, withheld: granted.withheld },
	};
}

function reportUntrust(agent: AgentDefinition, wasApproved: boolean, context: CommandContext): Report {
	const state = describeAgentState(agent, context);
	const stillRuns = state === "ready" ? [warn(`It still runs: ${explainReady(agent, context)}.`)] : [];
	return {
		title: wasApproved
			? `Taken back: the agent ${agent.name} is not approved any more`
			: `The agent ${agent.name} was not approved: nothing to take back`,
		sections: sectionIfAny("But", stillRuns),
		data: { ...identify(agent), approved: false, wasApproved, state },
	};
}

function explainReady(agent: AgentDefinition, { config }: CommandContext): string {
	if (agent.source !== "project") return `it is a ${agent.source} agent, which needs no approval`;
	return config.subagents.projectAgents === "allow"
		? 'subagents.projectAgents is "allow" in deputize.json'
		: "the whole project is trusted in pi; /trust there changes that";
}

function identify({ name, source, file, contentHash, model }: AgentDefinition) {
	return { name, source, file, contentHash, model: model ?? null };
}
