import { Readability } from "@mozilla/readability";
import { cleanDocument } from "./clean-document.ts";
import { type PageDocument, type PageElement, parsePage } from "./dom.ts";
import { countText, findContentRoot, isDocumentation, removeFurniture } from "./find-content-root.ts";
import { hasLostStructure, measureStructure } from "./measure-structure.ts";

type ExtractionEngine = "readability" | "defuddle" | "main";

interface ExtractedContent {
	readonly html: string;
	readonly title: string;
	readonly engine: ExtractionEngine;
	/** Almost no text and several scripts: the page is drawn by scripts that are not run here. */
	readonly needsScripts: boolean;
}

/** Less than this share of the text of the page's own content element means that the extraction chose wrongly. */
const MIN_SHARE_OF_ROOT = 0.6;
const MIN_ARTICLE_CHARS = 200;
const FEW_CHARS = 200;
const MANY_SCRIPTS = 3;

/**
 * Finds the content of a page. The content element of a page of documentation is taken as it is. Of other pages,
 * Readability first, because it is best at telling an article from its surroundings;
 * when it lost code, tables or most of the text, defuddle; when that did not do better, the page's own content
 * element without its furniture.
 */
export async function extractContent(html: string, url: string): Promise<ExtractedContent> {
	const document = parsePage(html);
	const scripts = document.querySelectorAll("script").length;
	const title = findTitle(document);
	cleanDocument(document, url);
	const pageChars = document.body ? countText(document.body) : 0;
	const rest = { title, needsScripts: pageChars < FEW_CHARS && scripts > MANY_SCRIPTS };
	if (isDocumentation(document) && pageChars >= FEW_CHARS) {
		const content = findContentRoot(document);
		if (content) return { html: removeFurniture(content).innerHTML, engine: "main", ...rest };
	}
	return { ...(await extractArticle(document, html, url)), ...rest };
}

async function extractArticle(
	document: PageDocument,
	html: string,
	url: string,
): Promise<Pick<ExtractedContent, "html" | "engine">> {
	const root = findContentRoot(document);
	// A copy, because Readability takes the document apart.
	const whole = root
		? measureElement(removeFurniture({ ...root, element: copyElement(document, root.element) }))
		: NOTHING;
	const article = readArticle(document);
	const minChars = root?.isExplicit
		? whole.chars * MIN_SHARE_OF_ROOT
		: Math.min(MIN_ARTICLE_CHARS, whole.chars);
	const isComplete = (candidate: Measured) =>
		candidate.chars >= minChars && !hasLostStructure(whole.structure, candidate.structure, candidate.chars);
	if (article && isComplete(article)) return { html: article.html, engine: "readability" };
	const second = await readWithDefuddle(html, url);
	if (second && isComplete(second)) return { html: second.html, engine: "defuddle" };
	return { html: whole.html, engine: "main" };
}

interface Measured {
	readonly html: string;
	readonly chars: number;
	readonly structure: number;
}

const NOTHING: Measured = { html: "", chars: 0, structure: 0 };

function measureElement(element: PageElement): Measured {
	return { html: element.innerHTML, chars: countText(element), structure: measureStructure(element) };
}

function copyElement(document: PageDocument, element: PageElement): PageElement {
	const copy = document.createElement("div");
	copy.innerHTML = element.innerHTML;
	return copy;
}

function readArticle(document: PageDocument): Measured | undefined {
	// The element instead of its text saves parsing it again for measuring.
	const options = { keepClasses: true, serializer: (element: unknown) => element as PageElement };
	try {
		const article = new Readability<PageElement>(document as never, options as never).parse();
		return article?.content ? measureElement(article.content) : undefined;
	} catch {
		// It walks the tree by recursion and by assumptions about it; other engines follow.
		return undefined;
	}
}

async function readWithDefuddle(html: string, url: string): Promise<Measured | undefined> {
	const { Defuddle } = await import("defuddle/node");
	const document = parsePage(html);
	cleanDocument(document, url);
	try {
		// It would ask third parties for what a page does not contain; only the page itself is wanted.
		const options = { useAsync: false, fetch: refuseFetch, removeImages: false };
		const found = await Defuddle(document as never, url, options);
		const body = found.content ? parsePage(found.content).body : null;
		if (!body) return undefined;
		return { html: found.content, chars: countText(body), structure: measureStructure(body) };
	} catch {
		return undefined;
	}
}

function refuseFetch(): Promise<never> {
	return Promise.reject(new Error("The converter does not use the network."));
}

function findTitle(document: PageDocument): string {
	const found = [
		document.querySelector('meta[property="og:title"]')?.getAttribute("content"),
		document.querySelector("title")?.textContent,
		document.querySelector("h1")?.textContent,
	];
	for (const candidate of found) {
		const title = (candidate ?? "").replace(/\s+/g, " ").replace(/\s?¶$/, "").trim();
		if (title !== "") return title.slice(0, 300);
	}
	return "";
}
