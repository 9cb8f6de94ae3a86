import { findProject, suggestWord } from "@deputize/ground";
import { installPart } from "../../commands/setup/install-part.ts";
import { describePart, listParts, type PartState, renderMegabytes } from "../../commands/setup/list-parts.ts";
import { removePart } from "../../commands/setup/remove-part.ts";
import { SetupError } from "../../commands/setup/setup-error.ts";
import { readSurroundings, type Surroundings } from "../../config/read-surroundings.ts";
import { PART_NAMES, type PartName } from "../../parts/part-rows.ts";
import { withoutProject } from "../../process/without-project.ts";
import type { CommandHelp } from "./command-row.ts";
import { flag, parseCommandLine } from "./parse-command-line.ts";
import { showError } from "./show-error.ts";
import { renderForTerminal } from "./show-report.ts";
import { UsageError } from "./usage-error.ts";
import { watchInterrupts } from "./watch-interrupts.ts";

const OPTIONS = {
	list: flag("show the parts and which of them are here; the same as no part at all"),
	remove: flag("remove the parts that are named"),
	json: flag("print what is here, or what was done, as JSON"),
};

export const SETUP_HELP: CommandHelp = {
	usage: ["setup [--list]", "setup <part…>", "setup --remove <part…>"],
	examples: [
		["deputize setup", "what there is, and what is here"],
		["deputize setup documents queue", "install two parts"],
		["deputize setup --remove queue"],
	],
	options: OPTIONS,
	notes:
		"Parts are npm packages in exactly the versions this deputize was tested with, checked by checksum and installed without their install scripts into deputize's own directory (~/.pi/agent/deputize/parts).",
	words: PART_NAMES,
};

/** `deputize setup`: the optional parts. Returns the exit code. */
export async function runSetupCommand(argv: readonly string[]): Promise<number> {
	// What is half installed is removed before the process ends.
	const interrupts = watchInterrupts(() => undefined);
	try {
		await runSetup(argv, interrupts.signals[0]);
		return 0;
	} catch (error) {
		if (!(error instanceof UsageError || error instanceof SetupError)) throw error;
		showError("deputize setup", error.message);
		return interrupts.exitCode() ?? (error instanceof UsageError ? 2 : 1);
	} finally {
		interrupts.stop();
	}
}

async function runSetup(argv: readonly string[], signal: AbortSignal): Promise<void> {
	const { values, positionals } = parseCommandLine(argv, OPTIONS, { allowPositionals: true });
	const parts = positionals.map(parsePart);
	const found = readSurroundings();
	// A project's own npm is a stranger's program.
	const project = findProject(process.cwd(), found.home);
	const surroundings = { ...found, env: withoutProject(found.env, project) };
	if (values.remove && parts.length === 0)
		throw new UsageError(`Which part? Parts: ${PART_NAMES.join(", ")}.`);
	if (values.list && parts.length > 0) throw new UsageError("--list shows all parts; leave out their names.");
	if (parts.length === 0) return showParts(listParts(surroundings), values.json === true);
	const outcomes = await changeParts(parts, surroundings, values.remove === true, signal);
	if (values.json) process.stdout.write(`${JSON.stringify(outcomes)}\n`);
	else for (const { text } of outcomes) process.stdout.write(`${text}\n`);
}

function parsePart(word: string): PartName {
	const part = PART_NAMES.find((name) => name === word);
	if (part !== undefined) return part;
	throw new UsageError(`There is no part ${JSON.stringify(word)}. ${suggestWord(word, PART_NAMES, "Parts")}`);
}

interface Outcome {
	readonly part: PartName;
	readonly outcome: "installed" | "already" | "removed" | "absent";
	readonly text: string;
}

/** One after the other: npm is busy enough with each. */
async function changeParts(
	parts: readonly PartName[],
	surroundings: Surroundings,
	isRemoval: boolean,
	signal: AbortSignal,
): Promise<readonly Outcome[]> {
	const outcomes: Outcome[] = [];
	for (const part of new Set(parts))
		outcomes.push(
			isRemoval ? remove(part, surroundings) : await installAndReport(part, surroundings, signal),
		);
	return outcomes;
}

async function installAndReport(
	part: PartName,
	surroundings: Surroundings,
	signal: AbortSignal,
): Promise<Outcome> {
	const find = (): PartState | undefined => listParts(surroundings).find(({ name }) => name === part);
	const size = find()?.bytes ?? 0;
	process.stderr.write(`deputize setup: ${part}${size > 0 ? ` (${renderMegabytes(size)} on disk)` : ""}…\n`);
	const outcome = await installPart(part, surroundings, signal);
	const directory = find()?.directory;
	return {
		part,
		outcome,
		text: `${part}: ${outcome === "already" ? "already here," : "installed"} in ${directory}`,
	};
}

function remove(part: PartName, surroundings: Surroundings): Outcome {
	const wasThere = removePart(part, surroundings);
	const left = listParts(surroundings).find(({ name, state }) => name === part && state === "beside");
	const note = left ? `; the one in ${left.directory} was not installed by setup and stays` : "";
	return wasThere
		? { part, outcome: "removed", text: `${part}: removed${note}` }
		: { part, outcome: "absent", text: `${part}: was not installed by setup${note}` };
}

function showParts(parts: readonly PartState[], isJson: boolean): void {
	if (isJson) {
		process.stdout.write(`${JSON.stringify(parts, undefined, 2)}\n`);
		return;
	}
	const report = {
		title: "Optional parts",
		sections: [{ heading: "", lines: parts.map(describePart) }],
		data: parts,
	};
	process.stdout.write(`${renderForTerminal(report).replaceAll(/\n+/g, "\n")}\n`);
}
