import { markUntrusted } from "../pages/mark-untrusted.ts";
import { sliceText, type TextPage } from "../store/slice-text.ts";
import type { StoredDocument } from "../store/stored-response.ts";

export interface ShownDocument {
	readonly index: number;
	readonly document: StoredDocument;
	readonly text: string;
	readonly offset: number;
	readonly limit: number;
	/** Empty when nothing is stored, and the rest cannot be had later. */
	readonly responseId: string;
}

export interface RenderedDocument {
	readonly text: string;
	readonly details: Readonly<Record<string, unknown>>;
}

/** One document: what it is, what part of it is shown and how to get the rest, and its text between markers. */
export function renderDocument(shown: ShownDocument): RenderedDocument {
	const { index, document, responseId } = shown;
	const heading = `[${index}] ${toHeading(document)}`;
	if (document.error)
		return {
			text: `${heading}\nfailed: ${document.error.code}: ${document.error.message}`,
			details: { url: document.url, error: document.error },
		};
	const page = sliceText(shown.text, shown.offset, shown.limit);
	const lines = [
		heading,
		`url: ${document.url}${document.finalUrl === undefined ? "" : ` (redirected to ${document.finalUrl})`}`,
		`type: ${document.contentType ?? "text"} · ${describeRange(page)}${document.truncated ? " · the source was longer than what is stored" : ""}`,
		page.nextOffset === undefined ? "" : describeNext(responseId, index, page.nextOffset),
		document.warning === undefined ? "" : `note: ${document.warning}`,
		page.text === "" ? "(no text)" : markUntrusted(page.text, document.url),
	];
	return {
		text: lines.filter((line) => line !== "").join("\n"),
		details: {
			url: document.url,
			...(document.finalUrl === undefined ? {} : { finalUrl: document.finalUrl }),
			title: document.title,
			...(document.contentType === undefined ? {} : { contentType: document.contentType }),
			chars: page.total,
			offset: page.offset,
			...(page.nextOffset === undefined ? {} : { nextOffset: page.nextOffset }),
			truncated: document.truncated || page.nextOffset !== undefined,
			...(document.warning === undefined ? {} : { warning: document.warning }),
		},
	};
}

function toHeading(document: StoredDocument): string {
	return document.title === "" ? document.url : document.title.replace(/\s+/g, " ");
}

function describeRange(page: TextPage): string {
	const end = page.nextOffset ?? page.total;
	const isWhole = page.offset === 0 && page.nextOffset === undefined;
	return isWhole ? `${page.total} characters, complete` : `characters ${page.offset}–${end} of ${page.total}`;
}

function describeNext(responseId: string, index: number, nextOffset: number): string {
	if (responseId === "")
		return `truncated: true, next offset ${nextOffset}: ask again with {"offset":${nextOffset}}`;
	const call = JSON.stringify({ responseId, urlIndex: index, offset: nextOffset });
	return `truncated: true, next offset ${nextOffset}: get_search_content ${call}`;
}
