import { join } from "node:path";
import { permissionFlag } from "../../contract/node-version.ts";
import { locateEntryPoint } from "../../entry-points.ts";
import { locatePart } from "../../parts/locate-part.ts";
import { type CommandEnding, runCommand } from "../../process/run-command.ts";
import { MAX_PYTHON_OUTPUT_BYTES } from "./python-limits.ts";
import type { PythonJob } from "./run-python.ts";

/** What the engine itself takes before any code runs, beside the limit given to the code. */
const ENGINE_MEMORY_MB = 400;
/** Loading takes seconds, many on a busy machine, and is not taken from the time of the code. */
const LOADING_MS = 120_000;

/** Its directory, in the part `python`. */
export function findPyodide(agentDirectory?: string): string | undefined {
	const located = locatePart("python", { agentDirectory });
	return located && join(located.modules, "pyodide");
}

/**
 * Pyodide alone is no sandbox: code reaches everything Node can do. So it runs in a child without any environment,
 * that may read only pyodide itself, may not start programs, and cannot make code from text; see `pyodide-child.ts`
 * for what is taken away inside. A new child for each call.
 */
export async function runPythonInPyodide(directory: string, job: PythonJob): Promise<CommandEnding> {
	const ready = `${job.marker}ready\n`;
	const ending = await runCommand({
		command: process.execPath,
		args: buildNodeArguments(directory, job),
		cwd: directory,
		env: {},
		input: JSON.stringify({ code: job.code, marker: job.marker }),
		loading: { endsWith: ready, timeoutMs: LOADING_MS },
		timeoutMs: job.timeoutMs,
		signal: job.signal,
		maxStdoutBytes: ready.length + MAX_PYTHON_OUTPUT_BYTES,
		maxRssMb: job.memoryMb + ENGINE_MEMORY_MB,
	});
	const isReady = ending.stdout.indexOf(ready) === 0;
	return { ...ending, stdout: ending.stdout.subarray(isReady ? ready.length : 0) };
}

function buildNodeArguments(directory: string, job: PythonJob): readonly string[] {
	const program = locateEntryPoint("pyodide-child");
	return [
		permissionFlag(),
		`--allow-fs-read=${directory}/*`,
		`--allow-fs-read=${program}`,
		"--disallow-code-generation-from-strings",
		"--no-warnings",
		`--max-old-space-size=${job.memoryMb}`,
		program,
		directory,
	];
}
