import { cleanOutsideText, defined, toOneLine } from "@deputize/ground";
import { controlBatch } from "../../batch/control-batch.ts";
import { exportBatch } from "../../batch/export-batch.ts";
import type { QueuedStatus } from "../../batch/queue/control-queued-batch.ts";
import { describeClock } from "../../batch/queue/describe-clock.ts";
import { type BatchStatus, readBatchStatus } from "../../batch/read-batch-status.ts";
import { formatCost, formatDuration } from "../../commands/format-figures.ts";
import type { BatchControlArguments } from "./parse-batch-arguments.ts";
import { formatSpeed } from "./render-batch.ts";

/** `deputize batch status|pause|resume|cancel|export out.jsonl`. Returns the exit code. */
export async function runBatchControl(args: BatchControlArguments): Promise<number> {
	if (args.kind === "export") {
		await exportBatch(args.output, (text) =>
			process.stdout.write(process.stdout.isTTY ? cleanOutsideText(text) : text),
		);
		return 0;
	}
	if (args.kind !== "status") {
		process.stdout.write(`${await controlBatch(args.kind, args.output, args.queue)}\n`);
		return 0;
	}
	const status = await readBatchStatus(args.output);
	const queued =
		status.state.lane === "queue"
			? await (await import("../../batch/queue/control-queued-batch.ts")).readQueuedStatus(
					status.state,
					args.queue,
				)
			: undefined;
	const text = args.json
		? JSON.stringify({ ...status, ...defined({ queued }) })
		: [...renderStatus(status), ...(queued === undefined ? [] : renderQueued(queued))].join("\n");
	process.stdout.write(`${text}\n`);
	return 0;
}

function renderStatus(status: BatchStatus): readonly string[] {
	const { total, done, failed, missing, paused, state } = status;
	const idle =
		missing === 0 ? "It is complete." : "Nothing is collecting it. Run its command again to continue.";
	const running =
		status.process === undefined
			? idle
			: `Process ${status.process.pid} on ${status.process.host} is collecting it${paused ? ", paused" : ""}.`;
	return [
		`${status.output}: ${done} done, ${failed} failed, ${missing} missing of ${total} (${state.lane})`,
		toOneLine(running),
		...renderRest(status),
		...formatCost(status.spentUsd).map((cost) => `Cost so far: ${cost}`),
	];
}

function renderRest({ perMinute, restMs, missing, paused }: BatchStatus): readonly string[] {
	if (perMinute === undefined || restMs === undefined || missing === 0 || paused) return [];
	return [`${formatSpeed(perMinute)} lately; ETA ${formatDuration(restMs)}`];
}

function renderQueued({ waiting, active, paused, quotaPauseMs, workers }: QueuedStatus): readonly string[] {
	return [
		`Queue: ${waiting} waiting, ${active} running${paused ? ", paused" : ""}${quotaPauseMs > 0 ? `, quota pause for ${Math.ceil(quotaPauseMs / 1000)} s` : ""}`,
		...workers.map((worker) => {
			const refusals = Object.values(worker.refused);
			const parts = [
				`Worker ${worker.name}: ${worker.running} of ${worker.concurrency} running`,
				describeClock(worker),
				refusals.length > 0 ? `refuses: ${refusals.join(" ")}` : "",
			];
			return toOneLine(parts.filter(Boolean).join("; "));
		}),
		...(workers.length === 0 ? ["No worker is connected."] : []),
	];
}
