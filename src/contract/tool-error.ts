import type { ToolOutcome } from "./tool.ts";

/**
 * A tool's refusal: a code that programs can rely on and a message the model can act on. Whoever runs
 * the tool turns it into an outcome; anything else that is thrown is a bug.
 */
export class ToolError<Code extends string = string> extends Error {
	readonly code: Code;

	constructor(code: Code, message: string) {
		super(message);
		this.name = "ToolError";
		this.code = code;
	}
}

export function toErrorOutcome({ code, message }: Pick<ToolError, "code" | "message">): ToolOutcome {
	return { text: `${code}: ${message}`, details: { error: { code, message } }, isError: true };
}

/** The code at the beginning of a text that `toErrorOutcome` made; undefined for any other text. */
export function findErrorCode(text: string): string | undefined {
	return /^([A-Z][A-Z_]{2,60}): /.exec(text)?.[1];
}
