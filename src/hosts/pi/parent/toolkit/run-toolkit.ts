import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { createCommandContext } from "../../../../commands/command-context.ts";
import { renderReport } from "../../../../commands/render-report.ts";
import type { Report } from "../../../../commands/report.ts";
import { readSurroundings } from "../../../../config/read-surroundings.ts";
import type { SubagentsConfig } from "../../../../contract/config.ts";
import { describeModel, describeTools, listModels } from "../describe-parent.ts";
import type { PiLibrary } from "../pi-library.ts";
import { createReportPanel } from "./create-report-panel.ts";
import { makeToolkitReport } from "./make-toolkit-report.ts";
import { parseToolkitArguments } from "./parse-toolkit-arguments.ts";

const TEXT_COLUMNS = 100;
/** A protocol's line, and perhaps a model's context: the whole journal does not belong there. */
const MAX_TEXT_CHARACTERS = 20_000;
const STATUS_KEY = "deputize-toolkit";
const REPORT_MESSAGE = "deputize-report";

/** Makes the report that was asked for and shows it in the way this mode of pi has. */
export async function runToolkit(
	pi: ExtensionAPI,
	library: PiLibrary,
	args: string,
	context: ExtensionCommandContext,
): Promise<void> {
	const request = parseToolkitArguments(args);
	if (typeof request === "string") {
		tell(pi, context, request, "error");
		return;
	}
	if (request.name === "tools") {
		tell(pi, context, await setMainTools(request.mode), "info");
		return;
	}
	const report = await showWork(context, () =>
		makeToolkitReport(
			request,
			createCommandContext({
				cwd: context.cwd,
				parentTools: describeTools(pi),
				piPackage: library.getPackageDir(),
				models: listModels(context),
				...describeModel(pi, context),
			}),
		),
	);
	if (context.mode === "tui") await showPanel(library, context, report);
	else {
		const lines = renderReport(report, { width: TEXT_COLUMNS, maxCharacters: MAX_TEXT_CHARACTERS });
		tell(pi, context, lines.join("\n"), "info");
	}
}

/** Which tools the main agent has is decided when a session starts: a definition that comes later breaks the provider's cache. */
async function setMainTools(mode: SubagentsConfig["mainTools"]): Promise<string> {
	const { writeUserSetting } = await import("../../../../config/write-user-setting.ts");
	const { agentDirectory } = readSurroundings();
	const problem = writeUserSetting(agentDirectory, ["subagents", "mainTools"], mode);
	if (problem) return problem;
	return mode === "always"
		? "The web, document and language tools are registered in the main agent from the next session on (/new, or start pi again)."
		: "From the next session on the main agent loads web, document and language tools when it needs them.";
}

/** The doctor starts programs and takes a second or two: somebody who waits should see why. */
async function showWork({ mode, ui }: ExtensionCommandContext, work: () => Promise<Report>): Promise<Report> {
	if (mode !== "tui") return work();
	ui.setStatus(STATUS_KEY, "Toolkit: checking…");
	try {
		return await work();
	} finally {
		ui.setStatus(STATUS_KEY, undefined);
	}
}

async function showPanel(
	library: PiLibrary,
	context: ExtensionCommandContext,
	report: Report,
): Promise<void> {
	await context.ui.custom<void>((tui, theme, _keybindings, done) =>
		createReportPanel(report, {
			library,
			theme,
			rows: () => tui.terminal.rows,
			requestRender: () => tui.requestRender(),
			close: () => done(),
		}),
	);
}

/**
 * Without a terminal of our own: a notification where somebody listens, a message in the stream of events, and
 * stderr where stdout is only for the model's last answer.
 */
function tell(
	pi: ExtensionAPI,
	context: ExtensionCommandContext,
	text: string,
	kind: "info" | "error",
): void {
	if (context.hasUI) context.ui.notify(text, kind);
	else if (context.mode === "print") process.stderr.write(`${text}\n`);
	else pi.sendMessage({ customType: REPORT_MESSAGE, content: text, display: true });
}
