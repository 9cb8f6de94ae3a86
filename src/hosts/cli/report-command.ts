import { parseArgs } from "node:util";
import { type CommandContext, createCommandContext } from "../../commands/command-context.ts";
import { makeReport, type ReportRequest } from "../../commands/make-report.ts";
import { renderReport } from "../../commands/render-report.ts";
import { JOURNAL_KINDS } from "../../journal/journal-record.ts";
import { checkDirectory } from "./check-directory.ts";

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
export async function runReportCommand(
	name: ReportRequest["name"],
	argv: readonly string[],
): Promise<number> {
	try {
		const options = name === "logs" ? { ...SHARED_OPTIONS, ...LOG_OPTIONS } : SHARED_OPTIONS;
		const { values } = parseArgs({ args: [...argv], options, strict: true });
		if (values.help) {
			process.stdout.write((await import("./help.ts")).HELP);
			return 0;
		}
		const report = await makeReport(
			{
				name,
				kinds: JOURNAL_KINDS.filter((kind) => (values as Record<string, unknown>)[kind]),
				limit: parseLimit((values as Record<string, unknown>)["limit"]),
			},
			openContext(values),
		);
		const width = process.stdout.columns || DEFAULT_COLUMNS;
		const text = values.json
			? JSON.stringify(report.data, undefined, 2)
			: renderReport(report, { width }).join("\n");
		process.stdout.write(`${text}\n`);
		return 0;
	} catch (error) {
		(await import("./show-error.ts")).showError(
			`deputize ${name}`,
			error instanceof Error ? error.message : String(error),
		);
		return 2;
	}
}

function openContext(values: { readonly cwd?: string; readonly "agents-dir"?: string[] }): CommandContext {
	return createCommandContext({
		cwd: checkDirectory("--cwd", values.cwd ?? "."),
		agentsDirectories: (values["agents-dir"] ?? []).map((directory) =>
			checkDirectory("--agents-dir", directory),
		),
	});
}

function parseLimit(value: unknown): number | undefined {
	if (value === undefined) return undefined;
	const limit = Number(value);
	if (Number.isSafeInteger(limit) && limit > 0) return limit;
	throw new Error(`--limit takes a whole number above 0, not ${JSON.stringify(value)}.`);
}
