import { existsSync, realpathSync } from "node:fs";
import { type CommandEnding, runCommand } from "../../process/run-command.ts";
import type { Policy } from "../../sandbox/policy.ts";
import type { Sandbox } from "../../sandbox/sandbox-probe.ts";
import { wrap } from "../../sandbox/wrap.ts";
import { MAX_PYTHON_OUTPUT_BYTES, type PythonLimits } from "./python-limits.ts";
import { PYTHON_WRAPPER } from "./python-wrapper.ts";

const MEGABYTE = 1024 * 1024;
const MAX_PROCESSES = 32;
/** Files written there are memory too. */
const MAX_TEMPORARY_MB = 64;
const SYSTEM_PYTHONS = ["/usr/bin/python3", "/usr/local/bin/python3"];

export interface PythonJob extends PythonLimits {
	readonly code: string;
	readonly marker: string;
	readonly signal: AbortSignal;
}

/** The system's own: others may need files that the sandbox does not show. */
export function findPython(): string | undefined {
	return SYSTEM_PYTHONS.find((path) => existsSync(path) && realpathSync(path).startsWith("/usr/"));
}

export async function runPython(python: string, sandbox: Sandbox, job: PythonJob): Promise<CommandEnding> {
	const policy: Policy = {
		...{ view: "nothing", network: "none", calls: "own-counted", cwd: "/tmp" },
		memory: Math.min(job.memoryMb, MAX_TEMPORARY_MB) * MEGABYTE,
		environment: { HOME: "/tmp", PATH: "/usr/bin:/bin", LANG: "C.UTF-8" },
		isNobody: true,
	};
	const command = { command: python, args: ["-I", "-X", "utf8", "-c", PYTHON_WRAPPER] };
	return await runCommand({
		...wrap(command, policy, sandbox),
		cwd: "/",
		env: {},
		input: JSON.stringify({
			code: job.code,
			marker: job.marker,
			memory: job.memoryMb * MEGABYTE,
			seconds: Math.ceil(job.timeoutMs / 1000) + 1,
			processes: MAX_PROCESSES,
		}),
		timeoutMs: job.timeoutMs,
		signal: job.signal,
		maxStdoutBytes: MAX_PYTHON_OUTPUT_BYTES,
		maxStderrBytes: 64 * 1024,
		// Of all its processes together; the interpreter's own limit is for each of them.
		maxRssMb: job.memoryMb + 64,
	});
}
