/** `fail` and `warn` are findings, not failures of the command. */
export type ReportStatus = "ok" | "warn" | "fail" | "info";

export interface ReportLine {
	readonly status?: ReportStatus;
	readonly text: string;
	/** What to do about it. */
	readonly remedy?: string;
}

export const ok = (text: string): ReportLine => ({ status: "ok", text });
export const info = (text: string, remedy?: string): ReportLine => toReportLine("info", text, remedy);
export const warn = (text: string, remedy?: string): ReportLine => toReportLine("warn", text, remedy);
export const fail = (text: string, remedy?: string): ReportLine => toReportLine("fail", text, remedy);

function toReportLine(status: ReportStatus, text: string, remedy: string | undefined): ReportLine {
	return remedy === undefined ? { status, text } : { status, text, remedy };
}

export interface ReportSection {
	readonly heading: string;
	readonly lines: readonly ReportLine[];
}

/** A section, or nothing where there would be no line in it. */
export function sectionIfAny(heading: string, lines: readonly ReportLine[]): readonly ReportSection[] {
	return lines.length > 0 ? [{ heading, lines }] : [];
}

/** What a command found out, as data. Hosts show it; `data` is what `--json` prints. */
export interface Report {
	readonly title: string;
	readonly sections: readonly ReportSection[];
	readonly data: unknown;
}
