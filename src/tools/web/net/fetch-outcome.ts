import type { WebErrorCode } from "../web-error.ts";

interface BodyHead {
	readonly url: string;
	readonly contentType: string;
	/** The first bytes of the decoded body, for telling types apart by content. */
	readonly firstBytes: Uint8Array;
}

export interface FetchOptions {
	readonly signal: AbortSignal;
	/** For everything: connecting, redirects, retries and the body. */
	readonly timeoutMs: number;
	/** Limit of decoded bytes, fixed or chosen when type and first bytes are known. */
	readonly maxBytes: number | ((head: BodyHead) => number);
	/** What a body over the limit is: an error (default) or a success with its beginning. */
	readonly onOversize?: "fail" | "truncate";
	readonly method?: "GET" | "POST";
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	/** `refuse` is for requests that carry a key. */
	readonly redirects?: "follow" | "refuse";
}

export interface FetchedBody {
	readonly ok: true;
	/** After redirects. */
	readonly url: string;
	readonly status: number;
	readonly contentType: string;
	readonly bytes: Uint8Array;
	readonly truncated: boolean;
	readonly redirects: readonly string[];
}

export interface FetchRefusal {
	readonly ok: false;
	readonly code: WebErrorCode;
	readonly message: string;
	readonly status?: number;
	readonly retryAfterMs?: number;
	/** Beginning of the body of an HTTP error, for callers that know its shape. */
	readonly body?: string;
}

export type FetchOutcome = FetchedBody | FetchRefusal;
