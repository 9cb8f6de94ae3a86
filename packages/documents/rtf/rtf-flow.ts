/** One paragraph as it was read; the flow decides what it is in Markdown. */
export interface RtfParagraph {
	readonly html: string;
	/** 1 to 6, or 0 for body text. */
	readonly heading: number;
	readonly code: boolean;
	readonly quote: boolean;
	/** The number or bullet in front, empty when there is none. */
	readonly marker: string;
	readonly indent: number;
}

export type RtfFlow = ReturnType<typeof createRtfFlow>;

const MAX_LIST_DEPTH = 9;

interface ListLevel {
	readonly tag: "ol" | "ul";
	readonly indent: number;
}

function openingTag(tag: "ol" | "ul", marker: string): string {
	const start = Number.parseInt(marker, 10);
	return tag === "ol" && start > 1 ? `<ol start="${start}"><li>` : `<${tag}><li>`;
}

/** A running text with tables: the document itself, or one footnote. */
export function createRtfFlow() {
	const blocks: string[] = [];
	const list: ListLevel[] = [];
	let rows: string[] = [];
	let cells: string[] = [];
	let cell: string[] = [];

	const closeLists = (keep: number): void => {
		while (list.length > keep) blocks.push(`</li></${list.pop()?.tag}>`);
	};
	const closeTable = (): void => {
		if (rows.length > 0) blocks.push(`<table>${rows.join("")}</table>`);
		rows = [];
		cells = [];
		cell = [];
	};
	const innermost = (): ListLevel | undefined => list[list.length - 1];
	const addItem = ({ html, marker, indent }: RtfParagraph): void => {
		const tag = /^\(?[\da-z]{1,4}[.)]/i.test(marker) ? "ol" : "ul";
		while ((innermost()?.indent ?? indent) > indent) closeLists(list.length - 1);
		if (innermost()?.indent === indent && innermost()?.tag !== tag) closeLists(list.length - 1);
		if (innermost()?.indent === indent || list.length >= MAX_LIST_DEPTH) blocks.push("</li><li>");
		else {
			list.push({ tag, indent });
			blocks.push(openingTag(tag, marker));
		}
		blocks.push(html);
	};
	const addBlock = (paragraph: RtfParagraph): void => {
		closeTable();
		if (paragraph.marker && !paragraph.heading) {
			if (paragraph.html.trim()) addItem(paragraph);
			return;
		}
		closeLists(0);
		blocks.push(renderRtfParagraph(paragraph));
	};
	return {
		addParagraph: (paragraph: RtfParagraph, inTable: boolean): void => {
			if (!inTable) addBlock(paragraph);
			else if (paragraph.html.trim()) cell.push(paragraph.html);
		},
		endCell: (): void => {
			cells.push(`<td>${cell.join("<br>")}</td>`);
			cell = [];
		},
		endRow: (): void => {
			closeLists(0);
			if (cells.length > 0) rows.push(`<tr>${cells.join("")}</tr>`);
			cells = [];
		},
		toHtml: (): string => {
			closeTable();
			closeLists(0);
			return blocks
				.filter(Boolean)
				.join("\n")
				.replaceAll("</pre>\n<pre>", "\n")
				.replaceAll("</blockquote>\n<blockquote>", "\n");
		},
	};
}

function renderRtfParagraph({ html, heading, code, quote }: RtfParagraph): string {
	if (html.trim() === "" && !code) return "";
	if (heading > 0) return `<h${heading}>${html}</h${heading}>`;
	if (code) return `<pre>${html}</pre>`;
	return quote ? `<blockquote><p>${html}</p></blockquote>` : `<p>${html}</p>`;
}
