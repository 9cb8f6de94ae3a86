import { homedir } from "node:os";
import { createTwoFilesPatch } from "diff";
import { CLIENT_ROWS, type ClientRow } from "../../commands/install/client-rows.ts";
import { findServerCommand } from "../../commands/install/find-server-command.ts";
import { type InstallPlan, planInstall } from "../../commands/install/plan-install.ts";
import { writeInstall } from "../../commands/install/write-install.ts";
import { codeOf } from "../../errors/code-of.ts";
import type { OptionRows } from "./command-row.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { showError } from "./show-error.ts";
import { UsageError } from "./usage-error.ts";

const OPTIONS = {
	print: { type: "boolean", help: "show the entry and the file it belongs to, write nothing" },
} as const satisfies OptionRows;

/** `deputize mcp install [client…] [--print]`. Returns the exit code. */
export function runMcpInstall(argv: readonly string[]): number {
	try {
		const { values, positionals } = parseCommandLine(argv, OPTIONS, { allowPositionals: true });
		const { env, platform } = process;
		const place = { home: env["HOME"] || homedir(), cwd: process.cwd(), env, platform };
		const plan = (row: ClientRow): InstallPlan => planInstall(row, findServerCommand(env), place);
		if (positionals.length === 0) {
			process.stdout.write(renderClients(CLIENT_ROWS.map(plan)));
			return 0;
		}
		const plans = positionals.map(findRow).map(plan);
		const outcomes = plans.map((each) => (values.print ? printEntry(each) : installEntry(each)));
		return outcomes.every(Boolean) ? 0 : 1;
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		showError("deputize mcp install", error.message);
		return 2;
	}
}

function findRow(name: string): ClientRow {
	const row = CLIENT_ROWS.find((candidate) => candidate.name === name);
	if (row !== undefined) return row;
	throw new UsageError(
		`there is no client ${JSON.stringify(name)}. Clients: ${CLIENT_ROWS.map((known) => known.name).join(", ")}. Every other one starts: deputize mcp`,
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

function printEntry({ file, entry }: InstallPlan): true {
	process.stdout.write(`${file}\n\n${entry}\n`);
	return true;
}

/** False when the person has something to do. */
function installEntry(plan: InstallPlan): boolean {
	const { row, file, before, after, problem, entry } = plan;
	if (after === undefined) {
		showError("deputize mcp install", `${file} ${problem}. Nothing was changed; add this by hand:`);
		process.stdout.write(entry);
		return false;
	}
	if (before === after) {
		process.stdout.write(`${row.title}: already installed in ${file}\n`);
		return true;
	}
	process.stdout.write(
		createTwoFilesPatch(file, file, before ?? "", after, undefined, undefined, { context: 2 }),
	);
	try {
		const backup = writeInstall({ ...plan, after });
		process.stdout.write(`${row.title}: written${backup ? `; before: ${backup}` : ""}\n`);
	} catch (error) {
		showError("deputize mcp install", `${file} cannot be written (${codeOf(error)}).`);
		return false;
	}
	if (row.hint) process.stdout.write(`${row.hint}\n`);
	return true;
}
