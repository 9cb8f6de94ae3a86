import type { ToolCallRecord } from "../contract/event.ts";
import type { Usage } from "../contract/usage.ts";
import type { RunSummary } from "./run-summary.ts";

/** One thing that happened in a run. Texts are redacted. `at` is in milliseconds since 1970. */
export type TranscriptEntry =
	| { readonly kind: "task"; readonly at: number; readonly text: string }
	/** What the model thought before it wrote, where its provider shows that. */
	| { readonly kind: "thinking"; readonly at: number; readonly text: string }
	| {
			readonly kind: "text";
			readonly at: number;
			readonly text: string;
			/** It is still being written. */
			readonly isOpen?: true;
	  }
	| TranscriptCall
	/** Something about the run itself: it was sent back, tried again, or waited for its provider. */
	| { readonly kind: "note"; readonly at: number; readonly note: TranscriptNote; readonly text: string };

type TranscriptNote =
	| "instruction"
	| "correction"
	| "attempt"
	| "backoff"
	| "failure"
	| "full"
	| "compaction";

export interface TranscriptCall extends ToolCallRecord {
	readonly kind: "call";
	readonly at: number;
	/** Absent while it runs. */
	readonly endedAt?: number;
	readonly isError?: true;
	/** What the tool answered, cut to size; absent where nobody kept it. */
	readonly result?: string;
}

/** One answer of the model. */
export interface TranscriptTurn {
	/** When it was asked. */
	readonly at: number;
	readonly endedAt: number;
	readonly model?: string;
	readonly usage: Usage;
}

export interface Transcript {
	readonly entries: readonly TranscriptEntry[];
	readonly turns: readonly TranscriptTurn[];
}

/** Everything that is known about one run. */
export interface RunDetail extends RunSummary, Transcript {
	/** The runtime, such as `pi` or `loop`. */
	readonly runtime?: string;
	readonly tools?: readonly string[];
	/** What the child handed over; of a failed run, what it had written. */
	readonly output?: string;
	/** Runs that this run started. */
	readonly children: readonly RunSummary[];
	/** Other runs of the same session. */
	readonly sameSession: readonly RunSummary[];
}
