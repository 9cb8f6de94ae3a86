import { type PageDocument, type PageElement, parsePage } from "../../packages/documents/page/dom.ts";

export interface PageReference {
	readonly words: ReadonlySet<string>;
	readonly links: readonly string[];
	readonly code: readonly string[];
	readonly tables: number;
	/** Words that stand outside the content only. */
	readonly furniture: ReadonlySet<string>;
}

const BLOCKS = "p, div, li, dt, dd, td, th, tr, h1, h2, h3, h4, h5, h6, pre, br, table, section";

/** What a page's content holds: its words, links, code blocks and tables, and the words that are only furniture. */
export function prepareReference(html: string, page: { content: string; furniture: string }): PageReference {
	const document = parsePage(html);
	for (const element of document.querySelectorAll("script, style, noscript")) element.remove();
	spaceBlocks(document);
	const everything = new Set(readWords(document.body?.textContent ?? ""));
	for (const element of document.querySelectorAll(page.furniture)) element.remove();
	const root = document.querySelector(page.content);
	if (!root) throw new Error(`The page has no ${page.content}.`);
	const words = new Set(readWords(root.textContent));
	const links = [...root.querySelectorAll("a[href]")]
		.filter((link) => /[\p{L}\p{N}]/u.test(link.textContent))
		.map((link) => link.getAttribute("href") ?? "");
	const code = [...root.querySelectorAll("pre")].map((block) => trimLines(block.textContent));
	return {
		words,
		links: [...new Set(links)],
		code: code.filter((text) => text !== ""),
		tables: [...root.querySelectorAll("table")].filter(isDataTable).length,
		furniture: new Set([...everything].filter((word) => !words.has(word))),
	};
}

export function measurePage(markdown: string, reference: PageReference) {
	const plain = markdown.replace(/\\([_*[\]<>#.()|~`+-])/g, "$1").replace(/<br\s*\/?>/g, " ");
	const words = new Set(readWords(plain));
	const count = (wanted: ReadonlySet<string>) => [...wanted].filter((word) => words.has(word)).length;
	const lines = markdown.split("\n");
	return {
		chars: markdown.length,
		words: reference.words.size,
		wordsKept: count(reference.words),
		links: reference.links.length,
		linksKept: reference.links.filter((href) => hasLink(markdown, href)).length,
		code: reference.code.length,
		codeKept: countIntactCode(lines, reference.code),
		tables: reference.tables,
		tablesKept: Math.min(reference.tables, lines.filter(isTableDivider).length),
		furniture: reference.furniture.size,
		furnitureKept: count(reference.furniture),
	};
}

function readWords(text: string): string[] {
	return text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
}

function isDataTable(table: PageElement): boolean {
	return table.querySelectorAll("tr").length >= 3 && table.querySelector("table, pre") === null;
}

/** Words of neighbouring blocks must not run together, or they would count as lost. Code is left as it is. */
function spaceBlocks(document: PageDocument): void {
	for (const element of document.querySelectorAll(BLOCKS)) {
		if (element.closest("pre") === null) element.replaceWith(" ", element, " ");
	}
}

function isTableDivider(line: string): boolean {
	return /^[\s>]*\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?\s*)?$/.test(line);
}

/** As the page has it, or made absolute. */
function hasLink(markdown: string, href: string): boolean {
	const absolute = URL.parse(href, "https://docs.example/")?.href ?? href;
	return [href, absolute].some((target) =>
		[`](${target})`, `](${target} `, `](<${target}>`].some((form) => markdown.includes(form)),
	);
}

/** A code block is intact when a fenced block has exactly its lines; the whole block may be indented or quoted. */
function countIntactCode(lines: readonly string[], blocks: readonly string[]): number {
	const fenced = new Map<string, number>();
	let open: { mark: string; prefix: string; lines: string[] } | undefined;
	for (const line of lines) {
		const [, prefix = "", mark = ""] = /^([\s>]*)(`{3,}|~{3,})/.exec(line) ?? [];
		if (open && mark.startsWith(open.mark) && line.slice(prefix.length).trim() === mark) {
			const text = trimLines(open.lines.join("\n"));
			fenced.set(text, (fenced.get(text) ?? 0) + 1);
			open = undefined;
		} else if (open)
			open.lines.push(line.startsWith(open.prefix) ? line.slice(open.prefix.length) : line.trimStart());
		else if (mark !== "") open = { mark, prefix, lines: [] };
	}
	let kept = 0;
	for (const block of blocks) {
		const left = fenced.get(block) ?? 0;
		if (left > 0) kept += 1;
		fenced.set(block, left - 1);
	}
	return kept;
}

function trimLines(text: string): string {
	const lines = text.split("\n").map((line) => line.trimEnd());
	return lines.join("\n").replace(/^\n+|\n+$/g, "");
}
