import { defined } from "@deputize/ground";
import { readSurroundings } from "../../config/read-surroundings.ts";
import type { DelegationRequest } from "../../contract/request.ts";
import type { DelegationResult } from "../../contract/result.ts";
import { delegate } from "../../delegation/delegate.ts";
import type { DelegateOptions, DelegationHost } from "../../delegation/delegate-options.ts";
import { describeDelegation } from "../../delegation/describe-delegation.ts";
import { readRunAddress } from "../../viewer/view-address.ts";
import { askAtTerminal } from "./ask-at-terminal.ts";
import { chooseAtTerminal } from "./choose-at-terminal.ts";
import { parseRunArguments, type RunArguments } from "./parse-run-arguments.ts";
import { readTask } from "./read-task.ts";
import { createProgress, type Progress } from "./show-progress.ts";
import { showRefusals } from "./show-refusals.ts";
import { showAnswer, showResult, toSlimResult } from "./show-result.ts";
import { toDelegateOptions } from "./to-delegate-options.ts";
import { UsageError } from "./usage-error.ts";
import { watchInterrupts } from "./watch-interrupts.ts";

/** `deputize run`: one delegation. Returns the exit code. */
export function runAgentCommand(argv: readonly string[]): Promise<number> {
	const run = (): Promise<number> => {
		const args = parseRunArguments(argv);
		return args.output === "dry-run" ? showPlan(args) : runAgent(args);
	};
	return showRefusals("deputize", run, [UsageError]);
}

async function runAgent(args: RunArguments): Promise<number> {
	const options = toOptions(args);
	const request = await readRequest(args);
	const cwd = options.cwd ?? process.cwd();
	const interrupts = watchInterrupts((name) =>
		progress.note(`${name === "SIGINT" ? "Interrupted" : `Got ${name}`}: stopping the child…`),
	);
	const [signal] = interrupts.signals;
	const progress = createProgress({ agent: args.agent, stream: process.stderr, quiet: args.quiet });
	const nameView = createViewNote((line) => progress.note(line));
	let isAnswerShown = false;
	const showFirst = (answer: string): void => {
		if (args.output !== "text") return;
		showAnswer(answer, cwd);
		isAnswerShown = true;
	};
	try {
		const result = await delegate(request, {
			...options,
			host: { ...options.host, ...offerQuestion(args, { cwd, signal, showFirst }, progress) },
			signal,
			onNotice: (line) => progress.note(line),
			onUpdate(update) {
				nameView(update.details.runId);
				progress.show(update);
				if (args.output === "stream") writeLine({ type: "update", ...update });
			},
		});
		progress.finish(result);
		if (args.output === "stream") writeLine({ type: "result", ...result });
		else if (args.output === "json") writeLine(result);
		else if (args.output === "slim") writeLine(toSlimResult(result));
		else showResult(result, cwd, isAnswerShown);
		return interrupts.exitCode() ?? toExitCode(result, args.apply);
	} finally {
		progress.clear();
		interrupts.stop();
	}
}

/** Prints once where the run can be viewed, if a page is open. */
function createViewNote(say: (line: string) => void): (runId: string | undefined) => void {
	let isNamed = false;
	return (runId) => {
		if (isNamed || runId === undefined) return;
		isNamed = true;
		const address = readRunAddress(readSurroundings().agentDirectory, runId);
		if (address !== undefined) say(`Watch it: ${address}`);
	};
}

interface QuestionPlace {
	readonly cwd: string;
	readonly signal: AbortSignal;
	/** Shows what the changes are to be judged by. */
	readonly showFirst: (answer: string) => void;
}

/** If the task was read from stdin, there is no terminal left to answer a question with. */
function offerQuestion(
	args: RunArguments,
	{ showFirst, ...place }: QuestionPlace,
	progress: Progress,
): Pick<DelegationHost, "confirmAgent" | "decideChanges"> {
	if (args.input === "required" || !process.stdin.isTTY || !process.stderr.isTTY) return {};
	const terminal = { ...place, input: process.stdin, output: process.stderr };
	return {
		confirmAgent: (agent, granted) => progress.stepAside(() => askAtTerminal(agent, granted, terminal)),
		decideChanges: (changes, answer) =>
			progress.stepAside(() => {
				showFirst(answer);
				return chooseAtTerminal(changes, terminal);
			}),
	};
}

async function showPlan(args: RunArguments): Promise<number> {
	const options = toOptions(args);
	const description = await describeDelegation(await readRequest(args), options);
	process.stdout.write(`${JSON.stringify(description, undefined, 2)}\n`);
	return "error" in description ? 2 : 0;
}

async function readRequest(args: RunArguments): Promise<DelegationRequest> {
	const words = { words: args.task, input: args.input };
	const task = await readTask(words, process.stdin, { say: (line) => process.stderr.write(`${line}\n`) });
	return defined({ agent: args.agent, task, sessionId: args.session });
}

function toOptions(args: RunArguments): DelegateOptions {
	const { verbose, apply } = args;
	return {
		...toDelegateOptions(args),
		...defined({ verbose: verbose || undefined, applyChanges: apply || undefined }),
	};
}

const USAGE_CODES = ["INVALID_INPUT", "UNKNOWN_AGENT"];

function toExitCode(result: DelegationResult, isToApply: boolean): number {
	const isLeft = isToApply && result.details.changes?.state === "pending";
	if (!result.isError) return isLeft ? 1 : 0;
	return USAGE_CODES.includes(result.details.error?.code ?? "") ? 2 : 1;
}

function writeLine(value: unknown): void {
	process.stdout.write(`${JSON.stringify(value)}\n`);
}
