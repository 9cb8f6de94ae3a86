import type { Report } from "../../../../commands/report.ts";
import type { JournalRecord } from "../../../../journal/journal-record.ts";
import type { Pen } from "../render/pen.ts";
import { createListPanel } from "./create-list-panel.ts";
import { drawLine } from "./draw-report.ts";
import { showPanel } from "./panel.ts";
import { showTranscript, type TranscriptOptions } from "./show-transcript.ts";

/** The log as a list: Enter on a run opens its transcript. */
export async function showLogsPanel(report: Report, options: TranscriptOptions): Promise<void> {
	const { records } = report.data as { readonly records: readonly JournalRecord[] };
	const lines = report.sections[0]?.lines ?? [];
	const items = records.map((_record, index) => ({
		id: String(index),
		draw: (pen: Pen) => drawLine(lines[index] ?? { text: "" }, pen),
	}));
	let selected: string | undefined;
	for (;;) {
		const opened = await showPanel<string | undefined>(options, (screen, done) =>
			createListPanel({
				...screen,
				title: () => report.title,
				empty: "Nothing has been recorded yet.",
				items: () => items,
				selected,
				onSelect(id) {
					selected = id;
				},
				keys(id) {
					const runId = records[Number(id)]?.runId;
					return runId ? [{ key: "enter", label: "Enter look inside", press: () => done(runId) }] : [];
				},
				close: () => done(undefined),
			}),
		);
		if (opened === undefined) return;
		await showTranscript(options, () => opened);
	}
}
