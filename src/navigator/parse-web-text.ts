export interface WebSource {
	readonly url: string;
	readonly title: string;
}

const MAX_SOURCES = 50;
const LINK = /\[([^\]\n]{1,300})\]\(((?:https?|file):\/\/[^\s)]+)\)/g;
const BARE = /(?:https?|file):\/\/[^\s<>"'`)\]]+/;

/**
 * Addresses and titles in the text of a search result, in its order. Titles stand in a Markdown link, before the address on
 * its line, or on the line above it; a text that has none of these still gives its addresses.
 */
export function parseWebSources(text: string): WebSource[] {
	const found = new Map<string, string>();
	let previous = "";
	for (const row of text.split("\n")) {
		for (const source of sourcesOnRow(row, previous)) {
			if (!found.has(source.url) && found.size < MAX_SOURCES) found.set(source.url, source.title);
		}
		if (row.trim() !== "") previous = row;
	}
	return [...found].map(([url, title]) => ({ url, title }));
}

function sourcesOnRow(row: string, previous: string): WebSource[] {
	const links = [...row.matchAll(LINK)].map(([, title, url]) => ({
		url: trimAddress(url ?? ""),
		title: toTitle(title ?? ""),
	}));
	if (links.length > 0) return links;
	const bare = BARE.exec(row);
	if (bare === null) return [];
	const before = toTitle(row.slice(0, bare.index));
	return [{ url: trimAddress(bare[0]), title: before === "" ? toTitle(previous) : before }];
}

function trimAddress(url: string): string {
	return url.replace(/[.,;:!?]+$/, "");
}

function toTitle(text: string): string {
	const bare = text
		.replace(/^[\s>*#\d.)[\]-]+/, "")
		.replace(/\b(url|link|address|source)\s*:?\s*$/i, "")
		.replace(/[*`_\s:-]+$/, "");
	return BARE.test(bare) ? "" : bare.slice(0, 200).toWellFormed();
}
