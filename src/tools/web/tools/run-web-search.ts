import { defined } from "@deputize/ground";
import type { ToolContext, ToolOutcome } from "../../../contract/tool.ts";
import type { WebSession } from "../open-web-session.ts";
import { UNTRUSTED_NOTICE } from "../pages/mark-untrusted.ts";
import type { NewDocument } from "../store/stored-response.ts";
import { fetchPages } from "./fetch-pages.ts";
import { parseWebSearchInput, type WebSearchInput } from "./parse-web-input.ts";
import { renderAnswers } from "./render-answers.ts";
import type { WebCall } from "./run-web-call.ts";
import { type AnsweredQuery, searchQueries } from "./search-queries.ts";
import { storeResponse } from "./store-response.ts";

export async function runWebSearch(call: WebCall): Promise<ToolOutcome> {
	const request = parseWebSearchInput(call.input, call.parameters);
	const session = await call.openSession();
	const { maxResults, maxContentChars } = session.config;
	const count = Math.min(request.numResults ?? maxResults, Math.max(1, maxResults));
	const answers = await searchQueries(request.queries, count, session, call.context);
	const documents = await toDocuments(answers, request, session, call.context);
	const { stored, line } = await storeResponse(call, {
		kind: "search",
		queries: answers.map(({ query, provider, error }) => ({ query, provider, ...defined({ error }) })),
		documents,
	});
	const allFailed = answers.every((answer) => answer.error !== undefined);
	const firstError = answers.find((answer) => answer.error)?.error;
	const responseId = stored?.responseId ?? "";
	const rendered = renderAnswers(answers, documents, {
		responseId,
		includeContent: request.includeContent === true,
		maxChars: maxContentChars,
	});
	const head = [line, documents.length === 0 ? "" : UNTRUSTED_NOTICE];
	return {
		text: [head.filter((part) => part !== "").join("\n"), rendered.text].join("\n\n").trim(),
		details: {
			...(responseId === "" ? {} : { responseId }),
			queries: rendered.details,
			...(allFailed && firstError ? { error: firstError } : {}),
		},
		isError: allFailed,
		summary: answers
			.map(
				({ query, provider, hits, error }) =>
					`"${query.slice(0, 80)}" ${provider} ${error?.code ?? `${hits.length} results`}`,
			)
			.join(", "),
	};
}

/** One document per hit, in the order in which they are shown, with its text where it was asked for or came along. */
async function toDocuments(
	answers: readonly AnsweredQuery[],
	request: WebSearchInput,
	session: WebSession,
	context: ToolContext,
): Promise<NewDocument[]> {
	const hits = answers.flatMap((answer, queryIndex) => answer.hits.map((hit) => ({ hit, queryIndex })));
	const wanted = request.includeContent ? hits.filter(({ hit }) => hit.content === undefined) : [];
	const urls = [...new Set(wanted.map(({ hit }) => hit.url))];
	const pages = await fetchPages(urls, {}, session, context);
	const byUrl = new Map(urls.map((url, index) => [url, pages[index]]));
	return hits.map(({ hit, queryIndex }) => {
		const { content, ...facts } = hit;
		const page = byUrl.get(hit.url);
		const base = { ...facts, queryIndex };
		if (content !== undefined) return { ...base, contentType: "text/markdown", text: content };
		if (!page) return base;
		// The hit itself is a success; that its page could not be read is only a remark.
		if (page.error) return { ...base, warning: `not fetched: ${page.error.code}: ${page.error.message}` };
		const { url: _url, title: _title, ...fetched } = page;
		return { ...base, ...fetched };
	});
}
