import type { ToolError } from "@deputize/ground";
import type { ToolOutcome } from "./tool.ts";

export function toErrorOutcome({ code, message }: Pick<ToolError, "code" | "message">): ToolOutcome {
	return { text: `${code}: ${message}`, details: { error: { code, message } }, isError: true };
}

/** The code at the beginning of a text that `toErrorOutcome` made; undefined for any other text. */
export function findErrorCode(text: string): string | undefined {
	return /^([A-Z][A-Z_]{2,60}): /.exec(text)?.[1];
}
