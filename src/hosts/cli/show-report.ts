import { renderReport } from "../../commands/render-report.ts";
import type { Report } from "../../commands/report.ts";

const DEFAULT_COLUMNS = 100;

/** The width of the terminal, or of a page where there is none. */
export function countColumns(): number {
	return process.stdout.columns || DEFAULT_COLUMNS;
}

/** A report as text, as wide as the terminal. */
export function renderForTerminal(report: Report): string {
	return renderReport(report, { width: countColumns() }).join("\n");
}

/** A report on stdout: its data as JSON, or its text with further lines below. */
export function showReport(report: Report, isJson: boolean, below: readonly string[] = []): void {
	const text = isJson
		? JSON.stringify(report.data, undefined, 2)
		: [renderForTerminal(report), ...below].join("\n");
	process.stdout.write(`${text}\n`);
}
