import { decodeEntities, renderPlainText } from "../html/render-plain-text.ts";

const MAX_ENTRIES = 200;
const MAX_ENTRY_CHARS = 20_000;

export interface RenderedFeed {
	readonly title: string;
	readonly markdown: string;
}

/** RSS, Atom and RDF as one Markdown list of entries; undefined when there is nothing that looks like an entry. */
export function renderFeed(xml: string): RenderedFeed | undefined {
	const feed = unwrapCharacterData(xml);
	const entries = splitElements(feed, ["item", "entry"], MAX_ENTRIES + 1);
	const beforeEntries = feed.slice(0, entries[0]?.start ?? feed.length);
	const title = readField(beforeEntries, ["title"]);
	if (entries.length === 0 && title === "") return undefined;
	const shown = entries.slice(0, MAX_ENTRIES).map((entry) => renderEntry(entry.inner));
	const about = readField(beforeEntries, ["description", "subtitle"]);
	const rest = entries.length > MAX_ENTRIES ? [`(Only the first ${MAX_ENTRIES} entries are shown.)`] : [];
	return {
		title,
		markdown: [`# ${title || "Feed"}`, about, ...shown, ...rest].filter((part) => part !== "").join("\n\n"),
	};
}

/** CDATA sections become escaped text, so that everything after this sees one kind of text. */
function unwrapCharacterData(xml: string): string {
	return xml
		.split("<![CDATA[")
		.map((part, index) => {
			const end = part.indexOf("]]>");
			if (index === 0 || end === -1) return part;
			return escapeText(part.slice(0, end)) + part.slice(end + 3);
		})
		.join("");
}

function escapeText(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

interface FoundElement {
	readonly start: number;
	readonly inner: string;
	readonly attributes: string;
}

/** Elements by name, in order, without a tree: feeds do not nest entries. */
function splitElements(xml: string, names: readonly string[], limit: number): FoundElement[] {
	const found: FoundElement[] = [];
	const opening = new RegExp(`<(${names.join("|")})(\\s[^<>]{0,2000})?>`, "g");
	for (let match = opening.exec(xml); match !== null && found.length < limit; match = opening.exec(xml)) {
		const close = `</${match[1]}>`;
		const isEmpty = match[2]?.endsWith("/") ?? false;
		const end = isEmpty ? opening.lastIndex : xml.indexOf(close, opening.lastIndex);
		if (end === -1) break;
		found.push({
			start: match.index,
			inner: isEmpty ? "" : xml.slice(opening.lastIndex, end),
			attributes: match[2] ?? "",
		});
		if (!isEmpty) opening.lastIndex = end + close.length;
	}
	return found;
}

function renderEntry(entry: string): string {
	const title = readField(entry, ["title"]) || "(untitled)";
	const link = readLink(entry);
	const date = readField(entry, ["pubDate", "published", "updated", "dc:date"]);
	const body = readField(entry, ["content:encoded", "content", "description", "summary"]).slice(
		0,
		MAX_ENTRY_CHARS,
	);
	const heading = link === "" ? `## ${title}` : `## [${title}](${link})`;
	return [heading, date, body].filter((part) => part !== "").join("\n\n");
}

function readField(xml: string, names: readonly string[]): string {
	for (const name of names) {
		const inner = splitElements(xml, [name], 1)[0]?.inner.trim();
		if (inner) return toPlain(inner);
	}
	return "";
}

/** Text of a feed is HTML that was escaped once; in an Atom feed of type xhtml it is not escaped at all. */
function toPlain(inner: string): string {
	return renderPlainText(inner.includes("<") ? inner : decodeEntities(inner));
}

function readLink(entry: string): string {
	const links = splitElements(entry, ["link"], 10);
	const alternate = links.find((link) => !/rel=["'](?!alternate)/.test(link.attributes)) ?? links[0];
	const href = /href=["']([^"']{1,4000})["']/.exec(alternate?.attributes ?? "")?.[1];
	return decodeEntities(href ?? alternate?.inner.trim() ?? "");
}
