import type { RedactedText } from "@deputize/redaction";
import type { ToolCallRecord } from "../contract/event.ts";
import type { Usage } from "../contract/usage.ts";
import type { JournalRecord, JournalStart } from "./journal-record.ts";

/**
 * What happened in one run, in order, so that another process can watch it. Every text is redacted. `at` is in
 * milliseconds since 1970.
 */
export type RunEvent =
	| RunStart
	/** The model is asked. */
	| { readonly type: "turn"; readonly at: number }
	/** Text that is not complete yet. The next line replaces it. */
	| { readonly type: "writing"; readonly at: number; readonly text: RedactedText }
	/** The model has answered. */
	| {
			readonly type: "message";
			readonly at: number;
			readonly text: RedactedText;
			readonly model?: string;
			readonly usage: Usage;
			readonly error?: RedactedText;
	  }
	| ({ readonly type: "call"; readonly at: number } & ToolCallRecord)
	| {
			readonly type: "result";
			readonly at: number;
			readonly id: string;
			readonly isError: boolean;
			/** The beginning of what the tool answered, where the child's own transcript does not tell. */
			readonly text?: RedactedText;
	  }
	/** Spending that belongs to no message, such as a compaction. */
	| { readonly type: "spending"; readonly at: number; readonly usage: Usage }
	/** A person sent the child a message for its next turn. */
	| { readonly type: "instruction"; readonly at: number; readonly text: RedactedText }
	/** The provider failed and is asked again after a pause. */
	| { readonly type: "backoff"; readonly at: number }
	/** The child was sent back because it had not handed over its result. */
	| { readonly type: "correction"; readonly at: number }
	/** A new process works on the same task, because the one before failed. */
	| { readonly type: "attempt"; readonly at: number; readonly number: number }
	/** The file is full: events between here and the end are missing. */
	| { readonly type: "full"; readonly at: number }
	| RunEnd;

export interface RunStart {
	readonly type: "start";
	readonly at: number;
	readonly start: JournalStart;
	/** Longer than the summary. */
	readonly task: RedactedText;
	readonly tools: readonly string[];
	readonly runtime: string;
	/** The child's own transcript. Not redacted: whoever reads it has to do it. */
	readonly sessionFile: string;
}

export interface RunEnd extends Pick<JournalRecord, "ok" | "code" | "cause" | "durationMs"> {
	readonly type: "end";
	readonly at: number;
	readonly error?: RedactedText;
	/** What the child handed over. */
	readonly output?: RedactedText;
	readonly usage: Usage;
}
