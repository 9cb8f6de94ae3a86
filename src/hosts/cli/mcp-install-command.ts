import { codeOf, defined, readHome, suggestWord } from "@deputize/ground";
import { CLIENT_ROWS, type ClientRow } from "../../commands/install/client-rows.ts";
import { findServerCommand } from "../../commands/install/find-server-command.ts";
import { type InstallPlan, planInstall } from "../../commands/install/plan-install.ts";
import { renderFileChange, writeInstall } from "../../commands/install/write-install.ts";
import { flag, parseCommandLine } from "./parse-command-line.ts";
import { showError } from "./show-error.ts";
import { showRefusals } from "./show-refusals.ts";
import { UsageError } from "./usage-error.ts";

const OPTIONS = {
	print: flag("show the entry and the file it belongs to, write nothing"),
	json: flag("print the clients, or what was done for each, as JSON"),
};

/** `deputize mcp install [client…] [--print] [--json]`. Returns the exit code. */
export function runMcpInstall(argv: readonly string[]): Promise<number> {
	const run = (): number => {
		const { values, positionals } = parseCommandLine(argv, OPTIONS, { allowPositionals: true });
		const { env, platform } = process;
		const place = { home: readHome(env), cwd: process.cwd(), env, platform };
		const plan = (row: ClientRow): InstallPlan => planInstall(row, findServerCommand(env), place);
		if (positionals.length === 0) {
			const all = CLIENT_ROWS.map(plan);
			process.stdout.write(values.json ? renderJson(all.map(toClient)) : renderClients(all));
			return 0;
		}
		const plans = positionals.map(findRow).map(plan);
		const show = values.json ? () => undefined : (text: string) => void process.stdout.write(text);
		const outcomes = plans.map((each) => (values.print ? printEntry(each, show) : installEntry(each, show)));
		if (values.json) process.stdout.write(renderJson(outcomes));
		return outcomes.some(({ state }) => state === "failed") ? 1 : 0;
	};
	return showRefusals("deputize mcp install", run, [UsageError]);
}

function findRow(name: string): ClientRow {
	const row = CLIENT_ROWS.find((candidate) => candidate.name === name);
	if (row !== undefined) return row;
	const names = CLIENT_ROWS.map((known) => known.name);
	throw new UsageError(
		`there is no client ${JSON.stringify(name)}. ${suggestWord(name, names, "Clients")} Every other one starts: deputize mcp`,
	);
}

function renderClients(plans: readonly InstallPlan[]): string {
	const rows = plans.map((plan) => [plan.row.name, plan.row.title, describeInstall(plan)] as const);
	const width = (column: 0 | 1 | 2): number => Math.max(...rows.map((row) => row[column].length));
	const lines = rows.map(
		([name, title, state], index) =>
			`  ${name.padEnd(width(0))}  ${title.padEnd(width(1))}  ${state.padEnd(width(2))}  ${plans[index]?.file}`,
	);
	return ["Install for a client with: deputize mcp install <client>", "", ...lines, ""].join("\n");
}

function describeInstall({ before, after, problem }: InstallPlan): string {
	if (problem !== undefined) return problem;
	if (before === undefined) return "no such file yet";
	return before === after ? "installed" : "not installed";
}

interface Outcome {
	readonly client: string;
	readonly file: string;
	/** `failed`: the person has something to do. */
	readonly state: "written" | "already" | "printed" | "failed";
	readonly backup?: string;
	readonly problem?: string;
	readonly entry?: string;
	readonly hint?: string;
}

type Show = (text: string) => void;

const renderJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

function toClient(plan: InstallPlan): unknown {
	const { row, file } = plan;
	return { client: row.name, title: row.title, state: describeInstall(plan), file };
}

function printEntry({ row, file, entry }: InstallPlan, show: Show): Outcome {
	show(`${file}\n\n${entry}\n`);
	return { client: row.name, file, state: "printed", entry };
}

function installEntry(plan: InstallPlan, show: Show): Outcome {
	const { row, file, before, after, problem, entry } = plan;
	const about = { client: row.name, file };
	if (after === undefined) {
		const why = `${file} ${problem}. Nothing was changed; add this by hand:`;
		showError("deputize mcp install", why);
		show(entry);
		return { ...about, state: "failed", problem: why, entry };
	}
	if (before === after) {
		show(`${row.title}: already installed in ${file}\n`);
		return { ...about, state: "already" };
	}
	const change = defined({ file, before, after });
	show(renderFileChange(change));
	try {
		const backup = writeInstall(change);
		show(`${row.title}: written${backup ? `; before: ${backup}` : ""}\n`);
		if (row.hint) show(`${row.hint}\n`);
		return { ...about, state: "written", ...defined({ backup, hint: row.hint }) };
	} catch (error) {
		const why = `${file} cannot be written (${codeOf(error)}).`;
		showError("deputize mcp install", why);
		return { ...about, state: "failed", problem: why };
	}
}
