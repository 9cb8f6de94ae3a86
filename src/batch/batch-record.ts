import type { SubagentErrorCode } from "../contract/error-codes.ts";
import type { Usage } from "../contract/usage.ts";

/** One task of a batch, ready to run. */
export interface BatchTask {
	/** The name the user gave it, the path of a globbed file, or the number of its row. */
	readonly id: string;
	/** Hash of everything the answer depends on. A finished key never runs again. */
	readonly key: string;
	readonly agent: string;
	readonly task: string;
	/** The fields of its row. They stay where the batch was started. */
	readonly input?: Readonly<Record<string, unknown>>;
	/** 2 and more when it failed before and is tried again with `--retry-failed`. */
	readonly attempt?: number;
	/** How often a worker could not hand over its result. */
	readonly repeat?: number;
	/** What those workers have spent on it. */
	readonly spentUsd?: number;
}

/** Why a task failed, in words and as a kind that programs can compare. */
export interface TaskError {
	readonly code: SubagentErrorCode;
	readonly message: string;
	readonly cause?: TaskErrorCause;
}

export interface TaskErrorCause {
	readonly kind: string;
	readonly status?: number;
	readonly retryAfterMs?: number;
}

/** What an agent that writes changed, in a layer. Your files are as they were until you apply it. */
export interface TaskChanges {
	readonly files: number;
	/** Lines, over all files. */
	readonly added: number;
	readonly removed: number;
	/** The first of the files, redacted. */
	readonly paths: readonly string[];
	/** Where the patch is, from the directory of the output. */
	readonly patch?: string;
	/** What `deputize changes` calls it, in a batch without an output. */
	readonly id?: string;
	/** The exact patch on its way from where the task ran: compressed, in base64. No line of the output has it. */
	readonly packed?: string;
}

/** What came of one task. A failed delegation is a result too: the queue does not run it again. */
export interface TaskResult {
	readonly status: "done" | "failed";
	/** What the agent answered; of a failed task, as far as it got. Absent when there is `data`. */
	readonly answer?: string;
	/** The answer of an agent whose file declares an `output` schema. */
	readonly data?: unknown;
	readonly error?: TaskError;
	readonly changes?: TaskChanges;
	readonly usage: Omit<Usage, "cost">;
	/** US dollars, over all repeats after a quota pause. */
	readonly costUsd: number;
	readonly durationMs: number;
	/** How often it was run again, for reasons that pass, before this came of it. */
	readonly retries?: number;
	readonly model?: string;
	/** Continue with `deputize run <agent> … --session <id>` where the task ran. */
	readonly sessionId?: string;
}

/** One line of the output file. */
export interface BatchRecord
	extends TaskResult,
		Pick<BatchTask, "id" | "key" | "agent" | "input" | "attempt"> {
	/** What the earlier attempts cost, so that a budget also counts them. */
	readonly earlierCostUsd?: number;
	/** ISO 8601: when the line was written. */
	readonly finishedAt?: string;
}

/** How running a task ended. */
export type TaskOutcome =
	| { readonly kind: "finished"; readonly result: TaskResult }
	/** The provider refuses everybody for a while. The task runs again after the pause; this costs it no attempt. */
	| {
			readonly kind: "quota";
			readonly reason: string;
			readonly retryAfterMs?: number;
			readonly costUsd: number;
	  }
	/** Stopped by the person: there is nothing to record, and the task is still to do. */
	| { readonly kind: "stopped"; readonly costUsd: number };

interface ExecuteContext {
	readonly signal: AbortSignal;
	/** What earlier repeats of this task have cost. */
	readonly spentUsd: number;
	/** Called with what the task has cost so far, earlier repeats included, while it runs. */
	readonly onSpent?: (costUsd: number) => void;
}

export type ExecuteTask = (task: BatchTask, context: ExecuteContext) => Promise<TaskOutcome>;
