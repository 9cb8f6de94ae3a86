import { resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import type { DelegationResult } from "../../contract/result.ts";
import { delegate } from "../../delegation/delegate.ts";
import type { DelegateOptions } from "../../delegation/delegation-context.ts";
import { describeDelegation } from "../../delegation/describe-delegation.ts";
import { HELP } from "./help.ts";
import { parseRunArguments, type RunArguments, UsageError } from "./parse-run-arguments.ts";
import { createProgress } from "./show-progress.ts";
import { showResult, toJsonResult } from "./show-result.ts";
import { watchInterrupts } from "./watch-interrupts.ts";

/** `deputize run`: one delegation. Returns the exit code. */
export async function runAgentCommand(argv: readonly string[]): Promise<number> {
	try {
		const args = parseRunArguments(argv);
		if (!args) {
			process.stdout.write(HELP);
			return 0;
		}
		return args.output === "dry-run" ? await showPlan(args) : await run(args);
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		process.stderr.write(`deputize: ${error.message}\n`);
		return 2;
	}
}

async function run(args: RunArguments): Promise<number> {
	const request = await readRequest(args);
	const interrupts = watchInterrupts((line) => progress.note(line));
	const progress = createProgress({ agent: args.agent, stream: process.stderr, quiet: args.quiet });
	try {
		const result = await delegate(request, {
			...toOptions(args),
			signal: interrupts.signal,
			onNotice: (line) => progress.note(line),
			onUpdate(update) {
				progress.show(update);
				if (args.output === "stream") writeLine({ type: "update", ...update });
			},
		});
		progress.finish(result);
		if (args.output === "stream") writeLine({ type: "result", ...toJsonResult(result) });
		else if (args.output === "json") writeLine(toJsonResult(result));
		else showResult(result);
		return interrupts.exitCode() ?? toExitCode(result);
	} finally {
		progress.clear();
		interrupts.stop();
	}
}

async function showPlan(args: RunArguments): Promise<number> {
	const description = await describeDelegation(await readRequest(args), toOptions(args));
	process.stdout.write(`${JSON.stringify(description, undefined, 2)}\n`);
	return "error" in description ? 2 : 0;
}

async function readRequest(args: RunArguments): Promise<Record<string, string>> {
	const task = args.task === "-" ? await readAll(process.stdin) : args.task;
	return { agent: args.agent, task, ...(args.session === undefined ? {} : { sessionId: args.session }) };
}

function toOptions(args: RunArguments): DelegateOptions {
	const { agentsDirectories, model, runtime, timeoutMs, idleTimeoutMs, offline } = args;
	return {
		cwd: resolve(args.cwd ?? "."),
		agentsDirectories: agentsDirectories.map((directory) => resolve(directory)),
		offline,
		...(model === undefined ? {} : { model }),
		...(runtime === undefined ? {} : { runtime }),
		...(timeoutMs === undefined ? {} : { timeoutMs }),
		...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
	};
}

const USAGE_CODES = ["INVALID_INPUT", "UNKNOWN_AGENT"];

function toExitCode(result: DelegationResult): number {
	if (!result.isError) return 0;
	return USAGE_CODES.includes(result.details.error?.code ?? "") ? 2 : 1;
}

function writeLine(value: unknown): void {
	process.stdout.write(`${JSON.stringify(value)}\n`);
}
