import type { JournalKind } from "../journal/journal-record.ts";
import type { CommandContext } from "./command-context.ts";
import type { JournalFilter } from "./filter-journal.ts";
import { findModels } from "./find-models.ts";
import type { Report } from "./report.ts";

export interface ReportRequest {
	readonly name: "agents" | "doctor" | "logs" | "activity";
	/** Of logs: which, none means all. */
	readonly kinds?: readonly JournalKind[];
	/** Of logs: how many. */
	readonly limit?: number | undefined;
	/** Of logs and activity: what to leave in. */
	readonly narrow?: JournalFilter | undefined;
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
