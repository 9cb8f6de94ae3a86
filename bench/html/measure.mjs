import { createRequire } from "node:module";

// linkedom of the package itself, only to read the pages; no converter's output goes through it.
const { parseHTML } = createRequire(new URL("../../package.json", import.meta.url))("linkedom");

const BLOCKS = "p, div, li, dt, dd, td, th, tr, h1, h2, h3, h4, h5, h6, pre, br, table, section";
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];

/** What a page's content holds: its words, links, code blocks and tables, and the words that are only furniture. */
export function prepareReference(html, { content, furniture }) {
	const { document } = parseHTML(html);
	for (const element of document.querySelectorAll("script, style, noscript")) element.remove();
	spaceBlocks(document);
	const everything = new Set(wordsOf(document.body.textContent));
	for (const element of document.querySelectorAll(furniture)) element.remove();
	const root = document.querySelector(content);
	const words = new Set(wordsOf(root.textContent));
	const links = [...root.querySelectorAll("a[href]")]
		.filter((link) => /[\p{L}\p{N}]/u.test(link.textContent))
		.map((link) => link.getAttribute("href"));
	return {
		words,
		links: [...new Set(links)],
		code: [...root.querySelectorAll("pre")].map((block) => trimLines(block.textContent)).filter((text) => text !== ""),
		tables: [...root.querySelectorAll("table")].filter((table) => table.querySelectorAll("tr").length >= 3 && !table.querySelector("table, pre")).length,
		furniture: new Set([...everything].filter((word) => !words.has(word))),
	};
}

/** Words of neighbouring blocks must not run together, or they would count as lost. Code is left as it is. */
function spaceBlocks(document) {
	for (const element of document.querySelectorAll(BLOCKS)) {
		if (element.closest("pre")) continue;
		element.parentNode.insertBefore(document.createTextNode(" "), element);
		element.appendChild(document.createTextNode(" "));
	}
}

export function measurePage(markdown, reference) {
	const plain = markdown.replace(/\\([_*[\]<>#.()|~`+-])/g, "$1");
	const words = new Set(wordsOf(plain.replace(/<br\s*\/?>/g, " ")));
	const count = (set) => [...set].filter((word) => words.has(word)).length;
	const lines = markdown.split("\n");
	return {
		chars: markdown.length,
		words: reference.words.size,
		wordsKept: count(reference.words),
		links: reference.links.length,
		linksKept: reference.links.filter((href) => hasLink(markdown, href)).length,
		code: reference.code.length,
		codeKept: countFencedCode(lines, reference.code),
		tables: reference.tables,
		tablesKept: Math.min(reference.tables, lines.filter((line) => /^[\s>]*\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?\s*)?$/.test(line)).length),
		furniture: reference.furniture.size,
		furnitureKept: count(reference.furniture),
	};
}

/** As the page has it, or made absolute. */
function hasLink(markdown, href) {
	const absolute = URL.parse(href, "https://docs.example/")?.href ?? href;
	return [href, absolute].some((target) => markdown.includes(`](${target})`) || markdown.includes(`](${target} `) || markdown.includes(`](<${target}>`));
}

/** A code block is intact when a fenced block has exactly its lines; the whole block may be indented or quoted. */
function countFencedCode(lines, blocks) {
	const fenced = new Map();
	let open;
	for (const line of lines) {
		const mark = /^([\s>]*)(`{3,}|~{3,})/.exec(line);
		if (open && mark && mark[2].startsWith(open.mark) && line.trim().replace(/^[>\s]+/, "") === mark[2]) {
			const text = trimLines(open.lines.map((entry) => entry.slice(Math.min(open.indent, entry.length - entry.trimStart().length || entry.length))).join("\n"));
			fenced.set(text, (fenced.get(text) ?? 0) + 1);
			open = undefined;
		} else if (open) open.lines.push(line.startsWith(open.prefix) ? line.slice(open.prefix.length) : line.trimStart() === "" ? "" : line);
		else if (mark) open = { mark: mark[2], prefix: mark[1], indent: 0, lines: [] };
	}
	let kept = 0;
	for (const block of blocks) {
		const left = fenced.get(block) ?? 0;
		if (left === 0) continue;
		fenced.set(block, left - 1);
		kept += 1;
	}
	return kept;
}

function trimLines(text) {
	return text
		.split("\n")
		.map((line) => line.trimEnd())
		.join("\n")
		.replace(/^\n+|\n+$/g, "");
}
