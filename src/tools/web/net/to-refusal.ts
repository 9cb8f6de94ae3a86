import { findWebError, type WebErrorCode } from "../web-error.ts";
import type { FetchOptions, FetchRefusal } from "./fetch-outcome.ts";

/** What a connection error means to the caller. The first cause of the end is the one reported. */
export function toRefusal(
	error: unknown,
	url: string,
	request: FetchOptions,
	deadline: AbortSignal,
): FetchRefusal {
	const { signal, timeoutMs } = request;
	if (signal.aborted) return buildRefusal("ABORTED", "The call was cancelled.");
	const known = findWebError(error);
	if (known) return buildRefusal(known.code, known.message);
	if (deadline.aborted)
		return buildRefusal("CONTENT_FETCH_TIMEOUT", `${url} did not answer completely within ${timeoutMs} ms.`);
	return buildRefusal("NETWORK_ERROR", `${url} could not be reached: ${describeCause(error)}.`);
}

function buildRefusal(code: WebErrorCode, message: string): FetchRefusal {
	return { ok: false, code, message };
}

function describeCause(error: unknown): string {
	let current = error;
	for (let depth = 0; depth < 8 && current instanceof Error && current.cause instanceof Error; depth += 1)
		current = current.cause;
	if (current instanceof AggregateError && current.errors[0] instanceof Error) current = current.errors[0];
	return current instanceof Error ? current.message || current.name : String(current);
}
