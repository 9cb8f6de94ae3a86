import type { CommandContext } from "../../../../commands/command-context.ts";
import { findLocalServers } from "../../../../commands/find-services.ts";
import { describeAgents, renderModel } from "../../../../commands/list-agents.ts";
import type { Report } from "../../../../commands/report.ts";
import { type AgentChoice, BY_DEFAULT, setAgentModel } from "../../../../commands/set-agent-model.ts";
import { THINKING_LEVELS } from "../../../../contract/thinking.ts";
import { createSearchPanel, type SearchItem } from "./create-search-panel.ts";
import { showPanel } from "./panel.ts";
import type { Toolkit } from "./toolkit.ts";

/**
 * Lets the person pick a model and a thinking level for an agent, and writes them to the user's own configuration. Undefined
 * when the person gave up; throws what is wrong with the choice.
 */
export async function chooseAgentModel(
	named: string | undefined,
	toolkit: Toolkit,
	commands: CommandContext,
): Promise<Report | undefined> {
	const agent = named ?? (await letChoose(toolkit, "Whose model?", listChangeable(commands)));
	if (agent === undefined) return undefined;
	const model = await letChoose(toolkit, `Model of ${agent}`, await listModelItems(commands));
	if (model === undefined) return undefined;
	const thinking = await letChoose(toolkit, `Thinking level of ${agent} (Esc: as it is)`, LEVELS);
	const choice: AgentChoice = { model, thinking };
	return setAgentModel(agent, choice, commands);
}

const LEVELS: readonly SearchItem[] = [
	{ id: BY_DEFAULT, label: BY_DEFAULT, note: "what its file or your configuration says" },
	...THINKING_LEVELS.map((level) => ({ id: level, label: level })),
];

/** Agents of the project are left out: the user's configuration names no model for them. */
function listChangeable(commands: CommandContext): readonly SearchItem[] {
	return describeAgents(commands)
		.agents.filter(({ source }) => source !== "project")
		.map((agent) => ({ id: agent.name, label: agent.name, note: renderModel(agent) }));
}

/** What is known without asking anybody beyond this machine: pi's models, servers that run here, and those of the configuration. */
async function listModelItems(commands: CommandContext): Promise<readonly SearchItem[]> {
	const servers = await findLocalServers(commands);
	const local = servers.flatMap(({ service, models }) => models.map((model) => `${service}/${model}`));
	const configured = Object.entries(commands.config.models).flatMap(([service, { model }]) =>
		model === undefined ? [] : [`${service}/${model}`],
	);
	const names = new Set([...local, ...configured, ...(commands.models ?? [])]);
	const running = new Set(local);
	return [
		{ id: BY_DEFAULT, label: BY_DEFAULT, note: "takes your setting back" },
		...[...names].map((name) => ({
			id: name,
			label: name,
			...(running.has(name) && { note: "on this machine" }),
		})),
	];
}

async function letChoose(
	toolkit: Toolkit,
	title: string,
	items: readonly SearchItem[],
): Promise<string | undefined> {
	if (toolkit.context.mode === "tui")
		return showPanel<string | undefined>(toolkit, (screen, done) =>
			createSearchPanel({ ...screen, title, items, choose: done, close: () => done(undefined) }),
		);
	// A program that shows pi's questions has its own way to search.
	const label = await toolkit.context.ui.select(
		title,
		items.map((item) => item.label),
	);
	return items.find((item) => item.label === label)?.id;
}
