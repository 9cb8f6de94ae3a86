import type { ExtensionAPI, ExtensionContext, Theme, ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { Component } from "@earendil-works/pi-tui";
import type { Surroundings } from "../../../config/read-surroundings.ts";
import type { BackgroundStatus } from "./background/create-background-status.ts";
import { ANSWER_MESSAGE, REPORT_MESSAGE, RUN_ENTRY } from "./custom-types.ts";
import type { PiLibrary } from "./pi-library.ts";
import type { SubagentView } from "./render/create-subagent-view.ts";
import type { SessionRuns } from "./session-runs.ts";

type OfferedView = Required<Pick<ToolDefinition, "renderCall" | "renderResult">>;

/** How a delegation looks, loaded only where there is a terminal to look at. */
export function offerView(
	pi: ExtensionAPI,
	library: PiLibrary,
	{ home, agentDirectory }: Pick<Surroundings, "home" | "agentDirectory">,
	runs: SessionRuns,
): OfferedView {
	let view: SubagentView | undefined;
	let cards: typeof import("./render/create-run-card.ts") | undefined;
	let status: BackgroundStatus | undefined;
	let cwd = process.cwd();
	let isWorking = false;
	const open = async (context: ExtensionContext): Promise<void> => {
		const { createSubagentView } = await import("./render/create-subagent-view.ts");
		cards = await import("./render/create-run-card.ts");
		cwd = context.cwd;
		const { readRunAddress } = await import("../../../viewer/view-address.ts");
		const { createBackgroundStatus } = await import("./background/create-background-status.ts");
		const { watchScreen } = await import("./render/watch-screen.ts");
		status = createBackgroundStatus(runs, context);
		view = createSubagentView(library, {
			home,
			screenLines: () => (process.stdout.rows ?? Infinity) - (status?.countLines() ?? 0),
			findAddress: (runId) => readRunAddress(agentDirectory, runId),
			isWorking: () => isWorking,
			findRun: (wanted) =>
				runs.list().find(({ update, result }) => {
					const { runId } = result?.details ?? update?.details ?? {};
					return runId === wanted;
				}),
			isOnScreen: watchScreen(context.ui),
		});
	};
	pi.on("session_start", async (_event, context) => {
		if (context.mode === "tui") await open(context);
	});
	const drawCard = (kept: unknown, expanded: boolean, theme: Theme): Component | undefined => {
		const run = cards?.parseFinishedRun(kept);
		return run && cards?.createRunCard(run, { library, theme, expanded, home, cwd });
	};
	pi.registerEntryRenderer?.(RUN_ENTRY, ({ data }, { expanded }, theme) => drawCard(data, expanded, theme));
	pi.registerMessageRenderer?.(ANSWER_MESSAGE, ({ details }, { expanded }, theme) =>
		drawCard(details, expanded, theme),
	);
	pi.registerMessageRenderer?.(REPORT_MESSAGE, ({ content }, _options, theme) =>
		typeof content === "string" ? cards?.createReportCard(content, { library, theme }) : undefined,
	);
	pi.on("agent_start", () => {
		isWorking = true;
		// What an earlier run left unfinished will not change any more.
		view?.stop();
	});
	pi.on("agent_end", () => {
		isWorking = false;
	});
	pi.on("session_shutdown", () => {
		view?.stop();
		status?.close();
	});
	return {
		renderCall: (...given) => view?.renderCall(...given) ?? NOTHING,
		renderResult: (...given) => view?.renderResult(...given) ?? NOTHING,
	};
}

const NOTHING: Component = { render: () => [], invalidate: () => undefined };
