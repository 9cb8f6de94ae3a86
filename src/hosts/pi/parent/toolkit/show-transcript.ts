import type { CommandContext } from "../../../../commands/command-context.ts";
import type { Report } from "../../../../commands/report.ts";
import { showRun } from "../../../../commands/show-run.ts";
import { createReportPanel } from "./create-report-panel.ts";
import { type PanelKey, showPanel } from "./panel.ts";
import type { Toolkit } from "./toolkit.ts";

export interface TranscriptOptions extends Pick<Toolkit, "library" | "context"> {
	readonly commands: CommandContext;
}

/** A run of this session, which may still be at work. */
interface WatchedRun {
	isRunning(): boolean;
	keys(): readonly PanelKey[];
	watch(listener: () => void): () => void;
}

const CLOCK_MS = 1000;
const NOT_STARTED: Report = {
	title: "Waiting for a free slot",
	sections: [{ heading: "What it did", lines: [{ text: "It has not started." }] }],
	data: null,
};

/** What a run did, kept up to date while it is at work. `findRunId` returns undefined before the run has a name. */
export async function showTranscript(
	options: TranscriptOptions,
	findRunId: () => string | undefined,
	watched?: WatchedRun,
): Promise<void> {
	let report: Report | undefined;
	const make = (): Report => {
		const runId = findRunId();
		report ??= (runId === undefined ? undefined : showRun(runId, options.commands)) ?? NOT_STARTED;
		return report;
	};
	const isRunning = (): boolean => watched?.isRunning() ?? false;
	await showPanel<void>(options, (screen, done) => {
		// Reading the files of a run takes a few milliseconds: once a second is enough, and once more at its end.
		const refresh = (): void => {
			report = undefined;
			screen.requestRender();
		};
		const clock = setInterval(() => (isRunning() ? refresh() : undefined), CLOCK_MS).unref();
		let wasRunning = isRunning();
		const stopWatching = watched?.watch(() => {
			if (wasRunning && !isRunning()) refresh();
			wasRunning = isRunning();
		});
		return createReportPanel(make, {
			...screen,
			follow: isRunning(),
			keys: () => watched?.keys() ?? [],
			close() {
				clearInterval(clock);
				stopWatching?.();
				done();
			},
		});
	});
}
