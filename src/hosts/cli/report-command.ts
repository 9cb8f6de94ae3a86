import { suggestWord } from "@deputize/ground";
import { type CommandContext, createCommandContext } from "../../commands/command-context.ts";
import type { JournalFilter } from "../../commands/filter-journal.ts";
import { makeReport, type ReportRequest } from "../../commands/make-report.ts";
import type { Report } from "../../commands/report.ts";
import { JOURNAL_KINDS } from "../../journal/journal-record.ts";
import { checkDirectory } from "./check-directory.ts";
import type { CommandHelp } from "./command-row.ts";
import { flag, option, parseCommandLine } from "./parse-command-line.ts";
import { showRefusals } from "./show-refusals.ts";
import { showReport } from "./show-report.ts";
import { UsageError } from "./usage-error.ts";

const SHARED_OPTIONS = {
	json: flag("print the report as JSON"),
	cwd: option("<dir>", "look from this directory"),
	"agents-dir": option("<dir>", "read agents from here too; may be repeated", { multiple: true }),
};
const NARROW_OPTIONS = {
	project: option("<dir>", "only what ran in this directory or below it"),
	model: option("<name>", "only what ran with a model of this name, or a part of it"),
};
const ACTIVITY_OPTIONS = { ...NARROW_OPTIONS, ...SHARED_OPTIONS };
const LOG_OPTIONS = {
	limit: option("<n>", "the newest n"),
	...Object.fromEntries(JOURNAL_KINDS.map((kind) => [kind, flag(`only ${kind}; may be combined`)])),
	...NARROW_OPTIONS,
	...SHARED_OPTIONS,
};

const AGENT_WORDS = ["trust", "untrust", "new", "set"];

export const AGENTS_HELP: CommandHelp = {
	usage: [
		"agents [options]",
		"agents trust <name>",
		"agents untrust <name>",
		"agents new [<name>] [options]",
		"agents set <name> [--model <model>] [--thinking <level>]",
	],
	examples: [
		["deputize agents", "who can be asked, and from which file"],
		["deputize agents new api-reviewer", "write the file of a new agent"],
		["deputize agents trust migrator", "approve an agent of this project, for its present content"],
		["deputize agents set explorer --model ollama/qwen3:8b", "its model, in your configuration"],
		["deputize agents set explorer --model default", "take that back"],
	],
	options: SHARED_OPTIONS,
	notes:
		"new takes --description <text>, --tools read|web|none and --project (for this project instead of for you), and asks for what is missing.",
	words: AGENT_WORDS,
	after: { trust: "agents", untrust: "agents", set: "agents" },
};
export const DOCTOR_HELP: CommandHelp = {
	usage: ["doctor [options]"],
	examples: [],
	options: SHARED_OPTIONS,
};
export const MODELS_HELP: CommandHelp = {
	usage: ["models [options]"],
	examples: [
		["deputize models", "what can be named here, and what a run asks that names none"],
		["deputize models --json | jq '.services[].models'"],
	],
	options: SHARED_OPTIONS,
	notes: "Asks each service that has a key, an address or a server here for its list.",
};
export const LOGS_HELP: CommandHelp = {
	usage: ["logs [options]"],
	examples: [["deputize logs --subagent --limit 20"], ["deputize logs --json | jq '.records[0]'"]],
	options: LOG_OPTIONS,
};
export const ACTIVITY_HELP: CommandHelp = {
	usage: ["activity [options]"],
	examples: [["deputize activity --project . --model opus"]],
	options: ACTIVITY_OPTIONS,
};

/** `deputize agents|doctor|models|logs|activity`: shows a report; `agents` also takes a decision. Findings are not failures: the exit code is 0. */
export async function runReportCommand(
	name: ReportRequest["name"],
	argv: readonly string[],
): Promise<number> {
	if (name === "agents" && argv[0] === "new")
		return (await import("./new-agent-command.ts")).runNewAgentCommand(argv.slice(1));
	if (name === "agents" && argv[0] === "set")
		return (await import("./set-agent-command.ts")).runSetAgentCommand(argv.slice(1));
	return showRefusals(`deputize ${name}`, async () => {
		const options = name === "logs" ? LOG_OPTIONS : name === "activity" ? ACTIVITY_OPTIONS : SHARED_OPTIONS;
		const { values, positionals } = parseCommandLine(argv, options, { allowPositionals: name === "agents" });
		const context = createCommandContext({
			cwd: checkDirectory("--cwd", values.cwd ?? "."),
			agentsDirectories: (values["agents-dir"] ?? []).map((path) => checkDirectory("--agents-dir", path)),
		});
		const report =
			positionals.length > 0
				? await decideTrust(positionals, context)
				: await makeReport(
						{
							name,
							kinds: JOURNAL_KINDS.filter((kind) => (values as Record<string, unknown>)[kind]),
							limit: parseLimit((values as Record<string, unknown>)["limit"]),
							narrow: values as JournalFilter,
						},
						context,
					);
		showReport(report, values.json === true);
		return 0;
	});
}

/** `deputize agents trust|untrust <name>`. */
async function decideTrust(words: readonly string[], context: CommandContext): Promise<Report> {
	const [word, name, ...more] = words;
	if (word !== "trust" && word !== "untrust")
		throw new UsageError(
			`${JSON.stringify(word)} is not known here. ${suggestWord(word ?? "", AGENT_WORDS, "Words")} Try: deputize agents --help`,
		);
	if (name === undefined || more.length > 0)
		throw new UsageError(`Name one agent. Try: deputize agents ${word} <name>`);
	return (await import("../../commands/trust-agent.ts")).trustAgent(word, name, context);
}

function parseLimit(value: unknown): number | undefined {
	if (value === undefined) return undefined;
	const limit = Number(value);
	if (Number.isSafeInteger(limit) && limit > 0) return limit;
	throw new Error(`--limit takes a whole number above 0, not ${JSON.stringify(value)}.`);
}
