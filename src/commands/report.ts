/** `fail` and `warn` are findings, not failures of the command. */
export type ReportStatus = "ok" | "warn" | "fail" | "info";

export interface ReportLine {
	readonly status?: ReportStatus;
	readonly text: string;
	/** What to do about it. */
	readonly remedy?: string;
}

export interface ReportSection {
	readonly heading: string;
	readonly lines: readonly ReportLine[];
}

/** What a command found out, as data. Hosts show it; `data` is what `--json` prints. */
export interface Report {
	readonly title: string;
	readonly sections: readonly ReportSection[];
	readonly data: unknown;
}
