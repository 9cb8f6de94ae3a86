import type { PageDocument, PageElement } from "./dom.ts";

const NEVER_CONTENT = "script, style, noscript, template, link, iframe, object, embed, canvas, dialog";
const LINE_NUMBERS = "td.linenos, td.gutter, span.linenos, span.lineno, .linenodiv, .line-numbers-rows";
const KEPT_ASIDES = /footnote|admonition|note|tip|warning|caution|callout|topic|important/i;

/** Takes out what is no content, resolves addresses and keeps what later stages would lose. Changes the document. */
export function cleanDocument(document: PageDocument, pageUrl: string): void {
	keepFormulas(document);
	for (const element of document.querySelectorAll(NEVER_CONTENT)) element.remove();
	for (const element of document.querySelectorAll(LINE_NUMBERS)) element.remove();
	removeHidden(document);
	keepAsides(document);
	nameLanguages(document);
	unwrapIndentation(document);
	unwrapCodeTables(document);
	resolveAddresses(document, findBase(document, pageUrl));
}

/** Hidden text is where instructions for models are put. Tab panels are hidden too, and are content. */
function removeHidden(document: PageDocument): void {
	for (const element of document.querySelectorAll('[hidden], [style], [aria-hidden="true"]'))
		if (isHidden(element)) element.remove();
}

function isHidden(element: PageElement): boolean {
	if (element.tagName === "BODY" || element.tagName === "HTML") return false;
	if (element.getAttribute("role") === "tabpanel" || element.closest(".tab-pane, .tabpanel") !== null) {
		// What is kept here must not be taken for hidden by what follows.
		for (const name of ["hidden", "aria-hidden", "style"]) element.removeAttribute(name);
		return false;
	}
	const style = (element.getAttribute("style") ?? "").replaceAll(" ", "").toLowerCase();
	if (/display:none|visibility:hidden|font-size:0(?:px|em|rem|%)?(?:;|$)|(?:^|;)opacity:0(?:;|$)/.test(style))
		return true;
	if (element.hasAttribute("hidden")) return element.getAttribute("hidden") !== "until-found";
	return element.getAttribute("aria-hidden") === "true";
}

/** Renderers of mathematics keep the source next to what they draw; the source is what a reader of text can use. */
function keepFormulas(document: PageDocument): void {
	for (const annotation of document.querySelectorAll('annotation[encoding="application/x-tex"]')) {
		const formula = annotation.closest(".katex-display, .katex, .MathJax, math");
		if (formula !== null) formula.replaceWith(` $${annotation.textContent.trim()}$ `);
	}
}

/** Readability drops every aside; footnotes and admonitions are content that some generators mark up as one. */
function keepAsides(document: PageDocument): void {
	for (const aside of document.querySelectorAll("aside")) {
		if (!KEPT_ASIDES.test(aside.className)) continue;
		const division = document.createElement("div");
		division.innerHTML = aside.innerHTML;
		aside.replaceWith(division);
	}
}

/** GitHub names a language by its grammar; under its common name the renderer recognizes it. */
function nameLanguages(document: PageDocument): void {
	for (const block of document.querySelectorAll('[class*="highlight-source-"]')) {
		const language = /highlight-source-([\w+#-]{1,24})/.exec(block.className)?.[1];
		if (language !== undefined) block.setAttribute("class", `language-${language}`);
	}
}

/** Docutils indents with a quote around a division; marking every line of code in it as quoted would be wrong. */
function unwrapIndentation(document: PageDocument): void {
	for (const division of document.querySelectorAll("blockquote > div:only-child")) {
		const quote = division.parentElement;
		if (quote !== null) quote.replaceWith(division);
	}
}

/** Code of several lines does not fit into a cell of a Markdown table; such a table reads better as blocks. */
function unwrapCodeTables(document: PageDocument): void {
	for (const table of document.querySelectorAll("table")) {
		if (table.querySelector("table") !== null || !hasLongCode(table)) continue;
		const blocks = document.createElement("div");
		for (const cell of table.querySelectorAll("caption, td, th")) {
			const block = document.createElement("div");
			block.innerHTML = cell.innerHTML;
			blocks.appendChild(block);
		}
		table.replaceWith(blocks);
	}
}

function hasLongCode(table: PageElement): boolean {
	return [...table.querySelectorAll("pre")].some((code) => code.textContent.trim().includes("\n"));
}

function findBase(document: PageDocument, pageUrl: string): string {
	const declared = document.querySelector("base[href]")?.getAttribute("href");
	return (declared ? URL.parse(declared, pageUrl)?.href : undefined) ?? pageUrl;
}

function resolveAddresses(document: PageDocument, base: string): void {
	for (const link of document.querySelectorAll("a[href]")) {
		const address = resolvePageLink(link.getAttribute("href") ?? "", base);
		if (address === undefined) link.removeAttribute("href");
		else link.setAttribute("href", address);
	}
	for (const image of document.querySelectorAll("img")) {
		const source = image.getAttribute("src") || image.getAttribute("data-src") || "";
		const address = source.startsWith("#") ? undefined : resolvePageLink(source, base);
		if (address === undefined) image.replaceWith(image.getAttribute("alt") ?? "");
		else image.setAttribute("src", address);
	}
}

/** Undefined for what a reader of text cannot follow: scripts, inline data, nonsense. */
function resolvePageLink(address: string, base: string): string | undefined {
	const trimmed = address.trim();
	if (trimmed === "") return undefined;
	if (trimmed.startsWith("#")) return trimmed;
	const url = URL.parse(trimmed, base);
	return url && /^(?:https?|mailto|ftp|tel|file):$/.test(url.protocol) ? url.href : undefined;
}
