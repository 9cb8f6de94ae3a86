import { Readability } from "@mozilla/readability";
import { cleanDocument } from "./clean-document.ts";
import { type PageDocument, type PageElement, parsePage } from "./dom.ts";
import { isDocumentation } from "./is-documentation.ts";
import { hasLostStructure, measureStructure } from "./measure-structure.ts";

export type ExtractionEngine = "readability" | "defuddle" | "main";

export interface ExtractedContent {
	readonly html: string;
	readonly title: string;
	readonly engine: ExtractionEngine;
	/** Characters of text that a reader would see on the whole page. */
	readonly pageChars: number;
	/** Almost no text and several scripts: the page is drawn by scripts that are not run here. */
	readonly needsScripts: boolean;
}

const CONTENT_ROOT = 'main, [role="main"], article, #content, #main-content, div.body';
/** Of tools whose own mark is more exact than the general ones. */
const EXACT_ROOT = "#apicontent, .md-content__inner, .theme-doc-markdown, .vp-doc, article.markdown-body";
const FURNITURE = [
	"nav, footer, form, [role=navigation], [role=banner], [role=contentinfo], [role=search]",
	".navheader, .navfooter, .sphinxsidebar, .related, .breadcrumb, .breadcrumbs, .skip-link, table.nav",
].join(", ");
/** Furniture of a page, but part of the text inside an article. */
const OUTER_FURNITURE = "header, aside";
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
	const root = findContentRoot(document);
	const whole = {
		structure: root ? measureStructure(root.element) : 0,
		chars: root ? countText(root.element) : 0,
	};
	const fallback = root?.element.innerHTML ?? "";
	const pageChars = document.body ? countText(document.body) : 0;
	const rest = { title, pageChars, needsScripts: pageChars < FEW_CHARS && scripts > MANY_SCRIPTS };

	if (root && isDocumentation(document) && whole.chars >= FEW_CHARS)
		return { html: fallback, engine: "main", ...rest };
	const article = readArticle(document);
	const minChars = root?.isExplicit
		? whole.chars * MIN_SHARE_OF_ROOT
		: Math.min(MIN_ARTICLE_CHARS, whole.chars);
	const isComplete = (candidate: Measured) =>
		candidate.chars >= minChars && !hasLostStructure(whole.structure, candidate.structure, candidate.chars);
	if (article && isComplete(article)) return { html: article.html, engine: "readability", ...rest };
	const second = await readWithDefuddle(html, url);
	if (second && isComplete(second)) return { html: second.html, engine: "defuddle", ...rest };
	return { html: fallback, engine: "main", ...rest };
}

interface Measured {
	readonly html: string;
	readonly chars: number;
	readonly structure: number;
}

function readArticle(document: PageDocument): Measured | undefined {
	// The element instead of its text saves parsing it again for measuring.
	const options = { keepClasses: true, serializer: (element: unknown) => element as PageElement };
	try {
		const article = new Readability<PageElement>(document as never, options as never).parse();
		if (!article?.content) return undefined;
		const { content } = article;
		return { html: content.innerHTML, chars: countText(content), structure: measureStructure(content) };
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
		// It would ask third parties for what a page does not hold; only the page itself is wanted.
		const options = { useAsync: false, fetch: refuseFetch, removeImages: false };
		const found = await Defuddle(document as never, url, options);
		if (!found.content) return undefined;
		const body = parsePage(found.content).body;
		return body
			? { html: found.content, chars: countText(body), structure: measureStructure(body) }
			: undefined;
	} catch {
		return undefined;
	}
}

function refuseFetch(): Promise<never> {
	return Promise.reject(new Error("The converter does not use the network."));
}

function findContentRoot(document: PageDocument): { element: PageElement; isExplicit: boolean } | undefined {
	let best = document.querySelector(EXACT_ROOT) ?? undefined;
	let bestChars = FEW_CHARS;
	const candidates = best ? [] : document.querySelectorAll(CONTENT_ROOT);
	for (const candidate of candidates) {
		const chars = countText(candidate);
		// The first of those that contain each other is the outermost, so "more" means a different, larger one.
		if (chars > bestChars) {
			best = candidate;
			bestChars = chars;
		}
	}
	const chosen = best ?? document.body;
	if (!chosen) return undefined;
	const copy = document.createElement("div");
	copy.innerHTML = chosen.innerHTML;
	const furniture = best === undefined ? `${FURNITURE}, ${OUTER_FURNITURE}` : FURNITURE;
	for (const part of copy.querySelectorAll(furniture)) part.remove();
	return { element: copy, isExplicit: best !== undefined };
}

function countText(element: PageElement): number {
	return element.textContent.replace(/\s+/g, " ").length;
}

function findTitle(document: PageDocument): string {
	const meta = document.querySelector('meta[property="og:title"]')?.getAttribute("content");
	const found = [
		meta,
		document.querySelector("title")?.textContent,
		document.querySelector("h1")?.textContent,
	];
	for (const candidate of found) {
		const title = (candidate ?? "").replace(/\s+/g, " ").replace(/\s?¶$/, "").trim();
		if (title !== "") return title.slice(0, 300);
	}
	return "";
}
