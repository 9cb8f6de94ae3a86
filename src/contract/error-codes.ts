import type { FailureCause } from "./failure.ts";

/** The eight codes of the result schema, and what was added to them. They are contract: add, never rename. */
export const SUBAGENT_ERROR_CODES = {
	INVALID_INPUT: "INVALID_INPUT",
	SUBAGENTS_DISABLED: "SUBAGENTS_DISABLED",
	UNKNOWN_AGENT: "UNKNOWN_AGENT",
	SUBAGENT_DISABLED: "SUBAGENT_DISABLED",
	SUBAGENT_DEPTH_EXCEEDED: "SUBAGENT_DEPTH_EXCEEDED",
	SUBAGENT_TIMEOUT: "SUBAGENT_TIMEOUT",
	SUBAGENT_FAILED: "SUBAGENT_FAILED",
	SUBAGENT_OUTPUT_TRUNCATED: "SUBAGENT_OUTPUT_TRUNCATED",
	SUBAGENT_LIMIT_REACHED: "SUBAGENT_LIMIT_REACHED",
} as const;

export type SubagentErrorCode = keyof typeof SUBAGENT_ERROR_CODES;

/**
 * How a stage of a delegation says no. Exactly one place turns it into a result; any other error that
 * escapes a stage is a bug and propagates.
 */
export class DelegationError extends Error {
	readonly code: SubagentErrorCode;
	readonly failureCause?: FailureCause;

	constructor(code: SubagentErrorCode, message: string, failureCause?: FailureCause) {
		super(message);
		this.name = "DelegationError";
		this.code = code;
		if (failureCause) this.failureCause = failureCause;
	}
}
