import type { DelegationResult } from "../../contract/result.ts";

/** The answer goes to stdout, whatever went wrong to stderr: partial work can be piped on like a whole one. */
export function showResult(result: DelegationResult): void {
	const output = result.details.results[0]?.output;
	if (output) process.stdout.write(`${output.trimEnd()}\n`);
	const { error, sessionId } = result.details;
	if (!error) return;
	process.stderr.write(`deputize: ${error.message}\n`);
	if (result.isError && sessionId && result.details.results[0]?.sessionFile) {
		process.stderr.write(`deputize: to continue where it stopped, add: --session ${sessionId}\n`);
	}
}

/** Exactly pi's tool result; `isError` is said by the exit code and by `details.error`. */
export function toJsonResult(result: DelegationResult): Omit<DelegationResult, "isError"> {
	const { content, details, usage } = result;
	return { content, details, usage };
}
