import type { RedactedText } from "@deputize/redaction";
import type { AgentSource } from "./agent.ts";
import type { ChangedFile, ChangeOverlap, Isolation, NamedPaths } from "./changes.ts";
import type { SubagentErrorCode } from "./error-codes.ts";
import type { FailureCause } from "./failure.ts";
import type { TokenKinds, Usage } from "./usage.ts";

declare const bounded: unique symbol;

/** Redacted text that was also cut to the size a model should receive. */
export type BoundedText = RedactedText & { readonly [bounded]: true };

/** One step of a run, for rendering: what the child wrote, or a tool it called. */
export type DisplayItem =
	| { readonly type: "text"; readonly text: RedactedText }
	| {
			readonly type: "toolCall";
			readonly name: string;
			/** Redacted and shortened. */
			readonly args: Readonly<Record<string, unknown>>;
			/** The call failed or was refused. */
			readonly isError?: true;
			/** How long it took; absent while it runs. */
			readonly durationMs?: number;
	  };

/** `tools-only`: the child was given no write tool. `os-sandbox`: the file system was read-only for it. */
export type Confinement = "tools-only" | "os-sandbox";

/** A model that a run was begun with and could not go on with. */
export interface FailedModel {
	/** As `provider/id`; absent where pi chose it and it never answered. */
	readonly model?: string;
	readonly cause: FailureCause;
}

/** A command that a child ran. */
export interface CommandRecord {
	/** Redacted and shortened. */
	readonly command: RedactedText;
	/** Null when it was stopped. */
	readonly exitCode: number | null;
}

/** What a child that works in a layer changed, and with which commands. */
export interface ResultChanges {
	/** What `deputize changes` calls it; absent when nothing was changed. */
	readonly id?: string;
	readonly isolation: Exclude<Isolation, "in-place">;
	/** `pending`: the user's files are as they were. `handed-over`: they are too, and the host has taken the changes along. */
	readonly state: "none" | "pending" | "applied" | "dropped" | "handed-over";
	readonly files: readonly ChangedFile[];
	/** Lines, over all files. */
	readonly added: number;
	readonly removed: number;
	/** What `git apply` takes, redacted; its beginning, where it is long. The stored one is exact. */
	readonly patch?: RedactedText;
	readonly isPatchCut?: true;
	/** Changed, and ignored by Git: in the layer only, never applied. */
	readonly ignored: NamedPaths;
	/** Submodules and embedded repositories that changed: in the layer only, never applied. */
	readonly repositories: NamedPaths;
	/** The last of them, oldest first. */
	readonly commands: readonly CommandRecord[];
	/** Calls of tools that change something which were refused before they ran. */
	readonly refusedCalls: number;
	/** Others that changed the same files, and are not applied, or were since this one began. */
	readonly overlaps?: readonly ChangeOverlap[];
	/** Why its changes could not be collected or applied. */
	readonly problem?: RedactedText;
}

/** What became of the child. */
export interface SingleResult {
	/** The agent that ran. */
	readonly agent: string;
	/** The task as it was given, redacted. */
	readonly task: RedactedText;
	/** 0 success, 1 failure or the child's own code, 124 timeout, 130 cancelled. */
	readonly exitCode: number;
	/** Spent over every turn and every attempt, on failure too. */
	readonly usage: Usage;
	/** What went wrong; absent on success. */
	readonly error?: RedactedText;
	/** The child's session, when there is one that can be continued. */
	readonly sessionFile?: string;
	/** What the child handed over; on failure what it had written so far. Redacted, not shortened. */
	readonly output?: RedactedText;
	/** A file with the output, when it was too long for the text a model reads. Kept as long as the session. */
	readonly outputFile?: string;
	/** The steps of the run, for rendering. */
	readonly displayItems?: readonly DisplayItem[];
	/** Which limit ended the run, with `SUBAGENT_TIMEOUT`. */
	readonly timeoutReason?: "runtime" | "idle";
	/** How the child was kept from writing. */
	readonly confinement: Confinement;
	/** Where the agent's file came from. */
	readonly agentSource: AgentSource;
	/** The model that answered, as `provider/id`. */
	readonly model?: string;
	/** The models before it, whose providers refused. */
	readonly failedModels?: readonly FailedModel[];
	/** The thinking level it was asked with, where one was given. */
	readonly thinking?: string;
	/** Tools it called, the handover not counted. */
	readonly toolCalls?: number;
	/** Tools the agent asks for and did not get. */
	readonly notGranted?: readonly string[];
	/** Calls that the grant or an extension of the user refused, with the reason; redacted. */
	readonly refused?: readonly string[];
	/** The last event of a child that failed, in the vocabulary of child events. */
	readonly lastEvent?: string;
	/** From the task being sent to the verdict, over all attempts; waiting for a slot is not part of it. */
	readonly durationMs: number;
}

/**
 * What a running child does. `awaiting-model`: nothing of the answer has come yet. `retrying`: it waits before it asks
 * a failing provider again.
 */
export type Activity = "starting" | "awaiting-model" | "thinking" | "writing" | "tool" | "retrying";

/** A running child, as far as it has got. */
export interface StreamingDisplay {
	/** The steps so far. */
	readonly displayItems: readonly DisplayItem[];
	/** Spent so far. */
	readonly usage: Usage;
	/** Turns begun. */
	readonly turnCount: number;
	/** What it is doing now. */
	readonly activity?: Activity;
	/** The tool that runs now; absent while none does. */
	readonly currentTool?: {
		readonly name: string;
		readonly args: Readonly<Record<string, unknown>>;
		/** Milliseconds since 1970. */
		readonly startedAt?: number;
	};
	/** When a failing provider will be asked again, in milliseconds since 1970. */
	readonly retryAt?: number;
	/** The model that answers, as `provider/id`. */
	readonly model?: string;
	/** The thinking level it is asked with. */
	readonly thinking?: string;
	/** Tools called so far. */
	readonly toolCalls?: number;
	/** The agent's file says that nobody waits for it. */
	readonly background?: true;
	/** The run waits for a free slot. */
	readonly waiting?: boolean;
	/** Where a child that writes works, and what it has changed so far; moved lines are not counted. */
	readonly layer?: {
		readonly isolation: Exclude<Isolation, "in-place">;
		/** The first of them. */
		readonly files: readonly ChangedFile[];
		/** How many there are besides those. */
		readonly more: number;
	};
}

/** The facts of a delegation, for programs. */
export interface DelegationDetails {
	/** `management`: refused before an agent was looked at, because of depth or because delegation is switched off. */
	readonly mode: "single" | "management";
	/** Eight characters that name the run in logs and updates. */
	readonly runId?: string;
	/** At most one; empty when nothing was run, and in updates. */
	readonly results: readonly SingleResult[];
	/** Absent on success, unless the answer was cut to size. */
	readonly error?: {
		readonly code: SubagentErrorCode;
		/** What happened and what to do, for a person. */
		readonly message: RedactedText;
		/** Absent for refusals, whose code says it all, and for truncation. */
		readonly cause?: FailureCause;
	};
	/** The run goes on: this is not its end, and its answer comes as a message of its own. */
	readonly detached?: true;
	/** In updates only. */
	readonly streaming?: StreamingDisplay;
	/** In every update; in a result only when the session can be continued. */
	readonly sessionId?: string;
	/** Of a child that works in a layer. */
	readonly changes?: ResultChanges;
	/** What a child that only reads ran with `try_command`, in a layer that was thrown away: the last of them, oldest first. */
	readonly tried?: readonly CommandRecord[];
	/** What the child handed over, when it did. */
	readonly finalized?: {
		readonly status: "SUCCESS" | "ERROR";
		readonly result?: RedactedText;
		readonly error?: RedactedText;
		/** Valid against the schema of the agent's `output`, before redaction. */
		readonly data?: unknown;
	};
}

/** Tokens and US dollars in the shape pi adds to the parent's totals. */
export interface HostUsage extends TokenKinds {
	/** All four kinds together. */
	readonly totalTokens: number;
	readonly cost: TokenKinds & { readonly total: number };
}

/** What `delegate` returns: exactly a pi tool result. Failures have the same shape; they are never thrown. */
export interface DelegationResult {
	/** For a model: the status header, then the answer or the error, redacted and cut to size. */
	readonly content: readonly [{ readonly type: "text"; readonly text: BoundedText }];
	/** For programs. */
	readonly details: DelegationDetails;
	/** Spent by the child. */
	readonly usage: HostUsage;
	/** The run failed or was refused. */
	readonly isError: boolean;
}

/** A partial result while the child runs. */
export interface DelegationUpdate {
	/** The last lines of what the child writes. */
	readonly content: readonly [{ readonly type: "text"; readonly text: BoundedText }];
	/** With `streaming`, and without results. */
	readonly details: DelegationDetails;
}
