import type { ToolOutcome } from "../../../contract/tool.ts";
import { markUntrusted, UNTRUSTED_NOTICE } from "../pages/mark-untrusted.ts";
import type { ResponseStore } from "../store/create-response-store.ts";
import type { StoredResponse } from "../store/stored-response.ts";
import { WebError } from "../web-error.ts";
import { findPassages } from "./find-passages.ts";
import { isSameUrl } from "./is-same-url.ts";
import { type GetSearchContentInput, parseGetSearchContentInput } from "./parse-web-input.ts";
import {
	type RenderedDocument,
	renderDocuments,
	renderFacts,
	type SelectedDocument,
} from "./render-documents.ts";

export async function runGetSearchContent(
	input: unknown,
	store: ResponseStore,
	maxChars: number,
): Promise<ToolOutcome> {
	const request = parseGetSearchContentInput(input);
	const response = await store.open(request.responseId);
	const { responseId } = response;
	const selected: SelectedDocument[] = [];
	for (const { index, document } of selectDocuments(response, request)) {
		const text = document.chars === 0 ? "" : await store.readText(responseId, index);
		selected.push({ index, document, text });
	}
	const { findText } = request;
	const rendered =
		findText === undefined
			? renderDocuments(selected, { ...request, maxChars }, renderWithoutText)
			: renderFoundPassages(selected, findText, maxChars);
	const texts = rendered.map(({ text }) => text);
	if (findText !== undefined && texts.length === 0)
		texts.push(`"${findText}" does not occur in the ${selected.length} documents that were looked at.`);
	return {
		text: [`responseId: ${responseId}\n${UNTRUSTED_NOTICE}`, ...texts].join("\n\n"),
		details: { responseId, results: rendered.map(({ details }) => details) },
		isError: false,
		summary: `${responseId}, ${selected.length} documents`,
	};
}

function renderWithoutText({ index, document }: SelectedDocument): RenderedDocument {
	const { url, title, snippet = "", warning } = document;
	const content = `${renderFacts(document)}${snippet}`.trim();
	const lines = [
		`[${index}] ${url}`,
		warning === undefined ? "" : `note: ${warning}`,
		content === "" ? "(no text)" : markUntrusted(content, url),
		"Only the search hit is stored; fetch_content reads the page.",
	];
	return { text: lines.filter((line) => line !== "").join("\n"), details: { url, title, chars: 0 } };
}

function renderFoundPassages(
	selected: readonly SelectedDocument[],
	wanted: string,
	maxChars: number,
): RenderedDocument[] {
	let rest = maxChars;
	return selected.flatMap(({ index, document, text }) => {
		const { passages, total } = findPassages(text, wanted);
		if (total === 0) return [];
		const shown = passages.filter((passage) => {
			rest -= passage.text.length;
			return rest >= 0;
		});
		const blocks = shown.map((passage) => `at ${passage.offset}:\n${passage.text}`).join("\n…\n");
		const head = `[${index}] ${document.url}\n"${wanted}" occurs ${total} times; ${shown.length} passages:`;
		const content = `${renderFacts(document)}${blocks}`;
		return {
			text: blocks === "" ? head : `${head}\n${markUntrusted(content, document.url)}`,
			details: { url: document.url, matches: total, offsets: shown.map((passage) => passage.offset) },
		};
	});
}

/** The documents that the selectors leave; none given means all. */
function selectDocuments(
	response: StoredResponse,
	request: GetSearchContentInput,
): Omit<SelectedDocument, "text">[] {
	const { url, urlIndex } = request;
	const queryIndex = selectQuery(response, request);
	const selected = response.documents
		.map((document, index) => ({ index, document }))
		.filter(
			({ index, document }) =>
				(queryIndex === undefined || document.queryIndex === queryIndex) &&
				(urlIndex === undefined || index === urlIndex) &&
				(url === undefined || isSameUrl(document.url, url) || document.finalUrl === url),
		);
	if (selected.length > 0 || (url === undefined && urlIndex === undefined)) return selected;
	const known = response.documents.slice(0, 25).map((document, index) => `${index}: ${document.url}`);
	throw new WebError("NOT_FOUND", `${response.responseId} has no such document. It has\n${known.join("\n")}`);
}

function selectQuery(response: StoredResponse, request: GetSearchContentInput): number | undefined {
	const { query, queryIndex } = request;
	if (query === undefined && queryIndex === undefined) return undefined;
	const found =
		query === undefined ? (queryIndex ?? -1) : response.queries.findIndex((entry) => entry.query === query);
	if (response.queries[found] !== undefined) return found;
	const known = response.queries.map((entry, index) => `${index}: ${entry.query}`);
	const hint =
		known.length === 0
			? "It is a fetch and has no queries; select by url or urlIndex."
			: `It has\n${known.join("\n")}`;
	throw new WebError("NOT_FOUND", `${response.responseId} has no such query. ${hint}`);
}
