import type { AgentDefinition } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { checkAllowed } from "../delegation/check-allowed.ts";
import { decideChild } from "../delegation/decide-child.ts";
import type { DelegateOptions } from "../delegation/delegate-options.ts";
import { createDelegationContext } from "../delegation/delegation-context.ts";
import { BatchError } from "./batch-error.ts";
import { toAgentHash } from "./to-task-key.ts";

export interface BatchAgent {
	readonly agent: AgentDefinition;
	/** Hash of what the agent is; part of every key. */
	readonly agentHash: string;
	/** Undefined leaves the choice to the runtime's own settings. */
	readonly model: string | undefined;
	/** What the person should know, such as that no language model answers. */
	readonly notices: readonly string[];
}

/** The same decisions that `delegate` makes for every task, made once before the first one starts. */
export async function decideBatchAgent(name: string, options: DelegateOptions): Promise<BatchAgent> {
	try {
		const context = createDelegationContext(options);
		checkAllowed(context.config.subagents, context.surroundings.depth);
		const { agent, model } = await decideChild(name, context);
		return {
			agent,
			agentHash: toAgentHash(agent),
			model: model.model,
			notices: [...context.notices, ...(model.notice === undefined ? [] : [model.notice])],
		};
	} catch (error) {
		if (error instanceof DelegationError) throw new BatchError(error.message);
		throw error;
	}
}
