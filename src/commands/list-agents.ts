import { formatCount } from "@deputize/ground";
import { applyAgentSettings } from "../agents/apply-agent-settings.ts";
import { openApprovedAgents } from "../agents/approved-agents.ts";
import { findSwitchOff, UNLISTED } from "../agents/find-agent-settings.ts";
import { findSkills } from "../agents/find-skills.ts";
import type { AgentDefinition, DiscoveredAgents } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import type { ModelChoice } from "../contract/plan.ts";
import { checkModel } from "../delegation/check-model.ts";
import type { ChosenModel } from "../delegation/decide-model.ts";
import { grantTools } from "../delegation/filter-tools.ts";
import { isWriter } from "../delegation/is-writer.ts";
import { dropUnusable, listCandidates } from "../delegation/select-model.ts";
import { type CommandContext, discoverFor } from "./command-context.ts";
import { createDecider, type DecisionHere } from "./decide-here.ts";
import { type Report, type ReportLine, sectionIfAny, warn } from "./report.ts";

export interface ListedAgent extends Pick<AgentDefinition, "name" | "source" | "description" | "file"> {
	/** `in a layer`: it changes files, but not the user's own. */
	readonly mode: "readonly" | "read-write" | "in a layer";
	/** What a child of it gets under the present configuration. */
	readonly tools: readonly string[];
	/** Named in the file and not granted. */
	readonly withheld: readonly string[];
	/** What it may read of them, by name. */
	readonly skills: readonly string[];
	/** What a run would begin with; null leaves it to pi. */
	readonly model: string | null;
	readonly thinking: string | null;
	/** Who decides that: a key of the configuration, the file, or what is inherited. */
	readonly modelFrom: string;
	readonly fallbackModels: readonly string[];
	readonly maxTurns: number | null;
	/** US dollars. */
	readonly maxCost: number | null;
	readonly runtime: string;
	/** In pi, nobody waits for it. */
	readonly background: boolean;
	readonly shadows: AgentDefinition["source"] | null;
	/** `ready`, or why it would not run. */
	readonly state: string;
	/** Likely mistakes in the file. */
	readonly doubts: readonly string[];
}

/** Who can be asked, and every file that looked like an agent and is not. */
export function listAgents(context: CommandContext): Report {
	const data = describeAgents(context);
	const { agents, skipped } = data;
	const sections = [
		...Object.entries(HEADINGS).flatMap(([source, heading]) =>
			sectionIfAny(heading, agents.filter((agent) => agent.source === source).map(toAgentLine)),
		),
		...sectionIfAny(
			"Skipped files",
			skipped.map(({ file, reason }) => warn(file, reason)),
		),
	];
	return { title: `Agents: ${agents.length}`, sections, data };
}

const HEADINGS = {
	project: "From this project",
	user: "From your own directory",
	builtin: "From the package",
} as const;

export function describeAgents(
	context: CommandContext,
): Omit<DiscoveredAgents, "agents"> & { readonly agents: readonly ListedAgent[] } {
	const { agents, skipped, directories } = discoverFor(context);
	const { subagents } = context.config;
	const decide = createDecider(context);
	const described = agents.map((agent) => {
		const applied = applyAgentSettings(agent, subagents);
		return describeAgent(applied, context, decide(applied));
	});
	return { agents: described, skipped, directories };
}

function describeAgent(agent: AgentDefinition, context: CommandContext, decision: DecisionHere): ListedAgent {
	const { name, source, description, file } = agent;
	const { chosen, problems } = checkHere(decision, context);
	const common = {
		name,
		source,
		description,
		model: chosen.model ?? null,
		thinking: chosen.thinkingLevel ?? null,
		modelFrom: chosen.why,
		fallbackModels: chosen.fallbacks.flatMap(({ model }) => model ?? []),
		maxTurns: agent.maxTurns ?? null,
		maxCost: agent.maxCost ?? null,
		runtime:
			"problem" in decision ? (agent.runtime ?? context.config.subagents.runtime) : decision.runtime.name,
		background: agent.background === true,
		file,
		shadows: agent.shadows ?? null,
		doubts: [...(agent.doubts ?? []), ...problems],
	};
	try {
		const state = describeAgentState(agent, context);
		const mayWork =
			// What it would be if it were listed: that is what somebody decides by.
			isUnlisted({ state }) || isWriter(agent, context.config.subagents, context.surroundings.agentDirectory);
		const granted = grantTools(agent, context.config, context.parentTools, mayWork);
		const { cwd, surroundings, projectTrust } = context;
		const skills = findSkills(agent, { ...surroundings, cwd, projectTrust });
		const mode = granted.mayWrite
			? "read-write"
			: granted.worksInLayer === "to-change"
				? "in a layer"
				: "readonly";
		return {
			...common,
			mode,
			tools: granted.tools,
			withheld: granted.withheld,
			skills: skills.map((skill) => skill.name),
			state,
		};
	} catch (error) {
		if (!(error instanceof DelegationError)) throw error;
		return { ...common, mode: "readonly", tools: [], withheld: [], skills: [], state: error.message };
	}
}

/** The model a run would begin with, and what is wrong with those that are named. */
function checkHere(
	decision: DecisionHere,
	{ models = [], parentModel }: CommandContext,
): { readonly chosen: ChosenModel; readonly problems: readonly string[] } {
	if ("problem" in decision)
		return { chosen: { why: decision.problem, isNamed: false, fallbacks: [] }, problems: [] };
	const { model: chosen, runtime } = decision;
	// Only pi says which models it has.
	if (!chosen.isNamed || runtime.name !== "pi") return { chosen, problems: [] };
	const isChecked = ({ model }: ModelChoice): boolean =>
		model !== undefined && !model.startsWith("offline") && model !== parentModel;
	const problems = listCandidates(chosen).map((choice) =>
		isChecked(choice) ? checkModel(choice.model ?? "", models) : undefined,
	);
	return {
		chosen: dropUnusable(chosen, problems) ?? chosen,
		problems: problems.flatMap((problem) => (problem === undefined ? [] : [`model: ${problem}`])),
	};
}

/** `anthropic/x, thinking high, then openai/y (subagents.model)`. */
export function renderModel({ model, thinking, fallbackModels, modelFrom }: ListedAgent): string {
	const named = [
		...(model === null ? [] : [`model ${model}`]),
		...(thinking === null ? [] : [`thinking ${thinking}`]),
		...(fallbackModels.length > 0 ? [`then ${fallbackModels.join(", ")}`] : []),
	];
	return named.length === 0 ? `model: ${modelFrom}` : `${named.join(", ")} (${modelFrom})`;
}

/** It changes files, and is off until the user wants that: nothing is wrong with it. */
export function isUnlisted({ state }: Pick<ListedAgent, "state">): boolean {
	return state === `${SWITCHED_OFF} ${UNLISTED}`;
}

export const APPROVAL = "needs your approval";
const REFUSED = "refused: the project is marked as not trusted";
const SWITCHED_OFF = "switched off by";

export function describeAgentState(agent: AgentDefinition, context: CommandContext): string {
	const { subagents } = context.config;
	const switchedOffBy = findSwitchOff(agent, subagents);
	if (switchedOffBy !== undefined) return `${SWITCHED_OFF} ${switchedOffBy}`;
	if (agent.source !== "project" || subagents.projectAgents === "allow") return "ready";
	if (subagents.projectAgents === "deny") return `${SWITCHED_OFF} subagents.projectAgents`;
	if (context.projectTrust === false) return REFUSED;
	const approved =
		context.projectTrust || openApprovedAgents(context.surroundings.agentDirectory).isApproved(agent);
	return approved ? "ready" : APPROVAL;
}

function toAgentLine(agent: ListedAgent): ReportLine {
	const tools = agent.tools.length > 0 ? agent.tools.join(", ") : "no tools";
	const notes = [
		renderModel(agent),
		...(agent.maxTurns === null ? [] : [`at most ${formatCount(agent.maxTurns, "turn")}`]),
		...(agent.maxCost === null ? [] : [`at most $${agent.maxCost}`]),
		...(agent.runtime === "pi" ? [] : [`runtime ${agent.runtime}`]),
		...(agent.background ? ["in the background"] : []),
		...(agent.shadows ? [`replaces the ${agent.shadows} agent`] : []),
		...(agent.skills.length > 0 ? [`skills: ${agent.skills.join(", ")}`] : []),
		...(agent.withheld.length > 0 ? [`not granted: ${agent.withheld.join(", ")}`] : []),
	];
	const problems = [
		...(agent.state === "ready" ? [] : [`${agent.state.replace(/\.$/, "")}. ${adviseOn(agent)}`]),
		...agent.doubts.map((doubt) => `In ${agent.file}: ${doubt}`),
	];
	const status = isUnlisted(agent) ? "info" : problems.length === 0 ? "ok" : "warn";
	return {
		status,
		text: [
			`${agent.name} (${isUnlisted(agent) ? "off, " : ""}${agent.mode}): ${agent.description}`,
			`${tools}${notes.map((note) => ` · ${note}`).join("")}`,
			agent.file,
		].join("\n"),
		...(problems.length === 0 ? {} : { remedy: problems.join("\n") }),
	};
}

/** What to do about an agent that would not run. */
export function adviseOn({ state, file, name }: Pick<ListedAgent, "state" | "file" | "name">): string {
	if (state === APPROVAL)
		return `Read ${file}; then approve it with deputize agents trust ${name}, say yes when pi or deputize run asks, or trust the project with /trust in pi.`;
	if (state === REFUSED) return "Trust the project with /trust in pi if you want it.";
	if (isUnlisted({ state }))
		return `Set "subagents": { "writers": ["${name}"] } in deputize.json if you want it.`;
	if (state.startsWith(SWITCHED_OFF)) return `Change that key in deputize.json if you want ${name}.`;
	return `Correct ${file}.`;
}
