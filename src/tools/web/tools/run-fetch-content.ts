import type { ToolOutcome } from "../../../contract/tool.ts";
import { UNTRUSTED_NOTICE } from "../pages/mark-untrusted.ts";
import { toStoredDocument } from "../store/stored-response.ts";
import { fetchPages } from "./fetch-pages.ts";
import { parseFetchContentInput } from "./parse-web-input.ts";
import { renderDocuments } from "./render-documents.ts";
import { toLoggedUrl, type WebCall } from "./run-web-call.ts";
import { storeResponse } from "./store-response.ts";

/** Without a store (the loop runtime) the answer has no id, and the rest of a page is had by asking again. */
export async function runFetchContent(call: WebCall): Promise<ToolOutcome> {
	const request = parseFetchContentInput(call.input, call.parameters);
	const session = await call.openSession();
	const documents = await fetchPages(request.urls, request, session, call.context);
	const { stored, line } = await storeResponse(call, { kind: "fetch", queries: [], documents });
	const responseId = stored?.responseId ?? "";
	const rendered = renderDocuments(
		documents.map((document, index) => ({
			index,
			document: stored?.documents[index] ?? toStoredDocument(document),
			text: document.text ?? "",
		})),
		{ ...request, responseId, maxChars: session.config.maxContentChars },
	);
	const failures = documents.filter((document) => document.error !== undefined);
	const allFailed = failures.length === documents.length;
	const head = [
		line,
		failures.length > 0
			? `${documents.length - failures.length} of ${documents.length} pages were fetched.`
			: "",
		allFailed ? "" : UNTRUSTED_NOTICE,
	].filter((part) => part !== "");
	const firstError = failures[0]?.error;
	return {
		text: [head.join("\n"), ...rendered.map((document) => document.text)].join("\n\n").trim(),
		details: {
			...(responseId === "" ? {} : { responseId }),
			results: rendered.map((document) => document.details),
			...(allFailed && firstError ? { error: firstError } : {}),
		},
		isError: allFailed,
		summary: documents
			.map(({ url, error, text = "" }) => `${toLoggedUrl(url)} ${error?.code ?? `${text.length} chars`}`)
			.join(", "),
	};
}
