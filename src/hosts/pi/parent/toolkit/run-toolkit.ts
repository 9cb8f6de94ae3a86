import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { type CommandContext, createCommandContext } from "../../../../commands/command-context.ts";
import { renderReport } from "../../../../commands/render-report.ts";
import type { Report } from "../../../../commands/report.ts";
import { readSurroundings } from "../../../../config/read-surroundings.ts";
import type { SubagentsConfig } from "../../../../contract/config.ts";
import { messageOf } from "../../../../errors/message-of.ts";
import type { Delegations } from "../create-delegations.ts";
import { describeModel, describeTools, listModels } from "../describe-parent.ts";
import type { PiLibrary } from "../pi-library.ts";
import type { PageDoor } from "./create-page-door.ts";
import { createReportPanel } from "./create-report-panel.ts";
import { makeToolkitReport } from "./make-toolkit-report.ts";
import { parseToolkitArguments } from "./parse-toolkit-arguments.ts";
import type { WatchOptions } from "./show-watch.ts";
import { tell } from "./tell.ts";

const TEXT_COLUMNS = 100;
/** A protocol's line, and perhaps a model's context: the whole journal does not belong there. */
const MAX_TEXT_CHARACTERS = 20_000;
const STATUS_KEY = "deputize-toolkit";

/** Makes the report that was asked for and shows it in the way this mode of pi has. */
export async function runToolkit(
	pi: ExtensionAPI,
	library: PiLibrary,
	args: string,
	context: ExtensionCommandContext,
	{ delegations, page }: { readonly delegations: Delegations | undefined; readonly page: PageDoor },
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
	if (request.name === "view") {
		await openPage(pi, context, page);
		return;
	}
	if (request.name === "run") {
		if (!delegations) tell(pi, context, SWITCHED_OFF, "error");
		else await (await import("./run-by-hand.ts")).runByHand(request, { pi, library, delegations, context });
		return;
	}
	const commands = createCommandContext({
		cwd: context.cwd,
		parentTools: describeTools(pi),
		piPackage: library.getPackageDir(),
		models: listModels(context),
		...describeModel(pi, context),
	});
	if (request.name === "new") {
		await makeNewAgent(request.agent, { pi, library, context, commands });
		return;
	}
	if (request.name === "watch") {
		await watch({ pi, library, context, commands }, delegations);
		return;
	}
	const report = await showWork(context, () => makeToolkitReport(request, commands));
	if (request.name === "logs" && context.mode === "tui")
		await (await import("./show-logs-panel.ts")).showLogsPanel(report, { pi, library, context, commands });
	else await showReport(pi, library, context, report);
}

/** The address contains a token, which must not get into the stream of events or the model's context. */
async function openPage(pi: ExtensionAPI, context: ExtensionCommandContext, page: PageDoor): Promise<void> {
	if (!context.hasUI) {
		tell(pi, context, "There is nobody to show the page to here. Use deputize view in a terminal.", "error");
		return;
	}
	try {
		const session = encodeURIComponent(`pi:${context.sessionManager.getSessionId()}`);
		context.ui.notify(`Open in a browser on this machine: ${await page.open()}#/by/${session}`, "info");
	} catch (error) {
		context.ui.notify(`The page cannot be opened: ${String(error)}`, "error");
	}
}

/** Without a terminal there is nothing to look into while it changes: the same as text, once. */
async function watch(
	options: Omit<WatchOptions, "delegations">,
	delegations: Delegations | undefined,
): Promise<void> {
	const { pi, context } = options;
	if (!delegations) tell(pi, context, SWITCHED_OFF, "error");
	else if (context.mode === "tui")
		await (await import("./show-watch.ts")).showWatch({ ...options, delegations });
	else
		tell(
			pi,
			context,
			(await import("./list-session-runs.ts")).listSessionRuns(delegations.runs.list()),
			"info",
		);
}

const SWITCHED_OFF = "Delegation is switched off by subagents.enabled in deputize.json.";

async function makeNewAgent(
	name: string | undefined,
	{
		pi,
		library,
		context,
		commands,
	}: {
		readonly pi: ExtensionAPI;
		readonly library: PiLibrary;
		readonly context: ExtensionCommandContext;
		readonly commands: CommandContext;
	},
): Promise<void> {
	if (!context.hasUI) {
		tell(
			pi,
			context,
			"There is nobody to ask here. Use deputize agents new <name> --description <text>.",
			"error",
		);
		return;
	}
	try {
		const { askNewAgent } = await import("./ask-new-agent.ts");
		const report = await askNewAgent(name, context, commands);
		if (report) await showReport(pi, library, context, report);
	} catch (error) {
		tell(pi, context, messageOf(error), "error");
	}
}

async function showReport(
	pi: ExtensionAPI,
	library: PiLibrary,
	context: ExtensionCommandContext,
	report: Report,
): Promise<void> {
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
		createReportPanel(() => report, {
			library,
			theme,
			rows: () => tui.terminal.rows,
			requestRender: () => tui.requestRender(),
			close: () => done(),
		}),
	);
}
