import type { AgentSource } from "./agent.ts";
import type { SubagentErrorCode } from "./error-codes.ts";
import type { FailureCause } from "./failure.ts";
import type { Usage } from "./usage.ts";

declare const redacted: unique symbol;
declare const bounded: unique symbol;

/** Text that went through `sanitizeOutput`. Only such text may reach a result, a log or a stream. */
export type RedactedText = string & { readonly [redacted]: true };
/** Redacted text that was also cut to the size a model should receive. */
export type BoundedText = RedactedText & { readonly [bounded]: true };

export type DisplayItem =
	| { readonly type: "text"; readonly text: RedactedText }
	| {
			readonly type: "toolCall";
			readonly name: string;
			readonly args: Readonly<Record<string, unknown>>;
			/** The call failed or was refused. */
			readonly isError?: true;
	  };

/** `tools-only`: the child was given no write tool. `os-sandbox`: the file system was read-only for it. */
export type Confinement = "tools-only" | "os-sandbox";

export interface SingleResult {
	readonly agent: string;
	readonly task: RedactedText;
	readonly exitCode: number;
	readonly usage: Usage;
	readonly error?: RedactedText;
	readonly sessionFile?: string;
	readonly output?: RedactedText;
	readonly displayItems?: readonly DisplayItem[];
	readonly timeoutReason?: "runtime" | "idle";
	readonly confinement: Confinement;
	readonly agentSource: AgentSource;
	/** The model that answered, as `provider/id`. */
	readonly model?: string;
	/** Tools the agent asks for and did not get. */
	readonly notGranted?: readonly string[];
	/** The last event of a child that failed, in the vocabulary of child events. */
	readonly lastEvent?: string;
	/** From the task being sent to the verdict, over all attempts; waiting for a slot is not part of it. */
	readonly durationMs: number;
}

/** What a running child does: `retrying` waits before it asks a failing provider again. */
export type Activity = "starting" | "thinking" | "writing" | "tool" | "retrying";

export interface StreamingDisplay {
	readonly displayItems: readonly DisplayItem[];
	readonly usage: Usage;
	readonly turnCount: number;
	readonly activity?: Activity;
	/** The tool that runs now; absent while none does. */
	readonly currentTool?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
	/** The run waits for a free slot. */
	readonly waiting?: boolean;
}

export interface DelegationDetails {
	readonly mode: "single" | "management";
	readonly runId?: string;
	readonly results: readonly SingleResult[];
	readonly error?: {
		readonly code: SubagentErrorCode;
		readonly message: RedactedText;
		/** Absent for refusals, whose code says it all, and for truncation. */
		readonly cause?: FailureCause;
	};
	readonly streaming?: StreamingDisplay;
	readonly sessionId?: string;
	readonly finalized?: {
		readonly status: "SUCCESS" | "ERROR";
		readonly result?: RedactedText;
		readonly error?: RedactedText;
	};
}

/** The shape pi adds to the parent's totals. */
export interface HostUsage {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	readonly totalTokens: number;
	readonly cost: {
		readonly input: number;
		readonly output: number;
		readonly cacheRead: number;
		readonly cacheWrite: number;
		readonly total: number;
	};
}

/** What `delegate` returns: exactly a pi tool result. Failures have the same shape; they are never thrown. */
export interface DelegationResult {
	readonly content: readonly [{ readonly type: "text"; readonly text: BoundedText }];
	readonly details: DelegationDetails;
	readonly usage: HostUsage;
	readonly isError: boolean;
}

/** A partial result while the child runs. */
export interface DelegationUpdate {
	readonly content: readonly [{ readonly type: "text"; readonly text: BoundedText }];
	readonly details: DelegationDetails;
}
