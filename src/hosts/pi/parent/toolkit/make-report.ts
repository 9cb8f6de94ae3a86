import type { CommandContext } from "../../../../commands/command-context.ts";
import type { Report } from "../../../../commands/report.ts";
import { TOOLKIT_COMMANDS, type ToolkitRequest } from "./parse-toolkit-arguments.ts";

/** The report a request asks for. What makes it is loaded when it is asked for. */
export async function makeReport(request: ToolkitRequest, context: CommandContext): Promise<Report> {
	switch (request.name) {
		case "agents":
			return (await import("../../../../commands/list-agents.ts")).listAgents(context);
		case "doctor":
			return (await import("../../../../commands/check-health.ts")).checkHealth(context);
		case "activity":
			return (await import("../../../../commands/show-activity.ts")).showActivity(context);
		case "logs": {
			const { DEFAULT_LOG_LIMIT, showLogs } = await import("../../../../commands/show-logs.ts");
			return showLogs(context, { kinds: request.kinds, limit: request.limit ?? DEFAULT_LOG_LIMIT });
		}
		case "help":
			return describeCommands();
	}
}

function describeCommands(): Report {
	const lines = TOOLKIT_COMMANDS.map(({ name, description }) => ({
		text: `/toolkit ${name}\n${description}`,
	}));
	return { title: "Toolkit", sections: [{ heading: "Commands", lines }], data: TOOLKIT_COMMANDS };
}
