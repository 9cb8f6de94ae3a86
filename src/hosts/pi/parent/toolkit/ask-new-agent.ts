import { defined } from "@deputize/ground";
import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import type { CommandContext } from "../../../../commands/command-context.ts";
import {
	checkAgentName,
	type NewAgent,
	TOOL_SETS,
	type ToolSetName,
	writeNewAgent,
} from "../../../../commands/new-agent.ts";
import type { Report } from "../../../../commands/report.ts";
import { isThinkingLevel, THINKING_LEVELS } from "../../../../contract/thinking.ts";

const PLACES = {
	"For me, in every project": "user",
	"For this project, in .pi/agents": "project",
} as const satisfies Record<string, NewAgent["place"]>;

const MODEL_IN_USE = "The model in use";
const LEVEL_IN_USE = "The level in use";

/** A few questions, then the file. Undefined when the person gave up; throws what the file cannot be written for. */
export async function askNewAgent(
	given: string | undefined,
	{ ui }: Pick<ExtensionCommandContext, "ui">,
	context: CommandContext,
): Promise<Report | undefined> {
	const name = await askName(given, ui, context);
	if (!name) return undefined;
	const description = (await ui.input(`What is ${name} for, in one line?`))?.trim();
	if (!description) return undefined;
	const sets = Object.entries(TOOL_SETS) as [ToolSetName, { readonly label: string }][];
	const label = await ui.select(
		`What may ${name} use?`,
		sets.map(([, set]) => set.label),
	);
	const tools = sets.find(([, set]) => set.label === label)?.[0];
	if (!tools) return undefined;
	const model = await ui.select(`Which model has ${name}?`, [MODEL_IN_USE, ...(context.models ?? [])]);
	if (model === undefined) return undefined;
	const level = await ui.select(`How much does ${name} think?`, [LEVEL_IN_USE, ...THINKING_LEVELS]);
	if (level === undefined) return undefined;
	const where = await ui.select("For whom?", Object.keys(PLACES));
	const place = where === undefined ? undefined : PLACES[where as keyof typeof PLACES];
	if (!place) return undefined;
	const chosen = defined({
		model: model === MODEL_IN_USE ? undefined : model,
		thinking: isThinkingLevel(level) ? level : undefined,
	});
	return writeNewAgent({ name, description, tools, place, ...chosen }, context);
}

/** Asked again until it can be the name of an agent: what is typed next must not go to the model. */
async function askName(
	given: string | undefined,
	ui: ExtensionCommandContext["ui"],
	context: CommandContext,
): Promise<string | undefined> {
	let name = given ?? (await ui.input("Name of the new agent", "api-reviewer"))?.trim();
	for (;;) {
		const problem = name ? checkAgentName(name, context) : undefined;
		if (!problem) return name;
		name = (await ui.input(`${problem}\nName of the new agent`, "api-reviewer"))?.trim();
	}
}
