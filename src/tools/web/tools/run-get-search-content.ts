import { markUntrusted, UNTRUSTED_NOTICE } from "../pages/mark-untrusted.ts";
import type { ResponseStore } from "../store/create-response-store.ts";
import { shareBudget } from "../store/slice-text.ts";
import type { StoredDocument, StoredResponse } from "../store/stored-response.ts";
import { WebError } from "../web-error.ts";
import { findPassages } from "./find-passages.ts";
import { isSameUrl } from "./is-same-url.ts";
import { type GetSearchContentInput, parseGetSearchContentInput } from "./parse-tool-input.ts";
import { renderDocument, renderFacts } from "./render-document.ts";
import type { FinishedCall } from "./run-web-call.ts";

interface SelectedDocument {
	readonly index: number;
	readonly document: StoredDocument;
	readonly text: string;
}

export async function runGetSearchContent(
	input: unknown,
	store: ResponseStore,
	maxChars: number,
): Promise<FinishedCall> {
	const request = parseGetSearchContentInput(input);
	const response = await store.open(request.responseId);
	const indexes = selectDocuments(response, request);
	const selected: SelectedDocument[] = [];
	for (const index of indexes) {
		const document = response.documents[index] as StoredDocument;
		const text = document.chars === 0 ? "" : await store.readText(response.responseId, index);
		selected.push({ index, document, text });
	}
	const rendered =
		request.findText === undefined
			? renderPages(selected, request, maxChars)
			: renderFoundPassages(selected, request.findText, maxChars);
	return {
		outcome: {
			text: [`responseId: ${response.responseId}\n${UNTRUSTED_NOTICE}`, ...rendered.texts].join("\n\n"),
			details: { responseId: response.responseId, results: rendered.details },
			isError: false,
		},
		summary: `${response.responseId}, ${selected.length} documents`,
	};
}

function renderPages(
	selected: readonly SelectedDocument[],
	request: GetSearchContentInput,
	maxChars: number,
) {
	const lengths = selected.map(({ text }) => {
		const rest = Math.max(0, text.length - request.offset);
		return Math.min(rest, request.limit ?? rest);
	});
	const shares = shareBudget(lengths, maxChars);
	const rendered = selected.map(({ index, document, text }, position) =>
		text === "" && !document.error
			? renderWithoutText(index, document)
			: renderDocument({
					index,
					document,
					text,
					offset: request.offset,
					limit: shares[position] ?? 1,
					responseId: request.responseId,
				}),
	);
	return { texts: rendered.map(({ text }) => text), details: rendered.map(({ details }) => details) };
}

function renderWithoutText(index: number, document: StoredDocument) {
	const { url, title, snippet = "" } = document;
	const lines = [`[${index}] ${url}`, document.warning === undefined ? "" : `note: ${document.warning}`];
	const content = `${renderFacts(document)}${snippet}`.trim();
	const text = content === "" ? "(no text)" : markUntrusted(content, url);
	return {
		text: [
			...lines.filter((line) => line !== ""),
			text,
			"Only the search hit is stored; fetch_content reads the page.",
		].join("\n"),
		details: { url, title, chars: 0 },
	};
}

function renderFoundPassages(selected: readonly SelectedDocument[], wanted: string, maxChars: number) {
	const texts: string[] = [];
	const details: Readonly<Record<string, unknown>>[] = [];
	let rest = maxChars;
	for (const { index, document, text } of selected) {
		const { passages, total } = findPassages(text, wanted);
		if (total === 0) continue;
		const shown = passages.filter((passage) => {
			rest -= passage.text.length;
			return rest >= 0;
		});
		const blocks = shown.map((passage) => `at ${passage.offset}:\n${passage.text}`).join("\n…\n");
		const head = `[${index}] ${document.url}\n"${wanted}" occurs ${total} times; ${shown.length} passages:`;
		const content = `${renderFacts(document)}${blocks}`;
		texts.push(blocks === "" ? head : `${head}\n${markUntrusted(content, document.url)}`);
		details.push({ url: document.url, matches: total, offsets: shown.map((passage) => passage.offset) });
	}
	if (texts.length === 0)
		texts.push(`"${wanted}" does not occur in the ${selected.length} documents that were looked at.`);
	return { texts, details };
}

/** Indexes of the documents that the selectors leave; none given means all. */
function selectDocuments(response: StoredResponse, request: GetSearchContentInput): number[] {
	const queryIndex = selectQuery(response, request);
	let indexes = response.documents.map((_, index) => index);
	if (queryIndex !== undefined)
		indexes = indexes.filter((index) => response.documents[index]?.queryIndex === queryIndex);
	if (request.urlIndex !== undefined) indexes = indexes.filter((index) => index === request.urlIndex);
	if (request.url !== undefined) {
		const { url } = request;
		indexes = indexes.filter((index) => {
			const document = response.documents[index];
			return isSameUrl(document?.url ?? "", url) || document?.finalUrl === url;
		});
	}
	const isNarrowed = request.urlIndex !== undefined || request.url !== undefined;
	if (indexes.length === 0 && isNarrowed) {
		const known = response.documents.slice(0, 25).map((document, index) => `${index}: ${document.url}`);
		throw new WebError(
			"NOT_FOUND",
			`${response.responseId} has no such document. It has\n${known.join("\n")}`,
		);
	}
	return indexes;
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
