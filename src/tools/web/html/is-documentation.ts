import type { PageDocument } from "./dom.ts";

const GENERATORS =
	/sphinx|docbook|docutils|docusaurus|mkdocs|vitepress|vuepress|gitbook|asciidoc|mdbook|javadoc|rustdoc|typedoc|jsdoc|docfx|starlight|nextra|mintlify|doxygen|texinfo|makeinfo|gtk-doc|pod2html|groff/i;
/** Marks that such tools leave when they do not name themselves. */
const TRACES =
	"a.headerlink, .sphinxsidebar, #apicontent, .md-content, .theme-doc-markdown, .vp-doc, article.markdown-body, .rst-content, .docs-content, .refentry";

/**
 * Whether a page was made by a tool for documentation. Its content element then contains nothing but content, and
 * choosing among its parts, which is right for a newspaper, would lose link lists and short sections.
 */
export function isDocumentation(document: PageDocument): boolean {
	const generator = document.querySelector('meta[name="generator" i]')?.getAttribute("content") ?? "";
	return GENERATORS.test(generator) || document.querySelector(TRACES) !== null;
}
