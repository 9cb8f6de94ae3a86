import { addAbortSignal } from "node:stream";
import { defined } from "@deputize/ground";
import { BatchError } from "../../batch/batch-error.ts";
import type { BatchEstimate } from "../../batch/batch-estimate.ts";
import { nameBatchFiles } from "../../batch/batch-files.ts";
import type { BatchProgress } from "../../batch/batch-progress.ts";
import type { BatchRecord } from "../../batch/batch-record.ts";
import type { TaskRequest } from "../../batch/build-batch-tasks.ts";
import { estimateBatch } from "../../batch/estimate-batch.ts";
import { fillTemplate } from "../../batch/input/fill-template.ts";
import { readBatchRows } from "../../batch/input/read-batch-rows.ts";
import { checkQueueAddress } from "../../batch/queue/open-queue-backend.ts";
import { runBatch } from "../../batch/run-batch.ts";
import { askYesNo } from "./ask-line.ts";
import { checkDirectory } from "./check-directory.ts";
import { type BatchArguments, parseBatchArguments } from "./parse-batch-arguments.ts";
import { type BatchSummary, renderBatchSummary, renderEstimate } from "./render-batch.ts";
import { runOnFinish } from "./run-on-finish.ts";
import { createBatchDisplay } from "./show-batch-progress.ts";
import { showError } from "./show-error.ts";
import { showRefusals } from "./show-refusals.ts";
import { toDelegateOptions } from "./to-delegate-options.ts";
import { UsageError } from "./usage-error.ts";
import { watchInterrupts } from "./watch-interrupts.ts";

/** `deputize batch`: many delegations, or a word to a batch that runs. Returns the exit code. */
export async function runBatchCommand(argv: readonly string[]): Promise<number> {
	let hasQueue = false;
	const run = async (): Promise<number> => {
		const args = parseBatchArguments(argv);
		hasQueue = args.queue !== undefined;
		if (args.kind !== "run") return (await import("./batch-control-command.ts")).runBatchControl(args);
		return args.dryRun ? showEstimate(args) : runAll(args);
	};
	const code = await showRefusals("deputize batch", run, [UsageError, BatchError]);
	// The connection to a server that is gone would go on trying.
	return hasQueue ? process.exit(code) : code;
}

async function* readRequests(args: BatchArguments, signal?: AbortSignal): AsyncGenerator<TaskRequest> {
	const rows = readBatchRows(args.input, {
		cwd: checkDirectory("--cwd", args.cwd ?? "."),
		env: process.env,
		stdin: signal && args.input === "-" ? addAbortSignal(signal, process.stdin) : process.stdin,
		say: (line) => showError("deputize batch", line),
		format: args.format,
	});
	let count = 0;
	for await (const row of rows) {
		signal?.throwIfAborted();
		count += 1;
		const task = fillTemplate(args.template, row);
		yield { agent: args.agent, task, id: row.id, fingerprint: row.fingerprint, input: row.fields };
	}
	if (count === 0)
		throw new UsageError(`${args.input === "-" ? "stdin" : args.input} has no rows: nothing to do.`);
}

async function runAll(args: BatchArguments): Promise<number> {
	if (args.queue !== undefined) checkQueueAddress(args.queue);
	const display = createBatchDisplay(process.stderr, args.quiet);
	const interrupts = watchInterrupts(
		() => display.note("Interrupted: finishing what runs. Once more to stop it."),
		() => display.note("Stopping what runs…"),
	);
	const [drain, signal] = interrupts.signals;
	const failures: Record<string, number> = {};
	try {
		const batch = runBatch(readRequests(args, drain), {
			...args,
			confirm: (estimate) => confirmBatch(estimate, args, display, drain),
			delegate: toDelegateOptions(args),
			drain,
			signal,
			onProgress: display.show,
			onNotice: display.note,
		});
		for await (const record of batch) countFailureKind(record, failures);
		display.clear();
		const summary = toSummary(batch.progress(), args, failures);
		process.stdout.write(`${args.json ? JSON.stringify(summary) : renderBatchSummary(summary)}\n`);
		const code = interrupts.exitCode() ?? toBatchExitCode(summary);
		if (args.onFinish !== undefined) await runOnFinish(args.onFinish, summary, code, display.note);
		return code;
	} catch (error) {
		const code = interrupts.exitCode();
		// Somebody who is asked for rows may leave without having given any.
		if (code === undefined || !(error instanceof Error && error.name === "AbortError")) throw error;
		return code;
	} finally {
		display.clear();
		interrupts.stop();
	}
}

function countFailureKind({ error }: BatchRecord, failures: Record<string, number>): void {
	if (error === undefined) return;
	const kind = error.cause === undefined ? error.code : `${error.code} (${error.cause.kind})`;
	failures[kind] = (failures[kind] ?? 0) + 1;
}

function toSummary(
	progress: BatchProgress,
	args: BatchArguments,
	failures: Readonly<Record<string, number>>,
): BatchSummary {
	const { total, done, failed, finishedNow, costUsd, spentUsd, startedAt, stopped } = progress;
	const missing = total - done - failed;
	return defined({
		total,
		done,
		failed,
		missing,
		finishedNow,
		costUsd,
		spentUsd,
		durationMs: Date.now() - startedAt,
		output: args.output,
		failedOutput: failed > 0 ? nameBatchFiles(args.output).failed : undefined,
		// What was asked to stop may have been the last task.
		stopped: missing > 0 ? stopped : undefined,
		failures,
	});
}

/** Says what is to come, and asks when it is dear and somebody can answer. */
async function confirmBatch(
	estimate: BatchEstimate,
	{ askAboveUsd, input }: BatchArguments,
	display: ReturnType<typeof createBatchDisplay>,
	signal: AbortSignal,
): Promise<boolean> {
	const costUsd = estimate.costUsd ?? estimate.atLeastUsd;
	if (costUsd === undefined || costUsd === 0) return true;
	const line = renderEstimate(estimate, costUsd);
	const canAsk = input !== "-" && process.stdin.isTTY && process.stderr.isTTY;
	if (costUsd <= askAboveUsd || !canAsk) {
		display.note(line);
		return true;
	}
	return askYesNo(`${line} Start? [y/N] `, { input: process.stdin, output: process.stderr, signal });
}

function toBatchExitCode({ failed, stopped }: BatchSummary): number {
	if (stopped !== undefined) return 3;
	return failed > 0 ? 1 : 0;
}

async function showEstimate(args: BatchArguments): Promise<number> {
	const estimate = await estimateBatch(readRequests(args), { ...args, delegate: toDelegateOptions(args) });
	process.stdout.write(`${JSON.stringify(estimate, undefined, 2)}\n`);
	return 0;
}
