import { parseJsonObject } from "@deputize/ground";
import type { SearchHit } from "../search/search-provider.ts";
import type { WebFailure } from "../web-error.ts";

/** One page, search hit or section. Its text, if any, is in a separate file. */
export interface StoredDocument extends Omit<SearchHit, "content"> {
	/** Index into `queries`; absent for fetched pages. */
	readonly queryIndex?: number;
	/** Where redirects led, when that is another address. */
	readonly finalUrl?: string;
	readonly contentType?: string;
	/** Length of the stored text; 0 when there is none. */
	readonly chars: number;
	/** The source was longer than what is stored. */
	readonly truncated: boolean;
	readonly warning?: string;
	readonly error?: WebFailure;
}

export interface NewDocument extends Omit<StoredDocument, "chars" | "truncated"> {
	readonly text?: string;
	readonly truncated?: boolean;
}

/** A document without its text, of which `maxChars` are stored. */
export function toStoredDocument(
	{ text = "", truncated = false, ...facts }: NewDocument,
	maxChars = Number.POSITIVE_INFINITY,
): StoredDocument {
	return {
		...facts,
		chars: Math.min(text.length, maxChars),
		truncated: truncated || text.length > maxChars,
	};
}

interface StoredQuery {
	readonly query: string;
	readonly provider: string;
	readonly error?: WebFailure;
}

export interface StoredResponse {
	readonly version: 1;
	readonly responseId: string;
	readonly kind: "search" | "fetch";
	readonly createdAt: number;
	readonly queries: readonly StoredQuery[];
	readonly documents: readonly StoredDocument[];
}

/** A response before it is stored. */
export type NewResponse = Pick<StoredResponse, "kind" | "queries"> & {
	readonly documents: readonly NewDocument[];
};

/** Reads an index file back; undefined when it is not one of ours. */
export function parseStoredResponse(text: string): StoredResponse | undefined {
	const candidate = parseJsonObject(text) as Partial<StoredResponse> | undefined;
	const isOurs =
		candidate?.version === 1 &&
		typeof candidate.responseId === "string" &&
		Array.isArray(candidate.queries) &&
		Array.isArray(candidate.documents) &&
		candidate.documents.every((entry: unknown) => isStoredDocument(entry));
	return isOurs ? (candidate as StoredResponse) : undefined;
}

function isStoredDocument(entry: unknown): boolean {
	const candidate = entry as Partial<StoredDocument> | null;
	return (
		typeof candidate?.url === "string" &&
		typeof candidate.title === "string" &&
		typeof candidate.chars === "number"
	);
}
