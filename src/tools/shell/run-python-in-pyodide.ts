import { createRequire } from "node:module";
import { dirname, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { type CommandEnding, runCommand } from "../../process/run-command.ts";
import { MAX_PYTHON_OUTPUT_BYTES } from "./python-limits.ts";
import type { PythonJob } from "./run-python-in-bubblewrap.ts";

/** What the engine itself takes before any code runs, beside the limit given to the code. */
const ENGINE_MEMORY_MB = 400;
/** Loading takes seconds, more on a busy machine, and must not be taken from the time of the code. */
const LOADING_MS = 15_000;

export interface PyodideInstallation {
	readonly directory: string;
}

export function findPyodide(): PyodideInstallation | undefined {
	try {
		return { directory: dirname(createRequire(import.meta.url).resolve("pyodide/package.json")) };
	} catch {
		return undefined;
	}
}

/**
 * Pyodide alone is no sandbox: code reaches everything Node can do. So it runs in a child without any environment,
 * that may read only pyodide itself, may not start programs, and cannot make code from text; see `pyodide-child.ts`
 * for what is taken away inside. A new child for each call.
 */
export async function runPythonInPyodide(found: PyodideInstallation, job: PythonJob): Promise<CommandEnding> {
	const program = fileURLToPath(new URL(`./pyodide-child${extname(import.meta.url)}`, import.meta.url));
	return await runCommand({
		command: process.execPath,
		args: [
			"--permission",
			`--allow-fs-read=${found.directory}/*`,
			`--allow-fs-read=${program}`,
			"--disallow-code-generation-from-strings",
			"--no-warnings",
			`--max-old-space-size=${job.memoryMb}`,
			program,
			found.directory,
		],
		cwd: found.directory,
		env: {},
		input: JSON.stringify({
			code: job.code,
			marker: job.marker,
			memory: job.memoryMb * 1024 * 1024,
			milliseconds: job.timeoutMs,
		}),
		timeoutMs: job.timeoutMs + LOADING_MS,
		signal: job.signal,
		maxStdoutBytes: MAX_PYTHON_OUTPUT_BYTES,
		maxStderrBytes: 64 * 1024,
		maxRssMb: job.memoryMb + ENGINE_MEMORY_MB,
	});
}
