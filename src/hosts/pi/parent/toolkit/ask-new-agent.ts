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

const PLACES = {
	"For me, in every project": "user",
	"For this project, in .pi/agents": "project",
} as const satisfies Record<string, NewAgent["place"]>;

/** A few questions, then the file. Undefined when the person gave up; throws what is wrong with an answer. */
export async function askNewAgent(
	given: string | undefined,
	{ ui }: Pick<ExtensionCommandContext, "ui">,
	context: CommandContext,
): Promise<Report | undefined> {
	const name = given ?? (await ui.input("Name of the new agent", "api-reviewer"))?.trim();
	if (!name) return undefined;
	const problem = checkAgentName(name, context);
	if (problem) throw new Error(problem);
	const description = (await ui.input(`What is ${name} for, in one line?`))?.trim();
	if (!description) return undefined;
	const sets = Object.entries(TOOL_SETS) as [ToolSetName, { readonly label: string }][];
	const label = await ui.select(
		`What may ${name} use?`,
		sets.map(([, set]) => set.label),
	);
	const tools = sets.find(([, set]) => set.label === label)?.[0];
	if (!tools) return undefined;
	const where = await ui.select("For whom?", Object.keys(PLACES));
	const place = where === undefined ? undefined : PLACES[where as keyof typeof PLACES];
	return place && writeNewAgent({ name, description, tools, place }, context);
}
