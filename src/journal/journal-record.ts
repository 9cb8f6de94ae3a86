import type { RedactedText } from "../contract/result.ts";
import type { Usage } from "../contract/usage.ts";

export const JOURNAL_KINDS = ["subagent", "web", "convert", "lsp"] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];

/** One delegation or tool call that came to an end. Texts are redacted; nothing here is a secret. */
export interface JournalRecord {
	/** ISO 8601. */
	readonly time: string;
	readonly kind: JournalKind;
	/** The agent or tool. */
	readonly name: string;
	readonly ok: boolean;
	readonly code?: string;
	/** The kind of failure, such as `cancelled`. */
	readonly cause?: string;
	/** The working directory, with `~` for the home directory. */
	readonly cwd?: string;
	/** The model that answered, as `provider/id`. */
	readonly model?: string;
	readonly durationMs: number;
	readonly summary: RedactedText;
	readonly runId?: string;
	readonly source?: string;
	readonly tools?: readonly string[];
	readonly usage?: Usage;
	readonly sessionId?: string;
	readonly confinement?: string;
}
