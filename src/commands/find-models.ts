import { applyAgentSettings } from "../agents/apply-agent-settings.ts";
import type { CommandContext } from "./command-context.ts";
import { discoverFor } from "./command-context.ts";

/** The same context with the models pi can use, where an agent or the configuration names one. Asking pi takes about half a second. */
export async function findModels(context: CommandContext): Promise<CommandContext> {
	const { agents } = discoverFor(context);
	const { subagents } = context.config;
	const isNamed = agents.some((agent) => applyAgentSettings(agent, subagents).model !== undefined);
	if (context.models !== undefined || !(isNamed || subagents.model !== "")) return context;
	try {
		const { listPiModels } = await import("../runtimes/pi/list-pi-models.ts");
		const models = await listPiModels(context.surroundings);
		return models === undefined ? context : { ...context, models };
	} catch {
		// No pi here: the doctor says so in its own line.
		return context;
	}
}
