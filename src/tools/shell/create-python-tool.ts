import { randomUUID } from "node:crypto";
import { asText, defined, type Environment, parseJsonObject, ToolError } from "@deputize/ground";
import { answerAsJson } from "../../contract/answer-as-json.ts";
import { parseToolInput } from "../../contract/parse-tool-input.ts";
import type { HostNeutralTool, MissingTool, ToolOutcome } from "../../contract/tool.ts";
import type { CommandEnding } from "../../process/run-command.ts";
import { probeSandbox } from "../../sandbox/probe-sandbox.ts";
import { MECHANISM } from "../../sandbox/wrap.ts";
import { MAX_PYTHON_CODE_CHARS, parseMemory, parseSeconds } from "./python-limits.ts";
import { findPython, type PythonJob, runPython } from "./run-python.ts";

const DEFAULT_MEMORY = "512m";
const DEFAULT_TIMEOUT_SECONDS = 30;
const NEVER_WITHOUT = `Python is never run without a sandbox: install ${MECHANISM.packageName} and python3 (Linux).`;

const PARAMETERS = {
	type: "object",
	properties: {
		code: { type: "string", description: "The program." },
		mem: { type: "string", description: `Memory limit (default "${DEFAULT_MEMORY}").` },
		timeout: { type: "number", description: `Seconds (default ${DEFAULT_TIMEOUT_SECONDS}).` },
	},
	required: ["code"],
	additionalProperties: false,
} as const;

/** Python for a model, in a sandbox that leaves it nothing but itself. Where there is none, there is no tool. */
export async function createPythonTool(place: {
	readonly env: Environment;
	/** Where it is kept what works on this machine. */
	readonly agentDirectory?: string;
}): Promise<HostNeutralTool | MissingTool> {
	const python = findPython();
	const probe = await probeSandbox(place);
	if (python === undefined) return { missing: `${NEVER_WITHOUT} There is no python3 of the system here.` };
	if (!probe.works) return { missing: `${NEVER_WITHOUT} ${probe.reason}` };
	const { sandbox } = probe;
	if (!sandbox.hasSizes || !sandbox.hasFilter)
		return { missing: `${NEVER_WITHOUT} ${sandbox.program} or the kernel here is too old to limit it.` };
	return {
		name: "python_execute",
		label: "Python",
		description:
			"Run Python 3 code with the standard library in a sandbox: no network, no access to files of this machine, nothing is kept between calls. Returns stdout, stderr and the value of the last expression.",
		parameters: PARAMETERS,
		execute: (input, context) =>
			answerAsJson(async () => {
				const {
					code,
					mem = DEFAULT_MEMORY,
					timeout = DEFAULT_TIMEOUT_SECONDS,
				} = parseToolInput(input, PARAMETERS);
				if (code.length > MAX_PYTHON_CODE_CHARS) throw new ToolError("INVALID_INPUT", "code is too long");
				const job = {
					code,
					marker: `deputize-${randomUUID()}:`,
					memoryMb: parseMemory(mem),
					timeoutMs: parseSeconds(timeout),
					signal: context.signal,
				};
				return toPythonReply(await runPython(python, sandbox, job), job, sandbox.mechanism);
			}),
	};
}

function toPythonReply(ending: CommandEnding, job: PythonJob, confinement: string): ToolOutcome {
	const output = ending.stdout.toString("utf8");
	const at = output.lastIndexOf(`\n${job.marker}`);
	const stdout = at < 0 ? output : output.slice(0, at);
	const result = at < 0 ? "" : parseResult(output.slice(at + 1 + job.marker.length));
	const problem = describeCodeEnding(ending, job);
	const fields = defined({ stdout, stderr: ending.stderr, result, confinement, error: problem });
	return { text: JSON.stringify(fields), details: fields, isError: problem !== undefined };
}

function parseResult(text: string): string {
	return asText(parseJsonObject(text)?.["result"]);
}

function describeCodeEnding(ending: CommandEnding, job: PythonJob): string | undefined {
	if (ending.reason === "timeout")
		return `The code did not finish within ${job.timeoutMs / 1000} s and was stopped.`;
	if (ending.reason === "memory-limit")
		return `The code was stopped at the memory limit of ${job.memoryMb} MB.`;
	if (ending.reason === "output-limit") return "The code was stopped because it printed too much.";
	if (ending.reason === "aborted") return "The code was stopped.";
	if (ending.reason === "spawn-error") return `Python did not start: ${ending.message ?? "unknown reason"}`;
	if (ending.exitCode === 0) return undefined;
	return ending.signal === null && ending.exitCode !== null
		? `The code ended with exit code ${ending.exitCode}.`
		: `The code was ended by ${ending.signal ?? "a signal"}.`;
}
