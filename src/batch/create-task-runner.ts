import { defined } from "@deputize/ground";
import { collectSecrets } from "@deputize/redaction";
import { sweepLayers } from "../changes/sweep-layers.ts";
import { ChildPool } from "../children/child-pool.ts";
import { readSurroundings } from "../config/read-surroundings.ts";
import type { DeputizeConfig } from "../contract/config.ts";
import type { DelegationResult } from "../contract/result.ts";
import { delegate } from "../delegation/delegate.ts";
import type { DelegateOptions } from "../delegation/delegate-options.ts";
import { createDelegationContext } from "../delegation/delegation-context.ts";
import { shareProjectServers } from "../delegation/share-project-servers.ts";
import { removeSession } from "../sessions/sweep-sessions.ts";
import { BATCH_LIMITS } from "./batch-limits.ts";
import type { BatchOptions } from "./batch-options.ts";
import type { ExecuteTask, TaskOutcome, TaskResult } from "./batch-record.ts";
import { withRetries } from "./retry-task.ts";
import { sweepRunEvents } from "./sweep-run-events.ts";
import { toTaskResult } from "./to-task-result.ts";

interface TaskRunnerOptions extends Pick<BatchOptions, "maxUsdPerTask" | "retries" | "execute"> {
	readonly delegate: DelegateOptions;
	/** Who takes what a task changed: nobody (it is kept as a change), or the walk, which writes it beside the output. */
	readonly changes: "kept-here" | "handed-over" | "handed-over-or-removed";
	/** Whether a task of this agent may simply run again; what writes may not. */
	readonly isRepeatable?: (agent: string) => boolean;
}

/** Errors that every other task would meet as well, and that pass with time. */
const QUOTA_CAUSES = ["rate_limited", "overloaded", "quota_exceeded"];

export interface TaskRunner {
	/** Runs one task as a delegation, within its own cost limit. */
	readonly execute: ExecuteTask;
	/** Ends what the tasks shared. */
	close(): Promise<void>;
}

export function createTaskRunner(options: TaskRunnerOptions): TaskRunner {
	const { execute, close } = options.execute
		? { execute: options.execute, close: () => Promise.resolve() }
		: createDelegationRunner(options);
	const { isRepeatable = () => true, retries = BATCH_LIMITS.defaultRetries } = options;
	const executeAgain = withRetries(execute, retries);
	return {
		execute: (task, context) => (isRepeatable(task.agent) ? executeAgain : execute)(task, context),
		close,
	};
}

function createDelegationRunner({
	delegate: options,
	maxUsdPerTask,
	changes,
}: TaskRunnerOptions): TaskRunner {
	const surroundings = readSurroundings(options.env);
	sweepRunEvents(surroundings.agentDirectory);
	sweepLayers(surroundings);
	const secrets = changes === "handed-over-or-removed" ? collectSecrets(surroundings.env) : [];
	const { ofBatches } = createDelegationContext(options).config.subagents.sessions;
	const servers = shareProjectServers(options);
	const children = new ChildPool({ reuse: true });
	const execute: ExecuteTask = async (task, { signal, spentUsd, onSpent }) => {
		const startedAt = performance.now();
		const lspSocket = await servers?.open();
		const overspent = new AbortController();
		let patch: Buffer | undefined;
		const handOver = {
			maxBytes: BATCH_LIMITS.maxPatchBytes,
			keepsRest: changes === "handed-over",
			take(taken: Buffer) {
				patch = taken;
			},
		};
		const result = await delegate(
			{ agent: task.agent, task: task.task },
			{
				...options,
				host: {
					...options.host,
					children,
					...defined({ lspSocket, handOver: changes === "kept-here" ? undefined : handOver }),
				},
				signal: AbortSignal.any([signal, overspent.signal]),
				onUpdate(update) {
					const costUsd = spentUsd + (update.details.streaming?.usage.cost ?? 0);
					onSpent?.(costUsd);
					if (maxUsdPerTask !== undefined && costUsd >= maxUsdPerTask) overspent.abort();
				},
			},
		);
		const finished = toTaskResult(result, performance.now() - startedAt, { patch, secrets });
		const slim = pruneSession(finished, result, ofBatches);
		const whole = { ...slim, costUsd: slim.costUsd + spentUsd };
		if (overspent.signal.aborted && slim.status === "failed") return toOverspent(whole, maxUsdPerTask ?? 0);
		if (signal.aborted && slim.status === "failed") return { kind: "stopped", costUsd: slim.costUsd };
		return toTaskOutcome(whole, slim.costUsd);
	};
	return {
		execute,
		async close() {
			await Promise.all([children.close(), servers?.close()]);
		},
	};
}

/** Thousands of tasks leave thousands of sessions, which nobody may want to continue. */
function pruneSession(
	{ sessionId, ...rest }: TaskResult,
	{ details: { results } }: DelegationResult,
	kept: DeputizeConfig["subagents"]["sessions"]["ofBatches"],
): TaskResult {
	const { sessionFile } = results[0] ?? {};
	const isKept = kept === "keep" || (kept === "failed" && rest.status === "failed");
	if (sessionFile !== undefined && !isKept && removeSession(sessionFile)) return rest;
	return { ...rest, ...defined({ sessionId }) };
}

function toTaskOutcome(result: TaskResult, costUsd: number): TaskOutcome {
	const cause = result.error?.cause;
	if (cause === undefined || !QUOTA_CAUSES.includes(cause.kind)) return { kind: "finished", result };
	return defined({
		kind: "quota" as const,
		reason: result.error?.message ?? cause.kind,
		retryAfterMs: cause.retryAfterMs,
		costUsd,
	});
}

function toOverspent(result: TaskResult, maxUsdPerTask: number): TaskOutcome {
	const error = {
		code: "SUBAGENT_FAILED",
		message: `The task reached its limit of $${maxUsdPerTask} and was stopped. Raise --max-usd-per-task and run it with --retry-failed, or make the task smaller.`,
		cause: { kind: "budget" },
	} as const;
	return { kind: "finished", result: { ...result, error } };
}
