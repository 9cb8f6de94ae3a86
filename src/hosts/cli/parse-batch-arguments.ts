import { defined, findNearWord } from "@deputize/ground";
import { BATCH_LIMITS } from "../../batch/batch-limits.ts";
import { BATCH_PRIORITIES } from "../../batch/batch-options.ts";
import { CONTROL_WORDS } from "../../batch/batch-state.ts";
import { parseMaxFailures } from "../../batch/create-failure-brake.ts";
import { INPUT_FORMATS } from "../../batch/input/batch-row.ts";
import { parseRate } from "../../batch/parse-rate.ts";
import type { CommandHelp } from "./command-row.ts";
import { DELEGATION_OPTIONS, parseDelegationArguments } from "./delegation-options.ts";
import {
	flag,
	option,
	parseCommandLine,
	parseMilliseconds,
	parsePositiveNumber,
	readChoice,
} from "./parse-command-line.ts";
import { readQueueAddress } from "./read-queue-address.ts";
import { UsageError } from "./usage-error.ts";

export type BatchArguments = ReturnType<typeof toRun>;

export interface BatchControlArguments {
	readonly kind: (typeof WORDS)[number];
	readonly output: string;
	readonly queue?: string;
	readonly json: boolean;
}

const OPTIONS = {
	agent: option("<name>", "who does it", { choices: "agents" }),
	task: option("<text>", 'with {fields} of the input, such as "Review {path}"'),
	output: option("<file>", "results, one JSON line for each task; also the checkpoint", { short: "o" }),
	jobs: option("<n>", "run so many at once (default 4)", { short: "j" }),
	rate: option("<n/unit>", "start at most so many, such as 60/min"),
	"budget-usd": option("<x>", "spend at most this over all runs; reserved before a task starts"),
	"max-usd-per-task": option("<x>", "stop a task that costs more"),
	limit: option("<n>", "start at most n tasks now"),
	sample: option("<n>", "only n tasks, drawn from all of them; the same ones each time"),
	"retry-failed": option(
		"[=<kind|id>]",
		"also run tasks that failed before: all, or these; may be repeated",
		{
			multiple: true,
		},
	),
	retries: option("<n>", "run a task again after network errors, crashes and 5xx (default 2, 0 for never)"),
	"max-failures": option(
		"<n|n%>",
		"stop when more tasks fail; ten in a row for one reason stop it too, unless 100%",
	),
	"ask-above-usd": option("<x>", "at a terminal, ask before a batch that is estimated dearer (default 10)"),
	"on-finish": option("<command>", "run this when the batch has ended, with its summary as JSON on stdin"),
	queue: option(
		"<url>",
		"redis://…, postgres://… or file:PATH with it: workers run the tasks (or DEPUTIZE_QUEUE)",
	),
	priority: option("<low|normal|high>", "which batches of a queue go first (default normal)", {
		choices: BATCH_PRIORITIES,
	}),
	workspace: option("<name>", "what the workers call this directory (default: its name)"),
	format: option("<jsonl|csv|lines>", "when the name of the input does not say", { choices: INPUT_FORMATS }),
	"max-quota-wait-ms": option("<n>", "how long to wait for a provider that refuses (default 3600000)"),
	...DELEGATION_OPTIONS,
	json: flag("print the summary as JSON"),
	"dry-run": flag("check everything, estimate cost and time, start nothing"),
};

const WORDS = [...CONTROL_WORDS, "status", "export"] as const;

export const BATCH_HELP: CommandHelp = {
	usage: [
		'batch <input> --agent A --task "Review {path}" -o out.jsonl [options]',
		"batch status|pause|resume|cancel out.jsonl",
		"batch export out.jsonl --format csv > out.csv",
	],
	examples: [
		['deputize batch "glob:src/**/*.ts" --agent reviewer --task "Review {path}" -o review.jsonl'],
		['deputize batch questions.csv --agent explorer --task "{question}" -o answers.jsonl -j 8'],
		['git diff --name-only main | deputize batch - --agent reviewer --task "Review {line}" -o review.jsonl'],
	],
	options: OPTIONS,
	notes: `Running the same command again continues it.
Input: in.jsonl (any fields), in.csv (the first row names the fields), - for stdin (JSON lines or plain lines, {line}), or
glob:PATTERN ({path}, {name}, {directory}, {extension}). Without --task, each row's field task is the task.
Exit codes: 0 all done, 1 some failed, 2 wrong usage, 3 stopped early (budget, quota, failures, cancel), 130 interrupted.
Ctrl-C once: finish what runs; twice: stop it.`,
	words: WORDS,
};

const MAX_USD = 1_000_000;
const DEFAULT_ASK_ABOVE_USD = 10;

export function parseBatchArguments(argv: readonly string[]): BatchArguments | BatchControlArguments {
	const { values, positionals } = readArguments(argv);
	const [first, second, ...more] = positionals;
	if (first === undefined) {
		throw new UsageError(
			'Missing input. Try: deputize batch "glob:src/**/*.ts" --agent reviewer --task "Review {path}" -o out.jsonl',
		);
	}
	const kind = WORDS.find((word) => word === first);
	const extra = kind === undefined ? [second, ...more] : more;
	const isTooMuch = extra.some((word) => word !== undefined);
	if (kind === undefined && (isTooMuch || values.agent === undefined)) {
		const meant = findNearWord(first, WORDS);
		if (meant !== undefined)
			throw new UsageError(`${JSON.stringify(first)} is not known here. Did you mean ${meant}?`);
	}
	if (isTooMuch) {
		const advice = argv.includes("--retry-failed")
			? `To run only such tasks again: --retry-failed=${extra[0]}`
			: 'Quote a pattern: "glob:src/**/*.ts"';
		throw new UsageError(`A batch takes one input, not also ${JSON.stringify(extra[0])}. ${advice}`);
	}
	const { json = false } = values;
	const queue = readQueueAddress(values.queue);
	if (kind !== undefined) {
		if (second === undefined)
			throw new UsageError(`Missing output file. Try: deputize batch ${kind} out.jsonl`);
		if (kind === "export" && values.format !== "csv")
			throw new UsageError("An output is JSON lines already; --format csv exports it as CSV.");
		return defined({ kind, output: second, queue, json });
	}
	return toRun(first, values, queue);
}

function readArguments(argv: readonly string[]) {
	// Its value may be missing, which `parseArgs` has no word for.
	const spelled = argv.map((word) => (word === "--retry-failed" ? "--retry-failed=" : word));
	return parseCommandLine(spelled, OPTIONS, { allowPositionals: true });
}

type Values = ReturnType<typeof readArguments>["values"];

function toRun(input: string, values: Values, queue: string | undefined) {
	const { agent, output, workspace } = values;
	if (agent === undefined)
		throw new UsageError("Missing agent. Name it with --agent; deputize agents lists them.");
	if (output === undefined) throw new UsageError("Missing output file. Name it with -o out.jsonl.");
	if (values.builtin && queue !== undefined)
		throw new UsageError("--builtin does not go with --queue: the workers choose their agents themselves.");
	if (values.priority !== undefined && queue === undefined)
		throw new UsageError("--priority goes with --queue: it is the workers that choose.");
	const retried = values["retry-failed"];
	const usd = (name: keyof Values & string): number | undefined =>
		parsePositiveNumber(values[name], `--${name}`, { max: MAX_USD, isWhole: false });
	return defined({
		kind: "run" as const,
		input,
		agent,
		template: values.task,
		output,
		format: readChoice(values.format, "--format", INPUT_FORMATS),
		concurrency: parsePositiveNumber(values.jobs, "-j", { max: BATCH_LIMITS.maxConcurrency, isWhole: true }),
		rate: values.rate === undefined ? undefined : parseRate(values.rate),
		budgetUsd: usd("budget-usd"),
		maxUsdPerTask: usd("max-usd-per-task"),
		limit: parsePositiveNumber(values.limit, "--limit", { max: BATCH_LIMITS.maxTasks, isWhole: true }),
		sample: parsePositiveNumber(values.sample, "--sample", { max: BATCH_LIMITS.maxTasks, isWhole: true }),
		retryFailed: retried?.includes("") ? true : (retried ?? false),
		retries:
			values.retries === "0"
				? 0
				: parsePositiveNumber(values.retries, "--retries", { max: BATCH_LIMITS.maxRetries, isWhole: true }),
		maxFailures: values["max-failures"] === undefined ? undefined : parseMaxFailures(values["max-failures"]),
		askAboveUsd: usd("ask-above-usd") ?? DEFAULT_ASK_ABOVE_USD,
		onFinish: values["on-finish"],
		priority: readChoice(values.priority, "--priority", BATCH_PRIORITIES),
		dryRun: values["dry-run"] ?? false,
		queue,
		workspace,
		maxQuotaWaitMs: parseMilliseconds(values["max-quota-wait-ms"], "--max-quota-wait-ms"),
		...parseDelegationArguments(values),
		json: values.json ?? false,
	});
}
