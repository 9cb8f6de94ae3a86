import type { PageDocument, PageElement } from "./dom.ts";

const GENERATORS =
	/sphinx|docbook|docutils|docusaurus|mkdocs|vitepress|vuepress|gitbook|asciidoc|mdbook|javadoc|rustdoc|typedoc|jsdoc|docfx|starlight|nextra|mintlify|doxygen|texinfo|makeinfo|gtk-doc|pod2html|groff/i;
/** Marks that such tools leave when they do not name themselves. */
const TRACES =
	"a.headerlink, .sphinxsidebar, #apicontent, .md-content, .theme-doc-markdown, .vp-doc, article.markdown-body, .rst-content, .docs-content, .refentry";
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

interface ContentRoot {
	readonly element: PageElement;
	/** The page itself says that this is its content; otherwise it is the whole body. */
	readonly isExplicit: boolean;
}

/**
 * Whether a page was made by a tool for documentation. Its content element then contains nothing but content, and
 * choosing among its parts, which is right for a newspaper, would lose link lists and short sections.
 */
export function isDocumentation(document: PageDocument): boolean {
	const generator = document.querySelector('meta[name="generator" i]')?.getAttribute("content") ?? "";
	return GENERATORS.test(generator) || document.querySelector(TRACES) !== null;
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
