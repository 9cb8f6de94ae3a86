import type { PageDocument, PageElement } from "./dom.ts";

const CONTENT_ROOT = 'main, [role="main"], article, #content, #main-content, div.body';
/** Of tools whose own mark is more exact than the general ones. */
const EXACT_ROOT = "#apicontent, .md-content__inner, .theme-doc-markdown, .vp-doc, article.markdown-body";
const FURNITURE = [
	"nav, footer, form, [role=navigation], [role=banner], [role=contentinfo], [role=search]",
	".navheader, .navfooter, .sphinxsidebar, .related, .breadcrumb, .breadcrumbs, .skip-link, table.nav",
].join(", ");
/** Furniture of a page, but part of the text inside an article. */
const OUTER_FURNITURE = "header, aside";
const MIN_ROOT_CHARS = 200;

export interface ContentRoot {
	readonly element: PageElement;
	/** The page itself says that this is its content; otherwise it is the whole body. */
	readonly isExplicit: boolean;
}

/** The element that a page declares to be its content, or its body. */
export function findContentRoot(document: PageDocument): ContentRoot | undefined {
	const exact = document.querySelector(EXACT_ROOT);
	if (exact !== null) return { element: exact, isExplicit: true };
	let best: PageElement | undefined;
	let bestChars = MIN_ROOT_CHARS;
	for (const candidate of document.querySelectorAll(CONTENT_ROOT)) {
		const chars = countText(candidate);
		// The first of those that contain each other is the outermost, so "more" means a different, larger one.
		if (chars > bestChars) {
			best = candidate;
			bestChars = chars;
		}
	}
	if (best) return { element: best, isExplicit: true };
	return document.body ? { element: document.body, isExplicit: false } : undefined;
}

/** Changes the element and gives it back. */
export function removeFurniture({ element, isExplicit }: ContentRoot): PageElement {
	const furniture = isExplicit ? FURNITURE : `${FURNITURE}, ${OUTER_FURNITURE}`;
	for (const part of element.querySelectorAll(furniture)) part.remove();
	return element;
}

export function countText(element: PageElement): number {
	return element.textContent.replace(/\s+/g, " ").length;
}
