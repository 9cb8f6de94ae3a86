import type { ChildQuestion } from "./child-question.ts";
import type { Usage } from "./usage.ts";

/** Why a child ended. The first reason wins; later ones cannot overwrite it. */
type ChildEndReason =
	/** It exited on its own. */
	| "exit"
	/** It reported that its work is done; it may have had to be terminated afterwards. */
	| "settled"
	| "aborted"
	| "runtime-timeout"
	| "idle-timeout"
	| "output-limit"
	| "memory-limit"
	/** A bound of the agent or the configuration; `message` says which. */
	| "turn-limit"
	| "cost-limit"
	/** We stopped it because it would not have finished by itself; `message` says why. */
	| "given-up"
	| "spawn-error";

export interface ChildEnd {
	readonly type: "child-end";
	readonly reason: ChildEndReason;
	readonly exitCode: number | null;
	readonly signal: string | null;
	/** What went wrong, in words; absent if nothing did. */
	readonly message?: string;
	/** The system's code of a failed start, such as `ENOENT`. */
	readonly errorCode?: string;
	readonly stderrTail: string;
	/** What mattered but was too long to be read, in words; absent if nothing was lost. */
	readonly lostOutput?: string;
	readonly durationMs: number;
}

export type StopReason = "stop" | "length" | "tool-use" | "error" | "aborted" | "other";

export interface ToolCallRecord {
	readonly id: string;
	readonly name: string;
	readonly args: Readonly<Record<string, unknown>>;
}

/**
 * What every runtime reports about its child, in one vocabulary. A runtime never throws and never rejects:
 * every failure is encoded here, and the last event is always `child-end`.
 */
export type ChildEvent =
	| { readonly type: "child-start"; readonly pid: number | undefined }
	| { readonly type: "turn-start" }
	| { readonly type: "text-delta"; readonly text: string }
	/** The model is writing something other than the answer's text. Not every runtime can tell. */
	| { readonly type: "generating"; readonly what: "thinking" | "tool-call" }
	| {
			readonly type: "assistant-message";
			readonly text: string;
			readonly toolCalls: readonly ToolCallRecord[];
			readonly stopReason: StopReason;
			/** The model that answered, as `provider/id`. */
			readonly model?: string;
			readonly errorMessage?: string;
			/** What is known about a failed request beyond its message. */
			readonly errorFacts?: { readonly status?: number; readonly retryAfterMs?: number };
			readonly usage: Usage;
	  }
	| ({ readonly type: "tool-start" } & ToolCallRecord)
	| {
			readonly type: "tool-end";
			readonly id: string;
			readonly name: string;
			readonly isError: boolean;
			/** The error code that the answer of a tool of ours begins with. */
			readonly code?: string;
			/** How a command ended; null when it was stopped. Only of a tool that ran one. */
			readonly exitCode?: number | null;
			/** The tool's answer, for runtimes whose session file cannot be read while the child runs. */
			readonly output?: string;
	  }
	/** A call that was not made, because something in the child refused it. Its `tool-end` comes too. */
	| { readonly type: "tool-refused"; readonly id: string; readonly name: string; readonly reason: string }
	/** An extension in the child asks about a call, and waits for the answer. */
	| { readonly type: "question"; readonly question: ChildQuestion }
	/** Spending that no assistant message carries, such as a compaction. */
	| { readonly type: "extra-usage"; readonly usage: Usage }
	/** The child's own retry of a provider failure. */
	| { readonly type: "backoff-start"; readonly delayMs?: number; readonly reason?: string }
	| { readonly type: "backoff-end"; readonly success: boolean }
	/** The child was told, inside its own session, to finalize, because it had not. */
	| { readonly type: "correction" }
	/** The child's last words: it could not go on and is about to be gone. */
	| { readonly type: "crashed"; readonly message: string }
	| { readonly type: "settled"; readonly aborted: boolean }
	| ChildEnd;
