import { once } from "node:events";
import {
	codeOf,
	findProject,
	finishSteps,
	RefusedPathError,
	readPart,
	writeAtomically,
} from "@deputize/ground";
import { createCommandContext } from "../../commands/command-context.ts";
import { readRuns } from "../../runs/read-runs.ts";
import type { RunSummary } from "../../runs/run-summary.ts";
import type { CommandHelp } from "./command-row.ts";
import { flag, option, parseCommandLine, parsePositiveNumber } from "./parse-command-line.ts";
import { selectNamedRun } from "./show-command.ts";
import { showRefusals } from "./show-refusals.ts";
import { UsageError } from "./usage-error.ts";
import { watchInterrupts } from "./watch-interrupts.ts";

const MAX_PORT = 65_535;
const MAX_HEAD_BYTES = 1024;
const OPTIONS = {
	port: option("n", "listen there; without it, on a port that is free"),
	export: option(
		"file",
		"write one run as an HTML file instead, by default the newest; no other file is replaced",
	),
	json: flag("print the address, or the run and its file, as a line of JSON"),
};

export const VIEW_HELP: CommandHelp = {
	usage: ["view [--port N]", "view [<run or session>] --export run.html"],
	examples: [
		["deputize view", "print an address on this machine; Ctrl-C closes the page"],
		["deputize view 3f2a91c0 --export run.html", "a file that somebody else can open"],
	],
	options: OPTIONS,
	notes:
		"The address contains a token and opens the page once, in one browser; whoever is first can read your runs. Nothing can be changed from the page.",
};

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
	EACCES: "ports below 1024 are the system's; choose a higher one, or leave out --port",
	EADDRINUSE: "another program has it; choose another, or leave out --port",
};

/** `deputize view`: the page of runs and batches on loopback, or one run as a file. */
export function runViewCommand(argv: readonly string[]): Promise<number> {
	return showRefusals("deputize view", () => {
		const { values, positionals } = parseCommandLine(argv, OPTIONS, { allowPositionals: true });
		if (values.export !== undefined) return writeExport(values.export, positionals, values.json === true);
		if (positionals.length > 0) throw new UsageError("A run is named together with --export.");
		const port = parsePositiveNumber(values.port, "--port", { max: MAX_PORT, isWhole: true });
		return serve(port, values.json === true);
	});
}

async function serve(port: number | undefined, isJson: boolean): Promise<number> {
	const { openViewServer } = await import("../../viewer/open-view-server.ts");
	const { surroundings } = createCommandContext({ cwd: process.cwd() });
	const interrupts = watchInterrupts(() => undefined);
	const stopped = once(interrupts.signals[0], "abort");
	const server = await openViewServer({ surroundings, port }).catch((error: unknown) => {
		interrupts.stop();
		const why = LISTEN_PROBLEMS[codeOf(error)];
		if (why === undefined) throw error;
		throw new UsageError(`The page cannot listen on port ${port ?? "any"} (${codeOf(error)}): ${why}.`);
	});
	try {
		const address = server.createAddress();
		process.stdout.write(`${isJson ? JSON.stringify({ address }) : address}\n`);
		process.stderr.write("Open it in a browser on this machine. Ctrl-C closes it.\n");
		await stopped;
		return interrupts.exitCode() ?? 0;
	} finally {
		await server.close();
		interrupts.stop();
	}
}

async function writeExport(file: string, words: readonly string[], isJson: boolean): Promise<number> {
	const context = createCommandContext({ cwd: process.cwd() });
	const run =
		words.length > 0
			? selectNamedRun("view", words, context)
			: newestRun(context.surroundings.agentDirectory);
	const { readRunDetail } = await import("../../runs/read-run-detail.ts");
	const { readPageAssets } = await import("../../viewer/page-assets.ts");
	const { MADE_BY_US, renderExport } = await import("../../viewer/render-document.ts");
	const detail = finishSteps(readRunDetail(context.surroundings, run.runId));
	if (detail === undefined) throw new UsageError(`Nothing was kept of the run ${run.runId}.`);
	const there = readPart(file, () => ({ offset: 0, maxBytes: MAX_HEAD_BYTES }));
	// An earlier export may be replaced; any other file is somebody's work.
	const isNew = there?.bytes.includes(MADE_BY_US) !== true;
	try {
		const tree = findProject(process.cwd(), context.surroundings.home);
		writeAtomically(file, renderExport(detail, readPageAssets()), { isNew, tree });
	} catch (error) {
		if (error instanceof RefusedPathError) throw new UsageError(error.message);
		throw new UsageError(
			`${file} cannot be written (${codeOf(error)}). Correct the permissions there or choose another file.`,
		);
	}
	if (isJson) process.stdout.write(`${JSON.stringify({ runId: run.runId, agent: run.agent, file })}\n`);
	else process.stderr.write(`Wrote ${run.agent} ${run.runId} to ${file}.\n`);
	return 0;
}

function newestRun(agentDirectory: string): RunSummary {
	const [run] = readRuns(agentDirectory);
	if (run === undefined) throw new UsageError("There is no run yet.");
	return run;
}
