import type { Report } from "../../../../commands/report.ts";
import type { JournalRecord } from "../../../../journal/journal-record.ts";
import { createListPanel } from "./create-list-panel.ts";
import { drawLine } from "./draw-report.ts";
import { showOldRun, type WatchOptions } from "./show-watch.ts";

/** The log as a list: Enter on a run opens its transcript. */
export async function showLogsPanel(
	report: Report,
	options: Omit<WatchOptions, "delegations">,
): Promise<void> {
	const { library, context } = options;
	const { records } = report.data as { readonly records: readonly JournalRecord[] };
	const lines = report.sections[0]?.lines ?? [];
	const items = records.map((_record, index) => ({
		id: String(index),
		draw: (pen: Parameters<typeof drawLine>[1]) => drawLine(lines[index] ?? { text: "" }, pen),
	}));
	let selected: string | undefined;
	for (;;) {
		const opened = await context.ui.custom<string | undefined>((tui, theme, _keybindings, done) =>
			createListPanel({
				library,
				theme,
				rows: () => tui.terminal.rows,
				requestRender: () => tui.requestRender(),
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
		await showOldRun(opened, options);
	}
}
