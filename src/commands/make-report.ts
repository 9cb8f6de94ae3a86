import { applyAgentSettings } from "../agents/apply-agent-settings.ts";
import { type CommandContext, discoverFor } from "./command-context.ts";
import type { Report } from "./report.ts";
import type { LogRequest } from "./show-logs.ts";

/** `activity` is narrowed like logs; the others are always about everything. */
export interface ReportRequest extends LogRequest {
	readonly name: "agents" | "doctor" | "models" | "logs" | "activity";
}

/** The report a request asks for. What makes it is loaded when it is asked for. */
export async function makeReport(request: ReportRequest, context: CommandContext): Promise<Report> {
	switch (request.name) {
		case "agents":
			return (await import("./list-agents.ts")).listAgents(await findModels(context));
		case "doctor":
			return (await import("./check-health.ts")).checkHealth(await findModels(context));
		case "models":
			return (await import("./list-usable-models.ts")).listUsableModels(context);
		case "activity":
			return (await import("./show-activity.ts")).showActivity(context, request.narrow);
		case "logs":
			return (await import("./show-logs.ts")).showLogs(context, request);
	}
}

/** The same context with the models pi can use, where an agent or the configuration names one. */
async function findModels(context: CommandContext): Promise<CommandContext> {
	const { agents } = discoverFor(context);
	const { subagents } = context.config;
	const isNamed = agents.some((agent) => applyAgentSettings(agent, subagents).model !== undefined);
	if (!isNamed && subagents.model === "") return context;
	return { ...context, models: await (await import("./find-pi-models.ts")).findPiModels(context) };
}
