import { messageOf } from "@deputize/ground";
import type { Usage } from "../contract/usage.ts";

interface LoopErrorFacts {
	/** HTTP status of the provider's answer. */
	readonly status?: number;
	/** Whether the same request may succeed later. Acted on only while nothing was put out. */
	readonly retryable?: boolean;
	/** What the provider asked for before the next try. */
	readonly retryAfterMs?: number;
	/** The request parameter that the provider names, for negotiation. */
	readonly parameter?: string;
	readonly exitCode?: number;
	/** What the failed turn cost all the same. */
	readonly usage?: Usage;
}

/** How anything in the loop program fails. One place turns it into the line on stderr and the exit code. */
export class LoopError extends Error {
	readonly code: string;
	readonly facts: LoopErrorFacts;

	constructor(code: string, message: string, facts: LoopErrorFacts = {}) {
		super(message);
		this.name = "LoopError";
		this.code = code;
		this.facts = facts;
	}
}

export const EXIT_FAILED = 1;
const EXIT_BAD_INPUT = 2;
export const EXIT_TIMEOUT = 124;

/** What was given to the program cannot be used. */
export function badInput(code: string, message: string): LoopError {
	return new LoopError(code, message, { exitCode: EXIT_BAD_INPUT });
}

/** Anything unexpected becomes a failure with its message, so that stderr always ends with one line of JSON. */
export function toLoopError(error: unknown): LoopError {
	if (error instanceof LoopError) return error;
	const message = messageOf(error);
	return new LoopError("internal_error", `Unexpected failure: ${message}`);
}
