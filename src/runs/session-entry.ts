import type { ToolCallRecord } from "../contract/event.ts";
import type { Usage } from "../contract/usage.ts";

/** One thing in a child's own transcript, in one vocabulary for all runtimes. Not redacted. */
export type SessionEntry =
	| { readonly kind: "user"; readonly at: number; readonly text: string }
	| SessionAnswer
	| {
			readonly kind: "result";
			readonly at: number;
			readonly id: string;
			readonly text: string;
			readonly isError: boolean;
	  }
	| { readonly kind: "compaction"; readonly at: number };

export interface SessionAnswer {
	readonly kind: "assistant";
	readonly at: number;
	/** Where an answer is on several lines, they have this in common. */
	readonly answerId?: string;
	readonly text: string;
	readonly thinking: string;
	readonly calls: readonly ToolCallRecord[];
	readonly model?: string;
	readonly error?: string;
	readonly usage: Usage;
}
