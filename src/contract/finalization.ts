/** What a child hands over with `subagent_finalize`. */
export type Finalization =
	| { readonly status: "SUCCESS"; readonly result: string }
	| { readonly status: "ERROR"; readonly error: string; readonly result?: string };

export const FINALIZE_TOOL = "subagent_finalize";

/** The custom message our child extension adds when it sends the model back to finalize. */
export const CORRECTION_MESSAGE = "deputize-correction";

export type CheckedFinalization =
	| { readonly ok: true; readonly finalization: Finalization }
	| { readonly ok: false; readonly reason: string };

/** What a child passed to `subagent_finalize`, or what is wrong with it in words the child can act on. */
export function checkFinalization(input: unknown): CheckedFinalization {
	if (typeof input !== "object" || input === null)
		return { ok: false, reason: "it was called without arguments" };
	const { status, result, error } = input as Readonly<Record<string, unknown>>;
	const hasResult = typeof result === "string" && result.trim() !== "";
	const hasError = typeof error === "string" && error.trim() !== "";
	if (status === "SUCCESS") {
		return hasResult
			? { ok: true, finalization: { status, result } }
			: { ok: false, reason: "status SUCCESS needs a non-empty result" };
	}
	if (status === "ERROR") {
		return hasError
			? { ok: true, finalization: { status, error, ...(hasResult ? { result } : {}) } }
			: { ok: false, reason: "status ERROR needs a non-empty error" };
	}
	return {
		ok: false,
		reason: `status must be "SUCCESS" or "ERROR", not ${JSON.stringify(status) ?? "missing"}`,
	};
}

const QUOTED_CHARS = 100;

/**
 * The message to a child that settled without finalizing. `written` is the longest text it wrote instead: a model that
 * believes it has answered already hands over "see above" unless it is shown which text is missing.
 */
export function describeCorrection(reason: string, written = ""): string {
	const text = written.trim().replace(/\s+/g, " ");
	const missing =
		text === ""
			? ""
			: ` Your text that begins ${JSON.stringify(text.slice(0, QUOTED_CHARS))} (${written.length} characters) did not reach the caller: put all of it in result instead of referring to it.`;
	return `You have not handed over yet: ${reason}.${missing} Call ${FINALIZE_TOOL} now, as your only action: status "SUCCESS" with the complete answer in result, or status "ERROR" with the reason in error and what you found so far in result.`;
}

export const NEVER_CALLED = `${FINALIZE_TOOL} was not called`;
