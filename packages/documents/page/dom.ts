import { parseHTML } from "linkedom";

/**
 * The small part of the DOM that is used here. The library's own types lean on the browser's, which this package
 * is compiled without.
 */
interface PageNode {
	textContent: string;
}

export interface PageElement extends PageNode {
	readonly tagName: string;
	readonly className: string;
	readonly parentElement: PageElement | null;
	innerHTML: string;
	getAttribute(name: string): string | null;
	setAttribute(name: string, value: string): void;
	removeAttribute(name: string): void;
	hasAttribute(name: string): boolean;
	querySelector(selector: string): PageElement | null;
	querySelectorAll(selector: string): Iterable<PageElement> & { readonly length: number };
	closest(selector: string): PageElement | null;
	appendChild(node: PageNode): void;
	replaceWith(...nodes: (PageNode | string)[]): void;
	remove(): void;
}

export interface PageDocument {
	readonly body: PageElement | null;
	readonly documentElement: PageElement | null;
	createElement(name: string): PageElement;
	querySelector(selector: string): PageElement | null;
	querySelectorAll(selector: string): Iterable<PageElement> & { readonly length: number };
}

/** A document with a body, also for a fragment: linkedom would make the first element of a fragment the root. */
export function parsePage(html: string): PageDocument {
	const document = parseDocument(html);
	if (document.documentElement?.tagName === "HTML" && document.querySelector("body") !== null)
		return document;
	const wrapped = `<!doctype html><html><head></head><body>${html}</body></html>`;
	return parseDocument(wrapped);
}

function parseDocument(html: string): PageDocument {
	return (parseHTML(html) as unknown as { document: PageDocument }).document;
}
