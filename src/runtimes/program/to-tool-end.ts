import { defined } from "@deputize/ground";
import type { ChildEvent } from "../../contract/event.ts";
import { findErrorCode } from "../../contract/tool-error.ts";
import { TRY_TOOL } from "../../toolbox/tool-rows.ts";
import { parseExitCode } from "../../tools/shell/parse-exit-code.ts";

/** The end of a call of one of ours says how its command ended, although programs hand on only its text. */
export function toToolEnd(end: {
	readonly id: string;
	readonly name: string;
	readonly isError: boolean;
	readonly output: string | undefined;
}): ChildEvent {
	const isCommand = end.name === "bash" || end.name === TRY_TOOL;
	const exitCode = isCommand ? parseExitCode(end.output ?? "", end.isError) : undefined;
	// Without its code, an edit that did not match would count as one that somebody refused.
	const code = end.isError ? findErrorCode(end.output ?? "") : undefined;
	return { type: "tool-end", ...defined({ ...end, exitCode, code }) };
}
