import { join } from "node:path";
import { permissionFlag } from "../../contract/node-version.ts";
import { locateEntryPoint } from "../../entry-points.ts";
import { defined } from "../../json/defined.ts";
import { locatePart } from "../../parts/locate-part.ts";
import type { CommandEnding } from "../../process/run-command.ts";
import { type Peer, startPeer } from "../../process/start-peer.ts";
import { watchMemory } from "../../process/watch-memory.ts";
import { MAX_PYTHON_OUTPUT_BYTES } from "./python-limits.ts";
import type { PythonJob } from "./run-python-in-bubblewrap.ts";

/** What the engine itself takes before any code runs, beside the limit given to the code. */
const ENGINE_MEMORY_MB = 400;
/** Loading takes seconds, many on a busy machine, and is not taken from the time of the code. */
const LOADING_MS = 120_000;
const STOP_GRACE_MS = 200;

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
	const peer = startPeer({
		command: process.execPath,
		args: buildNodeArguments(directory, job),
		cwd: directory,
		env: {},
	});
	peer.stdin.on("error", () => undefined);
	peer.stdin.end(JSON.stringify({ code: job.code, marker: job.marker }));
	const { reason, stdout } = await supervise(peer, job);
	const { exitCode, signal, message } = await peer.stop(STOP_GRACE_MS);
	return {
		reason: message === undefined ? reason : "spawn-error",
		exitCode,
		signal,
		stdout: stdout(),
		stderr: peer.stderrTail(),
		...defined({ message }),
	};
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

interface Supervised {
	readonly reason: CommandEnding["reason"];
	readonly stdout: () => Buffer;
}

/** Resolves with the first reason to end; the child may still be running then. */
function supervise(peer: Peer, job: PythonJob): Promise<Supervised> {
	return new Promise((resolve) => {
		const ready = Buffer.from(`${job.marker}ready\n`);
		let output = Buffer.alloc(0);
		let isReady = false;
		let timer = setTimeout(() => end("timeout"), LOADING_MS);
		const unwatch = watchMemory(peer.pid, job.memoryMb + ENGINE_MEMORY_MB, () => end("memory-limit"));
		const onAbort = () => end("aborted");
		job.signal.addEventListener("abort", onAbort, { once: true });
		if (job.signal.aborted) end("aborted");

		function end(reason: Supervised["reason"]): void {
			clearTimeout(timer);
			unwatch();
			job.signal.removeEventListener("abort", onAbort);
			resolve({ reason, stdout: () => output });
		}
		peer.stdout.on("data", (chunk: Buffer) => {
			if (output.length > MAX_PYTHON_OUTPUT_BYTES) return;
			output = Buffer.concat([output, chunk]);
			if (!isReady && output.indexOf(ready) === 0) {
				isReady = true;
				output = output.subarray(ready.length);
				clearTimeout(timer);
				timer = setTimeout(() => end("timeout"), job.timeoutMs);
			}
			if (output.length > MAX_PYTHON_OUTPUT_BYTES) {
				output = output.subarray(0, MAX_PYTHON_OUTPUT_BYTES);
				end("output-limit");
			}
		});
		void peer.ended.then(() => end("exit"));
	});
}
