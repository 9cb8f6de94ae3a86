import { ToolError } from "@deputize/ground";

/** Contract with callers: add, never rename. */
export const WEB_ERROR_CODES = [
	"INVALID_INPUT",
	"NOT_FOUND",
	"ABORTED",
	"QUEUE_FULL",
	"NETWORK_ERROR",
	"PARSE_ERROR",
	"PRIVATE_NETWORK_BLOCKED",
	"WEB_SEARCH_FAILED",
	"WEB_SEARCH_TIMEOUT",
	"WEB_SEARCH_INVALID_QUERY",
	"CONTENT_FETCH_FAILED",
	"CONTENT_FETCH_TIMEOUT",
	"CONTENT_FETCH_INVALID_URL",
	"CONTENT_FETCH_TOO_LARGE",
	"CONTENT_UNSUPPORTED",
	"PROVIDER_RATE_LIMITED",
	"PROVIDER_UNAVAILABLE",
	"PROVIDER_AUTH_FAILED",
	"STORE_FAILED",
] as const;

export type WebErrorCode = (typeof WEB_ERROR_CODES)[number];

/** A refusal by a stage of a web tool. */
export class WebError extends ToolError<WebErrorCode> {}

export interface WebFailure {
	readonly code: string;
	readonly message: string;
}

/** undici reports a refused connection as "fetch failed" and hides the reason in a chain of causes. */
export function findWebError(error: unknown): WebError | undefined {
	let current: unknown = error;
	for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
		if (current instanceof WebError) return current;
		if (current instanceof AggregateError) {
			const inner = current.errors.find((entry): entry is WebError => entry instanceof WebError);
			if (inner) return inner;
		}
		current = current.cause;
	}
	return undefined;
}
