import { parseArgs } from "node:util";
import { checkHealth } from "../../commands/check-health.ts";
import { createCommandContext } from "../../commands/command-context.ts";
import { listAgents } from "../../commands/list-agents.ts";
import { renderReport } from "../../commands/render-report.ts";
import type { Report } from "../../commands/report.ts";
import { showActivity } from "../../commands/show-activity.ts";
import { DEFAULT_LOG_LIMIT, showLogs } from "../../commands/show-logs.ts";
import { JOURNAL_KINDS } from "../../journal/journal-record.ts";
import { checkDirectory } from "./check-directory.ts";
import { HELP } from "./help.ts";
import { showError } from "./show-error.ts";

export type ReportName = "agents" | "doctor" | "logs" | "activity";

const DEFAULT_COLUMNS = 100;
const SHARED_OPTIONS = {
	json: { type: "boolean" },
	cwd: { type: "string" },
	"agents-dir": { type: "string", multiple: true },
	help: { type: "boolean", short: "h" },
} as const;
const LOG_OPTIONS = {
	limit: { type: "string" },
	...Object.fromEntries(JOURNAL_KINDS.map((kind) => [kind, { type: "boolean" } as const])),
} as const;

/** `deputize agents|doctor|logs|activity`: shows a report. Findings are not failures: the exit code is 0. */
export async function runReportCommand(name: ReportName, argv: readonly string[]): Promise<number> {
	try {
		const options = name === "logs" ? { ...SHARED_OPTIONS, ...LOG_OPTIONS } : SHARED_OPTIONS;
		const { values } = parseArgs({ args: [...argv], options, strict: true });
		if (values.help) {
			process.stdout.write(HELP);
			return 0;
		}
		const report = await makeReport(name, values as Record<string, unknown>);
		const width = process.stdout.columns || DEFAULT_COLUMNS;
		const text = values.json
			? JSON.stringify(report.data, undefined, 2)
			: renderReport(report, { width }).join("\n");
		process.stdout.write(`${text}\n`);
		return 0;
	} catch (error) {
		showError(`deputize ${name}`, error instanceof Error ? error.message : String(error));
		return 2;
	}
}

function makeReport(name: ReportName, values: Readonly<Record<string, unknown>>): Report | Promise<Report> {
	const directories = (values["agents-dir"] as string[] | undefined) ?? [];
	const context = createCommandContext({
		cwd: checkDirectory("--cwd", (values["cwd"] as string | undefined) ?? "."),
		agentsDirectories: directories.map((directory) => checkDirectory("--agents-dir", directory)),
	});
	switch (name) {
		case "agents":
			return listAgents(context);
		case "doctor":
			return checkHealth(context);
		case "activity":
			return showActivity(context);
		case "logs":
			return showLogs(context, {
				kinds: JOURNAL_KINDS.filter((kind) => values[kind]),
				limit: readLimit(values["limit"]),
			});
	}
}

function readLimit(value: unknown): number {
	if (value === undefined) return DEFAULT_LOG_LIMIT;
	const limit = Number(value);
	if (Number.isSafeInteger(limit) && limit > 0) return limit;
	throw new Error(`--limit takes a whole number above 0, not ${JSON.stringify(value)}.`);
}
