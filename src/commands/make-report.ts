import type { CommandContext } from "./command-context.ts";
import { findModels } from "./find-models.ts";
import type { Report } from "./report.ts";
import type { LogRequest } from "./show-logs.ts";

/** `activity` is narrowed like logs; the other two are always about everything. */
export interface ReportRequest extends LogRequest {
	readonly name: "agents" | "doctor" | "logs" | "activity";
}

/** The report a request asks for. What makes it is loaded when it is asked for. */
export async function makeReport(request: ReportRequest, context: CommandContext): Promise<Report> {
	switch (request.name) {
		case "agents":
			return (await import("./list-agents.ts")).listAgents(await findModels(context));
		case "doctor":
			return (await import("./check-health.ts")).checkHealth(await findModels(context));
		case "activity":
			return (await import("./show-activity.ts")).showActivity(context, request.narrow);
		case "logs":
			return (await import("./show-logs.ts")).showLogs(context, request);
	}
}
