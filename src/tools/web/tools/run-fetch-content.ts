import type { ToolContext } from "../../../contract/tool.ts";
import type { WebSession } from "../open-web-session.ts";
import { UNTRUSTED_NOTICE } from "../pages/mark-untrusted.ts";
import type { NewDocument, ResponseStore } from "../store/create-response-store.ts";
import { shareBudget } from "../store/slice-text.ts";
import type { StoredDocument } from "../store/stored-response.ts";
import { fetchPages } from "./fetch-pages.ts";
import type { FetchContentInput } from "./parse-tool-input.ts";
import { renderDocument } from "./render-document.ts";
import { type FinishedCall, toLoggedUrl } from "./run-web-call.ts";
import { storeResponse } from "./store-response.ts";

/** Without a store (the loop runtime) the answer has no id, and the rest of a page is had by asking again. */
export async function runFetchContent(
	request: FetchContentInput,
	session: WebSession,
	store: ResponseStore | undefined,
	context: ToolContext,
): Promise<FinishedCall> {
	const documents = await fetchPages(request.urls, request, session, context);
	const { stored, line } = await storeResponse(store, { kind: "fetch", queries: [], documents });
	const responseId = stored?.responseId ?? "";
	const shown = documents.map((document, index) => stored?.documents[index] ?? toShown(document));
	const limits = shareLimits(documents, request, session.config.maxContentChars);
	const rendered = documents.map((document, index) =>
		renderDocument({
			index,
			document: shown[index] as StoredDocument,
			text: document.text ?? "",
			offset: request.offset,
			limit: limits[index] ?? 1,
			responseId,
		}),
	);
	const failures = documents.filter((document) => document.error !== undefined);
	const allFailed = failures.length === documents.length;
	const head = [
		line,
		failures.length > 0
			? `${documents.length - failures.length} of ${documents.length} pages were fetched.`
			: "",
		allFailed ? "" : UNTRUSTED_NOTICE,
	].filter((line) => line !== "");
	const firstError = failures[0]?.error;
	return {
		outcome: {
			text: [head.join("\n"), ...rendered.map((document) => document.text)].join("\n\n").trim(),
			details: {
				...(responseId === "" ? {} : { responseId }),
				results: rendered.map((document) => document.details),
				...(allFailed && firstError ? { error: firstError } : {}),
			},
			isError: allFailed,
		},
		summary: documents
			.map(
				(document) =>
					`${toLoggedUrl(document.url)} ${document.error?.code ?? `${document.text?.length ?? 0} chars`}`,
			)
			.join(", "),
	};
}

/** A call's text is bounded as a whole, however many pages it fetches. */
function shareLimits(
	documents: readonly NewDocument[],
	request: FetchContentInput,
	budget: number,
): number[] {
	const lengths = documents.map(({ text }) => {
		const rest = Math.max(0, (text?.length ?? 0) - request.offset);
		return Math.min(rest, request.limit ?? rest);
	});
	return shareBudget(lengths, budget);
}

function toShown({ text, truncated, ...rest }: NewDocument): StoredDocument {
	return { ...rest, chars: text?.length ?? 0, truncated: truncated === true };
}
