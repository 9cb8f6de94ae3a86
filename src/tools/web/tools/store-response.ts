import type { NewResponse, StoredResponse } from "../store/stored-response.ts";
import { WebError } from "../web-error.ts";
import type { WebParts } from "./run-web-call.ts";

interface StoringResult {
	readonly stored?: StoredResponse;
	/** First line of the text: the id, or why there is none. */
	readonly line: string;
}

/**
 * Stores a response where there is a store. What was fetched is given even when it cannot be kept, as in a child
 * that may not write: the rest of a long page is then had by asking again.
 */
export async function storeResponse({ openStore }: WebParts, response: NewResponse): Promise<StoringResult> {
	const store = await openStore?.();
	if (!store) return { line: "" };
	try {
		const stored = await store.save(response);
		return { stored, line: `responseId: ${stored.responseId}` };
	} catch (error) {
		if (!(error instanceof WebError)) throw error;
		return { line: `not stored: ${error.code}: ${error.message}` };
	}
}
