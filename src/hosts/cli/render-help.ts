import type { CommandHelp, CommandRow, Example, OptionRow, OptionRows } from "./command-row.ts";
import { COMMANDS } from "./command-table.ts";

const EXAMPLES: readonly Example[] = [
	['deputize run explorer "Where is authentication middleware registered?"'],
	['deputize explorer "And who calls it?" --session 550e8400-e29b-41d4-a716-446655440000'],
	['git diff | deputize run reviewer "What are the risks?"', "the diff is sent with the task"],
	['deputize batch "glob:src/**/*.ts" --agent reviewer --task "Review {path}" -o review.jsonl'],
	["deputize agents", "who can be asked, and from which file"],
	["deputize doctor", "what works here, and what to do about the rest"],
];

export function renderHelpOverview(): string {
	const commands = COMMANDS.map(({ name, usage, summary }): readonly [string, string] => [
		usage === undefined ? name : `${name} ${usage}`,
		summary,
	]);
	return [
		"deputize: delegate a focused task to a specialist agent and get back a short answer.\n",
		section("Examples", renderExamples(EXAMPLES)),
		section("Commands", alignColumns(commands)),
		"The name of an agent is a command too: deputize explorer … is deputize run explorer ….",
		"deputize <command> --help says more about one. Exit codes: 0 success, 1 the delegation failed,",
		"2 wrong usage or configuration, 130 interrupted.\n",
	].join("\n");
}

export function renderCommandHelp({ name, summary }: CommandRow, help: CommandHelp): string {
	return [
		`deputize ${name}: ${summary}\n`,
		...help.usage.map((line) => `  deputize ${line}`),
		...(help.examples.length > 0 ? ["", section("Examples", renderExamples(help.examples))] : [""]),
		section("Options", alignColumns(listOptions(help.options))),
		...(help.notes === undefined ? [] : [help.notes.trimEnd(), ""]),
	].join("\n");
}

function section(title: string, lines: readonly string[]): string {
	return lines.length === 0 ? "" : `${[title, ...lines].join("\n")}\n`;
}

function renderExamples(examples: readonly Example[]): readonly string[] {
	return alignColumns(examples.map(([command, comment]) => [command, comment ?? ""]));
}

function listOptions(options: OptionRows): (readonly [string, string])[] {
	return Object.entries(options).map(([name, row]) => [nameOption(name, row), row.help]);
}

function nameOption(name: string, { short, value, type }: OptionRow): string {
	const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
	return type === "string" ? `${names} ${value ?? `<${name}>`}` : names;
}

const MAX_COLUMN = 46;

/** A first column that is too long does not push the others out. */
function alignColumns(rows: readonly (readonly [string, string])[]): readonly string[] {
	const lengths = rows.filter(([, right]) => right !== "").map(([left]) => left.length);
	const width = Math.min(MAX_COLUMN, Math.max(0, ...lengths));
	return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`.trimEnd());
}
