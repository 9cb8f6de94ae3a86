import { findWebError } from "../web-error.ts";
import type { FetchOptions, FetchRefusal } from "./fetch-outcome.ts";

/** What a connection error means to the caller. The first cause of the end is the one reported. */
export function toRefusal(
	error: unknown,
	url: string,
	request: FetchOptions,
	deadline: AbortSignal,
): FetchRefusal {
	if (request.signal.aborted) return { ok: false, code: "ABORTED", message: "The call was cancelled." };
	const known = findWebError(error);
	if (known) return { ok: false, code: known.code, message: known.message };
	if (deadline.aborted)
		return {
			ok: false,
			code: "CONTENT_FETCH_TIMEOUT",
			message: `${url} did not answer completely within ${request.timeoutMs} ms.`,
		};
	return {
		ok: false,
		code: "NETWORK_ERROR",
		message: `${url} could not be reached: ${describeCause(error)}.`,
	};
}

function describeCause(error: unknown): string {
	let current = error;
	for (let depth = 0; depth < 8 && current instanceof Error && current.cause instanceof Error; depth += 1)
		current = current.cause;
	if (current instanceof AggregateError && current.errors[0] instanceof Error) current = current.errors[0];
	return current instanceof Error ? current.message || current.name : String(current);
}
