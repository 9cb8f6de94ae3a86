import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import type { Report } from "../../../commands/report.ts";
import { describeTools } from "./describe-parent.ts";
import type { PiLibrary } from "./pi-library.ts";
import { createReportPanel } from "./toolkit/create-report-panel.ts";
import { makeReport } from "./toolkit/make-report.ts";
import { completeToolkitArguments, parseToolkitArguments } from "./toolkit/parse-toolkit-arguments.ts";

const TEXT_COLUMNS = 100;
const REPORT_MESSAGE = "deputize-report";

/** `/toolkit`: reports about agents, this machine, and what was done. */
export function registerToolkit(pi: ExtensionAPI, library: PiLibrary): void {
	pi.registerCommand("toolkit", {
		description: "Reports of deputize: agents, doctor, logs, activity",
		getArgumentCompletions: (typed) => {
			const completions = completeToolkitArguments(typed);
			return completions.length > 0 ? [...completions] : null;
		},
		async handler(args, context) {
			const request = parseToolkitArguments(args);
			if (typeof request === "string") {
				tell(pi, context, request, "error");
				return;
			}
			const { createCommandContext } = await import("../../../commands/command-context.ts");
			const report = await makeReport(
				request,
				createCommandContext({
					cwd: context.cwd,
					parentTools: describeTools(pi),
					piPackage: library.getPackageDir(),
				}),
			);
			await show(pi, library, context, report);
		},
	});
}

async function show(
	pi: ExtensionAPI,
	library: PiLibrary,
	context: ExtensionCommandContext,
	report: Report,
): Promise<void> {
	if (context.mode === "tui") {
		await context.ui.custom<void>((tui, theme, _keybindings, done) =>
			createReportPanel(report, {
				library,
				theme,
				rows: () => tui.terminal.rows,
				requestRender: () => tui.requestRender(),
				close: () => done(),
			}),
		);
		return;
	}
	const { renderReport } = await import("../../../commands/render-report.ts");
	tell(pi, context, renderReport(report, { width: TEXT_COLUMNS }).join("\n"), "info");
}

/** Without a terminal of our own: a notification where somebody listens, else a message in the stream of events. */
function tell(
	pi: ExtensionAPI,
	context: ExtensionCommandContext,
	text: string,
	kind: "info" | "error",
): void {
	if (context.hasUI) context.ui.notify(text, kind);
	else pi.sendMessage({ customType: REPORT_MESSAGE, content: text, display: true });
}
