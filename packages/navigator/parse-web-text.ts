export interface WebSource {
	readonly url: string;
	readonly title: string;
	/** Its number in the stored response, when the text gives one. */
	readonly index?: number;
}

const MAX_SOURCES = 50;
const LINK = /\[([^\]\n]{1,300})\]\(((?:https?|file):\/\/[^\s)]+)\)/g;
const BARE = /(?:https?|file):\/\/[^\s<>"'`)\]]+/;
const NUMBERED = /^\s*\[(\d{1,4})\]\s/;
const ONLY_ADDRESS = /^\s*(?:(?:https?|file):\/\/\S+(?: \([^)]*\))?|\[[^\]]+\]: .*)\s*$/;
const HEADING = /^\s*#{1,6}\s/;
/** Lines that the web tools write around what they found. */
const FRAME =
	/^\s*(<\/?untrusted-content\b|responseId:|answered by:|query \d+:|tried before:|type:|url:|truncated:|note:|Title:|Redirected to:|Text between the untrusted-content)/;

/** The id under which the web tools keep what they returned. */
export function parseResponseId(text: string): string | undefined {
	return /^responseId: (\S{1,100})$/m.exec(text)?.[1];
}

/**
 * Addresses and titles in the text of a search result, in its order. Titles are in a Markdown link, before the
 * address on its line, or on the line above it; a text that has none of these still gives its addresses.
 */
export function parseWebSources(text: string): WebSource[] {
	const found = new Map<string, WebSource>();
	let previous = "";
	for (const row of text.split("\n")) {
		if (FRAME.test(row)) continue;
		for (const source of sourcesOnRow(row, previous)) {
			if (!found.has(source.url) && found.size < MAX_SOURCES) found.set(source.url, source);
		}
		if (row.trim() !== "") previous = row;
	}
	const sources = [...found.values()];
	// Links inside snippets are not results when the results are numbered.
	const numbered = sources.filter(({ index }) => index !== undefined);
	return numbered.length > 0 ? numbered : sources;
}

/**
 * What was written by others: paragraphs and whole code blocks, without headings and the lines that the tools put
 * around them.
 */
export function parseParagraphs(text: string): string[] {
	const paragraphs: string[] = [];
	let rows: string[] = [];
	let fenced = false;
	const close = (): void => {
		const paragraph = rows
			.join("\n")
			.replace(/<!--.*?-->/gs, " ")
			.trim();
		if (paragraph !== "") paragraphs.push(paragraph);
		rows = [];
	};
	for (const row of text.split("\n")) {
		const fence = /^\s*(```|~~~)/.test(row);
		if ((fence && !fenced) || (!fenced && isFrame(row))) close();
		if (fenced || !isFrame(row)) rows.push(row);
		if (fence && fenced) close();
		if (fence) fenced = !fenced;
	}
	close();
	return paragraphs;
}

function isFrame(row: string): boolean {
	return (
		row.trim() === "" || FRAME.test(row) || NUMBERED.test(row) || HEADING.test(row) || ONLY_ADDRESS.test(row)
	);
}

function sourcesOnRow(row: string, previous: string): WebSource[] {
	const bare = BARE.exec(row);
	const index = NUMBERED.exec(previous)?.[1];
	if (bare !== null && row.trim().startsWith(bare[0])) {
		return [
			{
				url: trimAddress(bare[0]),
				title: toTitle(previous),
				...(index === undefined ? {} : { index: Number(index) }),
			},
		];
	}
	const links = [...row.matchAll(LINK)].map(([, title, url]) => ({
		url: trimAddress(url ?? ""),
		title: toTitle(title ?? ""),
	}));
	if (links.length > 0 || bare === null) return links;
	const before = toTitle(row.slice(0, bare.index));
	return [{ url: trimAddress(bare[0]), title: before === "" ? toTitle(previous) : before }];
}

function trimAddress(url: string): string {
	return url.replace(/[.,;:!?]+$/, "");
}

function toTitle(text: string): string {
	const bare = text
		.replace(/^\s*(?:\[\d+\]|[\d.)*#>-]+)?\s*/, "")
		.replace(/\b(url|link|address|source)\s*:?\s*$/i, "")
		.replace(/[*`_\s:-]+$/, "");
	return BARE.test(bare) ? "" : bare.slice(0, 200).toWellFormed();
}
