import { defined } from "@deputize/ground";
import { markUntrusted } from "../pages/mark-untrusted.ts";
import { shareBudget, sliceText, type TextPage } from "../store/slice-text.ts";
import type { StoredDocument } from "../store/stored-response.ts";

export interface SelectedDocument {
	readonly index: number;
	readonly document: StoredDocument;
	readonly text: string;
}

interface ShownDocument extends SelectedDocument {
	readonly offset: number;
	readonly limit: number;
	/** Empty when nothing is stored, and the rest cannot be had later. */
	readonly responseId: string;
}

export interface RenderedDocument {
	readonly text: string;
	readonly details: Readonly<Record<string, unknown>>;
}

/**
 * A page of each document. Their text is bounded as a whole, however many they are: short ones leave what they do not
 * need to the long ones.
 */
export function renderDocuments(
	documents: readonly SelectedDocument[],
	range: {
		readonly offset?: number;
		readonly limit?: number;
		readonly maxChars: number;
		readonly responseId: string;
	},
	renderEmpty?: (document: SelectedDocument) => RenderedDocument,
): RenderedDocument[] {
	const { offset = 0, limit = Number.POSITIVE_INFINITY, maxChars, responseId } = range;
	const wanted = documents.map(({ text }) => Math.min(limit, Math.max(0, text.length - offset)));
	const shares = shareBudget(wanted, maxChars);
	return documents.map((shown, position) =>
		renderEmpty && shown.text === "" && !shown.document.error
			? renderEmpty(shown)
			: renderDocument({ ...shown, offset, limit: shares[position] ?? 1, responseId }),
	);
}

/**
 * One document: where it is, what part of it is shown and how to get the rest, and between markers everything that the
 * page says: its title and the address it redirects to are a stranger's words too.
 */
export function renderDocument(shown: ShownDocument): RenderedDocument {
	const { index, document, responseId } = shown;
	const heading = `[${index}] ${document.url}`;
	if (document.error)
		return {
			text: `${heading}\nfailed: ${document.error.code}: ${document.error.message}`,
			details: { url: document.url, error: document.error },
		};
	const page = sliceText(shown.text, shown.offset, shown.limit);
	const { offset, nextOffset, total: chars } = page;
	const { url, finalUrl, title, contentType, warning } = document;
	const facts = offset === 0 ? renderFacts(document) : "";
	const content = page.text === "" ? facts.trim() : `${facts}${page.text}`;
	const lines = [
		heading,
		`type: ${toMediaType(contentType)} · ${describeRange(page)}${document.truncated ? " · the source was longer than what is stored" : ""}`,
		nextOffset === undefined ? "" : describeNext(responseId, index, nextOffset),
		warning === undefined ? "" : `note: ${warning}`,
		content === "" ? "(no text)" : markUntrusted(content, url),
	];
	const truncated = document.truncated || nextOffset !== undefined;
	return {
		text: lines.filter((line) => line !== "").join("\n"),
		details: defined({ url, finalUrl, title, contentType, chars, offset, nextOffset, truncated, warning }),
	};
}

/** Title and redirect of a page, to be shown between the markers. */
export function renderFacts({ url, title, finalUrl }: StoredDocument): string {
	// A page without a title is named after its address, which the heading already shows.
	const isName = (URL.parse(url)?.pathname ?? url).endsWith(`/${title}`);
	const lines = [
		isName ? "" : `Title: ${title.replace(/\s+/g, " ")}`,
		finalUrl === undefined ? "" : `Redirected to: ${finalUrl}`,
	].filter((line) => line !== "");
	return lines.length === 0 ? "" : `${lines.join("\n")}\n\n`;
}

/** What a server calls the type of its answer may be anything. */
function toMediaType(contentType: string | undefined): string {
	return /^[\w.+-]{1,60}\/[\w.+-]{1,80}/.exec(contentType ?? "")?.[0] ?? "text";
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
