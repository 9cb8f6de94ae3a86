import { DelegationError } from "../contract/error-codes.ts";
import { splitModel } from "../contract/split-model.ts";
import { checkAllowed } from "../delegation/check-allowed.ts";
import { decideChild, findAgent } from "../delegation/decide-child.ts";
import type { DelegateOptions } from "../delegation/delegate-options.ts";
import { createDelegationContext } from "../delegation/delegation-context.ts";
import { resolveLoopModel } from "../runtimes/loop/resolve-loop-model.ts";
import { BatchError } from "./batch-error.ts";
import { toAgentHash } from "./to-task-key.ts";

/** The same decisions that `delegate` makes for every task, made once before the first one starts. */
export async function decideBatchAgent(name: string, options: DelegateOptions) {
	try {
		const context = createDelegationContext(options);
		checkAllowed(context.config.subagents, context.surroundings.depth);
		const { agent, model, runtime, granted } = await decideChild(name, context);
		const place = { env: context.surroundings.env, models: context.config.models };
		const served = runtime.name === "loop" && model.model ? resolveLoopModel(model.model, place) : undefined;
		return {
			agent,
			/** Hash of what the agent is; part of every key. */
			agentHash: toAgentHash(agent),
			/** Undefined leaves the choice to the runtime's own settings. */
			model: model.model,
			/** Who is asked, for limits: the provider, or the program that chooses it. */
			service: (model.model && splitModel(model.model).provider) || runtime.name,
			/** US dollars for a million tokens that are sent, where that is known before a request. */
			inputPrice: served?.price?.input,
			mayWrite: granted.mayWrite,
			/** It changes files in a layer, and hands over a patch. */
			worksInLayer: granted.worksInLayer === "to-change",
			/** What the person should know, such as that no language model answers. */
			notices: [...context.notices, ...(model.notice === undefined ? [] : [model.notice])],
		};
	} catch (error) {
		if (error instanceof DelegationError) throw new BatchError(error.message);
		throw error;
	}
}

export type BatchAgent = Awaited<ReturnType<typeof decideBatchAgent>>;

/** Whether the agent is still what it was: less than the whole decision, and asked before every task. */
export function isAgentUnchanged(name: string, agentHash: string, options: DelegateOptions): boolean {
	try {
		return toAgentHash(findAgent(name, createDelegationContext(options))) === agentHash;
	} catch {
		return false;
	}
}
