import type { CommandContext } from "../../../../commands/command-context.ts";
import { makeReport, type ReportRequest } from "../../../../commands/make-report.ts";
import type { Report } from "../../../../commands/report.ts";
import { TOOLKIT_COMMANDS, type ToolkitRequest } from "./parse-toolkit-arguments.ts";

/** A report, or the list of the commands there are. */
export async function makeToolkitReport(
	request: Extract<ToolkitRequest, { name: "help" | ReportRequest["name"] }>,
	context: CommandContext,
): Promise<Report> {
	return request.name === "help" ? describeCommands() : makeReport(request, context);
}

function describeCommands(): Report {
	const lines = TOOLKIT_COMMANDS.map(({ name, description }) => ({
		text: `/toolkit ${name}\n${description}`,
	}));
	return { title: "Toolkit", sections: [{ heading: "Commands", lines }], data: TOOLKIT_COMMANDS };
}
