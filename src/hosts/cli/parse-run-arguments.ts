import { parseArgs } from "node:util";
import { MAX_TIMEOUT_MS } from "../../contract/limits.ts";
import { UsageError } from "./usage-error.ts";

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
	const parts = splitArguments(argv);
	const values = readOptions(parts.options);
	if (values.help) return undefined;
	const [agent, ...words] = parts.words;
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
		return parseArgs({ args: [...argv], options: OPTIONS, strict: true }).values;
	} catch (error) {
		throw new UsageError(error instanceof Error ? error.message : String(error));
	}
}

/** Options may stand anywhere between the words of a task, which keep their order. After `--` all are words. */
function splitArguments(argv: readonly string[]): { options: readonly string[]; words: readonly string[] } {
	const options: string[] = [];
	const words: string[] = [];
	const rest = [...argv];
	for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
		if (word === "--") words.push(...rest.splice(0));
		else if (isOption(word)) options.push(word, ...(takesValue(word) ? rest.splice(0, 1) : []));
		else words.push(word);
	}
	return { options, words };
}

/**
 * A lone `-` and a task that starts with a dash are words: `run reviewer "- check this"`. Anything with a space in it
 * cannot be an option of ours, unless the space is in its value.
 */
function isOption(word: string): boolean {
	return word.startsWith("-") && word !== "-" && (!/\s/.test(word) || /^--[a-z-]+=/.test(word));
}

function takesValue(word: string): boolean {
	const known: Readonly<Record<string, { readonly type: string }>> = OPTIONS;
	return known[word.slice(2)]?.type === "string";
}

function readMilliseconds(value: string | undefined, name: string): number | undefined {
	if (value === undefined) return undefined;
	const number = Number(value);
	if (Number.isSafeInteger(number) && number > 0 && number <= MAX_TIMEOUT_MS) return number;
	throw new UsageError(
		`${name} takes a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}, not ${JSON.stringify(value)}.`,
	);
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
