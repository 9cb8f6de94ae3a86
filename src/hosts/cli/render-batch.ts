import { formatCount, toOneLine } from "@deputize/ground";
import type { BatchEstimate } from "../../batch/batch-estimate.ts";
import type { BatchProgress } from "../../batch/batch-progress.ts";
import { formatCost, formatDuration } from "../../commands/format-figures.ts";

/** One line that says how far a batch is. */
export function renderBatchLine(progress: BatchProgress, now: number): string {
	const finished = progress.done + progress.failed;
	return [
		`${finished}/${progress.total}`,
		...(progress.failed > 0 ? [`${progress.failed} failed`] : []),
		`${progress.running} running`,
		...(progress.workers === undefined ? [] : [formatCount(progress.workers, "worker")]),
		...renderSpeed(progress, now),
		...formatCost(progress.spentUsd),
		...renderHold(progress, now),
	].join(" · ");
}

/** Too few finished tasks say nothing about the rest. */
const TASKS_FOR_ESTIMATE = 3;

function renderSpeed({ finishedNow, todo, startedAt }: BatchProgress, now: number): readonly string[] {
	const elapsedMs = now - startedAt;
	if (finishedNow < TASKS_FOR_ESTIMATE || elapsedMs <= 0) return [];
	const perMinute = (finishedNow * 60_000) / elapsedMs;
	const restMs = ((todo - finishedNow) * elapsedMs) / finishedNow;
	const speed = formatSpeed(perMinute);
	return todo > finishedNow ? [speed, `ETA ${formatDuration(restMs)}`] : [speed];
}

export function formatSpeed(perMinute: number): string {
	return perMinute >= 120 ? `${(perMinute / 60).toFixed(1)}/s` : `${perMinute.toFixed(1)}/min`;
}

function renderHold({ held, pausedUntil, stopped }: BatchProgress, now: number): readonly string[] {
	if (stopped !== undefined) return [`stopping (${stopped}), finishing what runs`];
	if (held) return ["paused"];
	if (pausedUntil === undefined || pausedUntil <= now) return [];
	return [`the provider asks to wait ${formatDuration(pausedUntil - now)}`];
}

export interface BatchSummary
	extends Pick<BatchProgress, "total" | "done" | "failed" | "finishedNow" | "costUsd" | "spentUsd"> {
	/** Neither done nor failed: the same command runs them. */
	readonly missing: number;
	readonly durationMs: number;
	readonly output: string;
	/** Present when there are failures. */
	readonly failedOutput?: string;
	readonly stopped?: string;
	/** How often each kind of failure occurred in this run. */
	readonly failures: Readonly<Record<string, number>>;
}

const STOP_REASONS: Readonly<Record<string, string>> = {
	budget: "The budget does not cover another task. Raise --budget-usd and run the same command to continue.",
	quota: "The provider refused for too long. Run the same command later to continue.",
	interrupted: "Interrupted. Run the same command to continue.",
	failures:
		"Too many tasks failed. Mend the cause, then run the same command with --retry-failed; --max-failures 100% goes on whatever fails.",
	declined: "Nothing was started.",
	cancelled: "Cancelled. Run the same command to run the missing tasks after all.",
};

/** What came of a batch, as a small table. */
export function renderBatchSummary(summary: BatchSummary): string {
	const { total, done, failed, missing, failures } = summary;
	const rows = [
		["tasks", String(total), ""],
		["done", String(done), summary.output],
		["failed", String(failed), summary.failedOutput ?? ""],
		["missing", String(missing), ""],
		[
			"cost",
			formatCost(summary.spentUsd)[0] ?? "$0",
			summary.spentUsd > summary.costUsd ? "over all runs" : "",
		],
		["time", formatDuration(summary.durationMs), ""],
	];
	const width = Math.max(...rows.map(([, value = ""]) => value.length));
	const lines = rows.map(([name = "", value = "", note]) =>
		`${name.padEnd(8)} ${value.padStart(width)}  ${note}`.trimEnd(),
	);
	const kinds = Object.entries(failures).sort(([, left], [, right]) => right - left);
	return [
		...lines,
		...kinds.map(([kind, count]) => `  ${count} × ${toOneLine(kind)}`),
		...(summary.stopped === undefined ? [] : [STOP_REASONS[summary.stopped] ?? summary.stopped]),
	].join("\n");
}

/** What a batch is going to cost, as far as that is known before. */
export function renderEstimate({ todo, taskTokens, costUsd }: BatchEstimate, knownUsd: number): string {
	const cost = formatCost(knownUsd)[0] ?? "$0";
	return costUsd === undefined
		? `${formatCount(todo, "task")} to do, at least ${cost}: about ${taskTokens} tokens of tasks; what the agents read and answer comes on top.`
		: `${formatCount(todo, "task")} to do, about ${cost} by what finished tasks have cost.`;
}
