import { messageOf } from "@deputize/ground";
import { type CommandContext, createCommandContext } from "../../../../commands/command-context.ts";
import { makeReport } from "../../../../commands/make-report.ts";
import { renderReport } from "../../../../commands/render-report.ts";
import type { Report } from "../../../../commands/report.ts";
import { readSurroundings } from "../../../../config/read-surroundings.ts";
import type { SubagentsConfig } from "../../../../contract/config.ts";
import type { Delegations } from "../delegations.ts";
import { describeModel, describeTools, listModels } from "../describe-parent.ts";
import type { PageDoor } from "./create-page-door.ts";
import { createReportPanel } from "./create-report-panel.ts";
import { giveAnswer } from "./give-answer.ts";
import { showPanel } from "./panel.ts";
import { parseToolkitArguments, TOOLKIT_COMMANDS } from "./parse-toolkit-arguments.ts";
import { tell } from "./tell.ts";
import type { Toolkit } from "./toolkit.ts";

const TEXT_COLUMNS = 100;
/** A protocol's line, and perhaps a model's context: the whole journal does not belong there. */
const MAX_TEXT_CHARACTERS = 20_000;
const STATUS_KEY = "deputize-toolkit";

/** Does what was asked for and shows it in the way this mode of pi has. */
export async function runToolkit(
	args: string,
	toolkit: Toolkit,
	{ delegations, page }: { readonly delegations: Delegations | undefined; readonly page: PageDoor },
): Promise<void> {
	const { context } = toolkit;
	const request = parseToolkitArguments(args);
	if (typeof request === "string") return tell(toolkit, request, "error");
	switch (request.name) {
		case "help":
			return openReport(describeCommands(), toolkit);
		case "tools":
			return tell(toolkit, await setMainTools(request.mode), "info");
		case "view":
			return openPage(toolkit, page);
		case "new":
			return makeNewAgent(request.agent, toolkit);
		case "models":
			return pickModel(request.agent, toolkit);
		case "run":
			if (!delegations) return tell(toolkit, SWITCHED_OFF, "error");
			return (await import("./run-by-hand.ts")).runByHand(request, { ...toolkit, delegations });
		case "give": {
			const agent = giveAnswer(toolkit, request);
			return tell(toolkit, agent ? describeGiven(agent, request.isNow) : NOTHING_TO_GIVE, "info");
		}
		case "changes": {
			const commands = openCommands(toolkit);
			if (request.verb === undefined && context.mode === "tui") {
				const { showChanges } = await import("./show-changes.ts");
				return showChanges({ ...toolkit, commands }, request.id);
			}
			const { runChanges } = await import("./run-changes.ts");
			const done = await runChanges(request, commands);
			if ("sections" in done) return openReport(done, toolkit);
			return tell(toolkit, done.text, done.isError ? "error" : "info");
		}
		case "watch":
			if (!delegations) return tell(toolkit, SWITCHED_OFF, "error");
			return watch(toolkit, delegations);
		default: {
			const commands = openCommands(toolkit);
			const report = await showWork(toolkit, () => makeReport(request, commands));
			if (request.name === "agents" && context.mode === "tui") return showAgents(report, toolkit);
			if (request.name !== "logs" || context.mode !== "tui") return openReport(report, toolkit);
			return (await import("./show-logs-panel.ts")).showLogsPanel(report, { ...toolkit, commands });
		}
	}
}

const SWITCHED_OFF = "Delegation is switched off by subagents.enabled in deputize.json.";
const NOTHING_TO_GIVE =
	"There is no answer that the model does not have: /toolkit run explorer Where is the parser? asks for one.";
const NOBODY_TO_SHOW = "There is nobody to show the page to here. Use deputize view in a terminal.";
const NOBODY_TO_ASK = "There is nobody to ask here. Use deputize agents new <name> --description <text>.";

function describeGiven(agent: string, isNow: boolean): string {
	return isNow
		? `The model has the answer of ${agent}.`
		: `The model gets the answer of ${agent} with your next message.`;
}

function openCommands({ pi, library, context }: Toolkit): CommandContext {
	return createCommandContext({
		cwd: context.cwd,
		parentTools: describeTools(pi),
		piPackage: library.getPackageDir(),
		models: listModels(context),
		...describeModel(pi, context),
	});
}

function describeCommands(): Report {
	const lines = TOOLKIT_COMMANDS.map(({ name, description }) => ({
		text: `/toolkit ${name}\n${description}`,
	}));
	return { title: "Toolkit", sections: [{ heading: "Commands", lines }], data: TOOLKIT_COMMANDS };
}

/** The address contains a token, which must not get into the stream of events or the model's context. */
async function openPage(toolkit: Toolkit, page: PageDoor): Promise<void> {
	const { hasUI, ui, sessionManager } = toolkit.context;
	if (!hasUI) return tell(toolkit, NOBODY_TO_SHOW, "error");
	try {
		const session = encodeURIComponent(`pi:${sessionManager.getSessionId()}`);
		ui.notify(`Open in a browser on this machine: ${await page.open()}#/by/${session}`, "info");
	} catch (error) {
		ui.notify(`The page cannot be opened: ${String(error)}`, "error");
	}
}

/** Without a terminal there is nothing to look into while it changes: the same as text, once. */
async function watch(toolkit: Toolkit, delegations: Delegations): Promise<void> {
	if (toolkit.context.mode === "tui") {
		const { showWatch } = await import("./show-watch.ts");
		return showWatch({ ...toolkit, commands: openCommands(toolkit), delegations });
	}
	const { listSessionRuns } = await import("./list-session-runs.ts");
	tell(toolkit, listSessionRuns(delegations.runs.list()), "info");
}

async function makeNewAgent(name: string | undefined, toolkit: Toolkit): Promise<void> {
	if (!toolkit.context.hasUI) return tell(toolkit, NOBODY_TO_ASK, "error");
	try {
		const { askNewAgent } = await import("./ask-new-agent.ts");
		const report = await askNewAgent(name, toolkit.context, openCommands(toolkit));
		if (report) await openReport(report, toolkit);
	} catch (error) {
		tell(toolkit, messageOf(error), "error");
	}
}

async function showAgents(report: Report, toolkit: Toolkit): Promise<void> {
	const wantsModel = await showPanel<boolean>(toolkit, (screen, done) =>
		createReportPanel(() => report, {
			...screen,
			keys: () => [{ key: "m", label: "m pick a model", press: () => done(true) }],
			close: () => done(false),
		}),
	);
	if (wantsModel) await pickModel(undefined, toolkit);
}

/** Where nobody can be asked, what could be named, as on the command line. */
async function pickModel(agent: string | undefined, toolkit: Toolkit): Promise<void> {
	const commands = openCommands(toolkit);
	if (!toolkit.context.hasUI) return openReport(await makeReport({ name: "models" }, commands), toolkit);
	try {
		const { chooseAgentModel } = await import("./choose-agent-model.ts");
		const report = await chooseAgentModel(agent, toolkit, commands);
		if (report) await openReport(report, toolkit);
	} catch (error) {
		tell(toolkit, messageOf(error), "error");
	}
}

async function openReport(report: Report, toolkit: Toolkit): Promise<void> {
	if (toolkit.context.mode === "tui")
		return showPanel<void>(toolkit, (screen, done) =>
			createReportPanel(() => report, { ...screen, close: () => done() }),
		);
	const lines = renderReport(report, { width: TEXT_COLUMNS, maxCharacters: MAX_TEXT_CHARACTERS });
	tell(toolkit, lines.join("\n"), "info");
}

/** Which tools the main agent has is decided when a session starts: a definition that comes later breaks the provider's cache. */
async function setMainTools(mode: SubagentsConfig["mainTools"]): Promise<string> {
	const { writeUserSettings } = await import("../../../../config/write-user-settings.ts");
	const { agentDirectory } = readSurroundings();
	const problem = writeUserSettings(agentDirectory, [{ path: ["subagents", "mainTools"], value: mode }]);
	if (problem) return problem;
	return mode === "always"
		? "The web, document and language tools are registered in the main agent from the next session on (/new, or start pi again)."
		: "From the next session on the main agent loads web, document and language tools when it needs them.";
}

/** The doctor starts programs and takes a second or two: somebody who waits should see why. */
async function showWork({ context }: Toolkit, work: () => Promise<Report>): Promise<Report> {
	const { mode, ui } = context;
	if (mode !== "tui") return work();
	ui.setStatus(STATUS_KEY, "Toolkit: checking…");
	try {
		return await work();
	} finally {
		ui.setStatus(STATUS_KEY, undefined);
	}
}
