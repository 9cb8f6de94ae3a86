import type { ExtensionAPI, Theme, ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { Component } from "@earendil-works/pi-tui";
import type { Surroundings } from "../../../config/read-surroundings.ts";
import { ANSWER_MESSAGE, RUN_ENTRY } from "./custom-types.ts";
import type { PiLibrary } from "./pi-library.ts";
import type { SubagentView } from "./render/create-subagent-view.ts";

type OfferedView = Required<Pick<ToolDefinition, "renderCall" | "renderResult">>;

/** How a delegation looks, loaded only where there is a terminal to look at. */
export function offerView(
	pi: ExtensionAPI,
	library: PiLibrary,
	{ home, agentDirectory }: Pick<Surroundings, "home" | "agentDirectory">,
): OfferedView {
	let view: SubagentView | undefined;
	let cards: typeof import("./render/create-run-card.ts") | undefined;
	let cwd = process.cwd();
	pi.on("session_start", async (_event, context) => {
		if (context.mode !== "tui") return;
		const { createSubagentView } = await import("./render/create-subagent-view.ts");
		cards = await import("./render/create-run-card.ts");
		cwd = context.cwd;
		const { readRunAddress } = await import("../../../viewer/view-address.ts");
		view = createSubagentView(library, {
			home,
			screenLines: () => process.stdout.rows ?? Infinity,
			findAddress: (runId) => readRunAddress(agentDirectory, runId),
		});
	});
	const drawCard = (kept: unknown, expanded: boolean, theme: Theme): Component | undefined => {
		const run = cards?.parseFinishedRun(kept);
		return run && cards?.createRunCard(run, { library, theme, expanded, home, cwd });
	};
	pi.registerEntryRenderer?.(RUN_ENTRY, ({ data }, { expanded }, theme) => drawCard(data, expanded, theme));
	pi.registerMessageRenderer?.(ANSWER_MESSAGE, ({ details }, { expanded }, theme) =>
		drawCard(details, expanded, theme),
	);
	// What an earlier run left unfinished will not change any more.
	pi.on("agent_start", () => view?.stop());
	pi.on("session_shutdown", () => view?.stop());
	return {
		renderCall: (...given) => view?.renderCall(...given) ?? NOTHING,
		renderResult: (...given) => view?.renderResult(...given) ?? NOTHING,
	};
}

const NOTHING: Component = { render: () => [], invalidate: () => undefined };
