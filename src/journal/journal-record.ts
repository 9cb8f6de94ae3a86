import type { RedactedText } from "@deputize/redaction";
import type { Usage } from "../contract/usage.ts";

export const JOURNAL_KINDS = ["subagent", "web", "convert", "lsp"] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];

/** Where a run belongs. */
export interface JournalPlace {
	/** The working directory, with `~` for the home directory. */
	readonly cwd?: string;
	/** The model, as `provider/id`: of a start the chosen one, of an end the one that answered. */
	readonly model?: string;
	readonly runId?: string;
	readonly sessionId?: string;
	/** Who asked: `pi:<session id>`, `mcp:<client>` or `run:<run id>`. Absent on the command line. */
	readonly parent?: string;
	/** The batch the run is a task of. */
	readonly batch?: string;
	/** Where the agent's file came from. */
	readonly source?: string;
}

interface JournalEntry extends JournalPlace {
	/** ISO 8601. */
	readonly time: string;
	readonly kind: JournalKind;
	/** The agent or tool. */
	readonly name: string;
	/** The task or what was asked of the tool; of a failure, the error. */
	readonly summary: RedactedText;
}

/** One delegation or tool call that came to an end. Texts are redacted; nothing here is a secret. */
export interface JournalRecord extends JournalEntry {
	readonly ok: boolean;
	readonly code?: string;
	/** The kind of failure, such as `cancelled`. */
	readonly cause?: string;
	/** ISO 8601; absent when nothing was started, and in records of older versions. */
	readonly startedAt?: string;
	readonly durationMs: number;
	readonly tools?: readonly string[];
	/** How often the run called each of its tools. */
	readonly calls?: Readonly<Record<string, number>>;
	readonly usage?: Usage;
	readonly confinement?: string;
}

/** Identifies a process, even when a later one gets the same number. */
export interface JournalProcess {
	readonly pid: number;
	/** Undefined where the system cannot say. */
	readonly startTime?: number;
	readonly host: string;
}

/** A delegation that began. Its end, if there is one, has the same `runId`. */
export interface JournalStart extends JournalEntry {
	readonly event: "start";
	readonly kind: "subagent";
	readonly runId: string;
	/** Who runs it: when this process is gone without an end, the run is over. */
	readonly process: JournalProcess;
}
