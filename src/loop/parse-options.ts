import { isTimeout } from "../contract/is-timeout.ts";
import { MAX_TIMEOUT_MS } from "../contract/limits.ts";
import { badInput, type LoopError } from "./loop-error.ts";

export interface ProgramOptions {
	readonly plain: boolean;
	/** Say on stderr what was changed in a request, and why. */
	readonly verbose: boolean;
	readonly timeoutMs: number;
	readonly idleTimeoutMs: number;
	readonly help: boolean;
	/** For our own runtime: one payload a line, one after the other, until stdin ends. */
	readonly inTurn: boolean;
}

export const EXEC_USAGE = `deputize exec [--plain] [--timeout-ms N] [--idle-timeout-ms N] [--verbose]

Reads one JSON payload from stdin, asks the model it names, runs the tools it is granted, and writes the answer
to stdout as server-sent events, or with --plain as text followed by a line that says DONE.

  --plain               text instead of events
  --timeout-ms N        end after N milliseconds (default 900000)
  --idle-timeout-ms N   end when the provider is silent for N milliseconds (default 120000)
  --verbose             say on stderr what was changed in a request that the provider refused
`;

const DEFAULT_TIMEOUT_MS = 900_000;
const DEFAULT_IDLE_TIMEOUT_MS = 120_000;

export function parseOptions(args: readonly string[]): ProgramOptions {
	const options = {
		plain: false,
		verbose: false,
		help: false,
		inTurn: false,
		timeoutMs: DEFAULT_TIMEOUT_MS,
		idleTimeoutMs: DEFAULT_IDLE_TIMEOUT_MS,
	};
	const rest = args.flatMap((arg) => (/^--[\w-]+=/.test(arg) ? splitAssignment(arg) : [arg]));
	while (rest.length > 0) {
		const name = rest.shift() ?? "";
		if (name === "--plain") options.plain = true;
		else if (name === "--verbose") options.verbose = true;
		else if (name === "--in-turn") options.inTurn = true;
		else if (name === "--help" || name === "-h") options.help = true;
		else if (name === "--timeout-ms") options.timeoutMs = takeTimeout(name, rest.shift());
		else if (name === "--idle-timeout-ms") options.idleTimeoutMs = takeTimeout(name, rest.shift());
		else throw badOption(explainUnknown(name));
	}
	return options;
}

function explainUnknown(word: string): string {
	return word.startsWith("-")
		? `there is no option ${word}`
		: `${JSON.stringify(word)} is not an option, and everything else is read as JSON from stdin`;
}

function splitAssignment(arg: string): readonly string[] {
	const at = arg.indexOf("=");
	return [arg.slice(0, at), arg.slice(at + 1)];
}

function takeTimeout(name: string, text: string | undefined): number {
	const value = Number(text);
	if (isTimeout(value)) return value;
	throw badOption(
		`${name} takes a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}, not ${text ?? "nothing"}`,
	);
}

function badOption(problem: string): LoopError {
	return badInput("invalid_option", `deputize exec: ${problem}. See deputize exec --help.`);
}
