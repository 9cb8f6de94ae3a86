import { defined, suggestWord } from "@deputize/ground";
import { findAgentSettings } from "../agents/find-agent-settings.ts";
import { writeUserSettings } from "../config/write-user-settings.ts";
import type { AgentSettings } from "../contract/config.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { isThinkingLevel, THINKING_LEVELS } from "../contract/thinking.ts";
import { selectAgent } from "../delegation/select-agent.ts";
import { type CommandContext, discoverFor } from "./command-context.ts";
import { createDecider } from "./decide-here.ts";
import { findPiModels } from "./find-pi-models.ts";
import { describeAgents, type ListedAgent, renderModel } from "./list-agents.ts";
import { refuseInChild } from "./refuse-in-child.ts";
import { ok, type Report } from "./report.ts";

/** Takes a setting back: the agent's file, or whoever comes after it, decides again. */
export const BY_DEFAULT = "default";

/** What is to be set; what is left out stays as it is. */
export interface AgentChoice {
	/** A model, several with commas, or `default`. */
	readonly model?: string | undefined;
	/** A level, or `default`. */
	readonly thinking?: string | undefined;
}

/**
 * Sets which model an agent asks, in the user's own configuration. A name that no run could use is refused and nothing is
 * written. Throws a `DelegationError` with what to do.
 */
export async function setAgentModel(
	name: string,
	choice: AgentChoice,
	context: CommandContext,
): Promise<Report> {
	refuseInChild(context, "choose its own model");
	const { config, surroundings } = context;
	const agent = selectAgent(name, discoverFor(context), config.subagents);
	if (agent.source === "project")
		throw refuseChange(
			`${agent.name} is an agent of this project, for which your own configuration names no model. Set model: in ${agent.file}`,
		);
	checkChoice(choice);
	const key =
		findAgentSettings(agent.name, config.subagents)?.path.split(".").slice(2).join(".") ?? agent.name;
	const settings = toSettings(config.subagents.agents[key] ?? {}, choice);
	const next = await withSettings(key, settings, context);
	if (settings.model !== undefined) checkUsable(agent.name, next);
	const problem = writeUserSettings(
		surroundings.agentDirectory,
		(["model", "thinking"] as const)
			.filter((field) => choice[field] !== undefined)
			.map((field) => ({ path: ["subagents", "agents", key, field], value: settings[field] })),
	);
	if (problem !== undefined) throw new DelegationError("SUBAGENT_FAILED", problem);
	return reportChoice(findListed(agent.name, next), settings);
}

function checkChoice({ model, thinking }: AgentChoice): void {
	if (model?.trim() === "")
		throw refuseChange(`a model has no empty name; --model ${BY_DEFAULT} takes it back`);
	if (thinking === undefined || thinking === BY_DEFAULT || isThinkingLevel(thinking)) return;
	const advice = suggestWord(thinking, [...THINKING_LEVELS, BY_DEFAULT], "Levels");
	throw new DelegationError(
		"SUBAGENT_FAILED",
		`Nothing was changed: ${JSON.stringify(thinking)} is not a thinking level. ${advice}`,
	);
}

function toSettings(before: AgentSettings, { model, thinking }: AgentChoice): AgentSettings {
	const { model: oldModel, thinking: oldThinking, ...rest } = before;
	const pick = (chosen: string | undefined, old: string | undefined): string | undefined =>
		chosen === undefined ? old : chosen === BY_DEFAULT ? undefined : chosen;
	const chosen = { model: pick(model?.trim(), oldModel), thinking: pick(thinking, oldThinking) };
	return { ...rest, ...defined(chosen) } as AgentSettings;
}

/** The context as it will be with these settings. */
async function withSettings(
	key: string,
	settings: AgentSettings,
	context: CommandContext,
): Promise<CommandContext> {
	const { subagents } = context.config;
	const config = {
		...context.config,
		subagents: { ...subagents, agents: { ...subagents.agents, [key]: settings } },
	};
	const models = settings.model === undefined ? context.models : await findPiModels(context);
	return { ...context, config, ...defined({ models }) };
}

function findListed(name: string, context: CommandContext): ListedAgent {
	const found = describeAgents(context).agents.find((agent) => agent.name === name);
	if (found === undefined) throw new Error(`${name} is gone`);
	return found;
}

/** By what a run would do with it, and by pi's own list. */
function checkUsable(name: string, context: CommandContext): void {
	const agent = selectAgent(name, discoverFor(context), context.config.subagents);
	const decision = createDecider(context)(agent);
	if ("problem" in decision) throw new DelegationError("SUBAGENT_FAILED", decision.problem);
	const doubt = findListed(agent.name, context).doubts.find((text) => text.startsWith(OF_MODEL));
	if (doubt !== undefined)
		throw new DelegationError("SUBAGENT_FAILED", `Nothing was changed: ${doubt.slice(OF_MODEL.length)}`);
}

const OF_MODEL = "model: ";

function reportChoice(agent: ListedAgent, { model, thinking }: AgentSettings): Report {
	const undo = [
		...(model === undefined ? [] : [` --model ${BY_DEFAULT}`]),
		...(thinking === undefined ? [] : [` --thinking ${BY_DEFAULT}`]),
	].join("");
	return {
		title: `${agent.name}: ${renderModel(agent)}`,
		sections: [
			{
				heading: "In your own configuration, from the next run on",
				lines: [
					ok(`Try it: deputize run ${agent.name} "…"`),
					...(undo === "" ? [] : [{ text: `To take it back: deputize agents set ${agent.name}${undo}` }]),
				],
			},
		],
		data: {
			name: agent.name,
			model: agent.model,
			thinking: agent.thinking,
			modelFrom: agent.modelFrom,
			runtime: agent.runtime,
		},
	};
}

function refuseChange(problem: string): DelegationError {
	return new DelegationError("SUBAGENT_FAILED", `Nothing was changed: ${problem}.`);
}
