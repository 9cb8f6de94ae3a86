import { randomUUID } from "node:crypto";
import type { ChildPlan, SessionPlan } from "../contract/plan.ts";
import { buildChildPrompt } from "./build-child-prompt.ts";
import type { ChildDecisions } from "./child-decisions.ts";
import type { DelegationContext } from "./delegation-context.ts";

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
		fileRules: { readable: subagents.readable, unreadable: subagents.unreadable },
		...(context.host.lspSocket && granted.lspActions.length > 0 ? { lspSocket: context.host.lspSocket } : {}),
	};
}

function describeTrust(trusted: boolean | undefined): ChildPlan["projectTrust"] {
	if (trusted === undefined) return "undecided";
	return trusted ? "trusted" : "refused";
}
