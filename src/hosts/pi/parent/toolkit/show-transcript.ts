import type { CommandContext } from "../../../../commands/command-context.ts";
import type { Report } from "../../../../commands/report.ts";
import { showRunSteps } from "../../../../commands/show-run.ts";
import type { Pen } from "../render/pen.ts";
import { createReportPanel } from "./create-report-panel.ts";
import { type PanelKey, showPanel } from "./panel.ts";
import type { Toolkit } from "./toolkit.ts";

export interface TranscriptOptions extends Pick<Toolkit, "library" | "context"> {
	readonly commands: CommandContext;
}

/** A run of this session, which may still be at work. */
interface WatchedRun<Action> {
	isRunning(): boolean;
	/** What is known of it at this moment, in so many columns; undefined when it has ended. */
	describe(pen: Pen, columns: number): string | undefined;
	/** What can be done with it; `leave` closes the transcript for that. */
	keys(leave: (action: Action) => void): readonly PanelKey[];
	watch(listener: () => void): () => void;
}

const CLOCK_MS = 1000;
const NOT_STARTED: Report = {
	title: "Waiting for a free slot",
	sections: [{ heading: "What it did", lines: [{ text: "It has not started." }] }],
	data: null,
};

/**
 * What a run did, kept up to date while it is at work. `findRunId` returns undefined before the run has a name. Returns
 * what the person wants to do with it, undefined when they have seen enough.
 */
export async function showTranscript<Action = never>(
	options: TranscriptOptions,
	findRunId: () => string | undefined,
	watched?: WatchedRun<Action>,
): Promise<Action | undefined> {
	let run: ReturnType<typeof showRunSteps>;
	let showsFacts = false;
	const make = (): Report => {
		const runId = findRunId();
		run ??= runId === undefined ? undefined : showRunSteps(runId, options.commands);
		const report = (showsFacts ? run?.facts : run?.transcript) ?? NOT_STARTED;
		return report;
	};
	const isRunning = (): boolean => watched?.isRunning() ?? false;
	return showPanel<Action | undefined>(options, (screen, done) => {
		// Reading the files of a run takes a few milliseconds: once a second is enough, and once more at its end.
		const refresh = (): void => {
			run = undefined;
			screen.requestRender();
		};
		const clock = setInterval(() => (isRunning() ? refresh() : undefined), CLOCK_MS).unref();
		let wasRunning = isRunning();
		const stopWatching = watched?.watch(() => {
			if (wasRunning && !isRunning()) refresh();
			wasRunning = isRunning();
		});
		const leave = (action?: Action): void => {
			clearInterval(clock);
			stopWatching?.();
			done(action);
		};
		const createFactsKey = (): PanelKey => ({
			key: "i",
			label: showsFacts ? "i transcript" : "i facts",
			press() {
				showsFacts = !showsFacts;
			},
		});
		return createReportPanel(make, {
			...screen,
			fitTitle: (pen, columns) => watched?.describe(pen, columns),
			follow: true,
			keys: () => [...(watched?.keys(leave) ?? []), createFactsKey()],
			close: () => leave(),
		});
	});
}
