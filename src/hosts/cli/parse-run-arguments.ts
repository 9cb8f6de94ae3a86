import { parseArgs } from "node:util";

export interface RunArguments {
	readonly agent: string;
	/** `-` means that the task comes from stdin. */
	readonly task: string;
	readonly session?: string;
	readonly cwd?: string;
	readonly model?: string;
	readonly runtime?: "pi" | "loop";
	readonly agentsDirectories: readonly string[];
	readonly timeoutMs?: number;
	readonly idleTimeoutMs?: number;
	readonly offline: boolean;
	readonly output: "text" | "json" | "stream" | "dry-run";
	readonly quiet: boolean;
}

/** A command line that cannot be understood. The message says what to type instead. */
export class UsageError extends Error {}

const OPTIONS = {
	session: { type: "string" },
	cwd: { type: "string" },
	model: { type: "string" },
	runtime: { type: "string" },
	"agents-dir": { type: "string", multiple: true },
	"timeout-ms": { type: "string" },
	"idle-timeout-ms": { type: "string" },
	offline: { type: "boolean" },
	json: { type: "boolean" },
	stream: { type: "boolean" },
	"dry-run": { type: "boolean" },
	quiet: { type: "boolean" },
	help: { type: "boolean", short: "h" },
} as const;

/** Undefined when help was asked for. */
export function parseRunArguments(argv: readonly string[]): RunArguments | undefined {
	const { values, positionals } = readOptions(argv);
	if (values.help) return undefined;
	const [agent, ...words] = positionals;
	if (agent === undefined)
		throw new UsageError('Which agent, and what shall it do? Try: deputize run explorer "Where is …?"');
	if (words.length === 0)
		throw new UsageError(`What shall ${agent} do? Try: deputize run ${agent} "Where is …?"`);
	const timeoutMs = readMilliseconds(values["timeout-ms"], "--timeout-ms");
	const idleTimeoutMs = readMilliseconds(values["idle-timeout-ms"], "--idle-timeout-ms");
	const runtime = readRuntime(values.runtime);
	return {
		agent,
		task: words.join(" "),
		...(values.session === undefined ? {} : { session: values.session }),
		...(values.cwd === undefined ? {} : { cwd: values.cwd }),
		...(values.model === undefined ? {} : { model: values.model }),
		...(runtime === undefined ? {} : { runtime }),
		agentsDirectories: values["agents-dir"] ?? [],
		...(timeoutMs === undefined ? {} : { timeoutMs }),
		...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
		offline: values.offline ?? false,
		output: readOutput(values),
		quiet: values.quiet ?? false,
	};
}

function readOptions(argv: readonly string[]) {
	try {
		return parseArgs({ args: protectTask(argv), options: OPTIONS, allowPositionals: true, strict: true });
	} catch (error) {
		throw new UsageError(error instanceof Error ? error.message : String(error));
	}
}

/**
 * A lone `-` and a task that starts with a dash are words, not options: `run reviewer "- check this"`. Anything
 * with a space in it cannot be an option of ours.
 */
function protectTask(argv: readonly string[]): string[] {
	const marker = argv.findIndex(
		(word) => word.startsWith("-") && /\s/.test(word) && !/^--[a-z-]+=/.test(word),
	);
	if (marker === -1 || argv.includes("--")) return [...argv];
	const task = argv[marker] ?? "";
	return [...argv.slice(0, marker), ...argv.slice(marker + 1), "--", task];
}

function readMilliseconds(value: string | undefined, name: string): number | undefined {
	if (value === undefined) return undefined;
	const number = Number(value);
	if (Number.isSafeInteger(number) && number > 0) return number;
	throw new UsageError(`${name} takes a whole number of milliseconds above 0, not ${JSON.stringify(value)}.`);
}

function readRuntime(value: string | undefined): "pi" | "loop" | undefined {
	if (value === undefined || value === "pi" || value === "loop") return value;
	throw new UsageError(`--runtime takes pi or loop, not ${JSON.stringify(value)}.`);
}

function readOutput(values: {
	json?: boolean;
	stream?: boolean;
	"dry-run"?: boolean;
}): RunArguments["output"] {
	const chosen = (["json", "stream", "dry-run"] as const).filter((name) => values[name]);
	if (chosen.length > 1)
		throw new UsageError(`Choose one of ${chosen.map((name) => `--${name}`).join(" and ")}.`);
	return chosen[0] ?? "text";
}
