import { defined } from "@deputize/ground";
import { renderSkills } from "../agents/find-skills.ts";
import type { PlannedChild } from "../children/planned-child.ts";
import type { ChildPlan } from "../contract/plan.ts";
import { createJudge } from "../judge/create-judge.ts";
import { CHILD_WORDS } from "../runtimes/child-words.ts";
import { buildChildPrompt } from "./build-child-prompt.ts";
import type { ChildDecisions } from "./decide-child.ts";
import type { DelegationContext } from "./delegation-context.ts";
import { type ContextNotes, NO_CONTEXT, readContextFiles, readUserNotes } from "./read-context-files.ts";

/** Everything about a child but its run and session. */
export function buildPlan(decisions: ChildDecisions, context: DelegationContext): PlannedChild["plan"] {
	const { agent, runtime, granted, model, skills } = decisions;
	const { subagents } = context.config;
	// Data is only accepted through the handover.
	const finalize = agent.output ? { ...subagents.finalize, mode: "required" as const } : subagents.finalize;
	const listExtensions = (name: string | undefined): readonly string[] => {
		const ofModel = name === undefined ? [] : (context.host.findModelExtensions?.(name) ?? []);
		return [...new Set([...granted.extensions, ...ofModel])];
	};
	const fallbacks = model.fallbacks.map((choice) => ({
		...choice,
		extensions: listExtensions(choice.model),
	}));
	const words = CHILD_WORDS[runtime.name];
	return {
		agent,
		runtime: runtime.name,
		cwd: context.cwd,
		systemPrompt: buildChildPrompt(agent, {
			tools: words.nameTools(granted),
			mayWrite: granted.mayWrite,
			worksInLayer: granted.worksInLayer,
			hasNetwork: agent.network === true || !granted.tools.includes("bash"),
			handover: words.handover,
			finalize,
			skills: renderSkills(skills),
			context: readContextNotes(context),
		}),
		tools: granted.tools,
		notGranted: granted.withheld,
		extensions: listExtensions(model.model),
		...defined({
			model: model.model,
			thinkingLevel: model.thinkingLevel,
			verbose: context.options.verbose,
			fallbacks: fallbacks.length > 0 ? fallbacks : undefined,
		}),
		bounds: defined({ maxTurns: agent.maxTurns, maxCost: agent.maxCost }),
		mayWrite: granted.mayWrite,
		worksInLayer: granted.worksInLayer,
		projectTrust: describeTrust(context.projectTrust),
		depth: context.surroundings.depth,
		limits: {
			timeoutMs: subagents.timeoutMs,
			idleTimeoutMs: subagents.idleTimeoutMs,
			maxMemoryMb: subagents.maxMemoryMb,
		},
		sandbox: subagents.sandbox,
		finalize,
		lspActions: granted.lspActions,
		fileRules: {
			readable: [...subagents.readable, ...skills.map(({ directory }) => directory)],
			unreadable: subagents.unreadable,
		},
		...(context.host.lspSocket && granted.lspActions.length > 0 ? { lspSocket: context.host.lspSocket } : {}),
	};
}

/** A child is shown no notes from a repository that is not trusted. */
function readContextNotes({ cwd, config, surroundings, projectTrust }: DelegationContext): ContextNotes {
	if (!config.subagents.contextFiles) return NO_CONTEXT;
	const judge = createJudge({ ...surroundings, ...config.subagents, cwd });
	return {
		...defined({ user: readUserNotes(surroundings.agentDirectory) }),
		repository: projectTrust === false ? [] : readContextFiles(cwd, judge),
	};
}

function describeTrust(trusted: boolean | undefined): ChildPlan["projectTrust"] {
	if (trusted === undefined) return "undecided";
	return trusted ? "trusted" : "refused";
}
