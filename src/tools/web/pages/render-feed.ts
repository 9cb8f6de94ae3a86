import { escapeHtml, parsePlainPage, walkMarkup } from "@deputize/documents";
import { collapseSpace } from "@deputize/ground";

const MAX_ENTRIES = 200;
const MAX_ENTRY_CHARS = 20_000;
/** Elements of these are named without a prefix here, whatever the feed calls the namespace. */
const FEED_NAMESPACES = new Set([
	"http://www.w3.org/2005/Atom",
	"http://purl.org/atom/ns#",
	"http://purl.org/rss/1.0/",
]);
const ENTRY = new Set(["item", "entry"]);
const TEXT_FIELDS = new Set(
	"title description subtitle pubDate published updated dc:date content:encoded content summary link".split(
		" ",
	),
);

interface RenderedFeed {
	readonly title: string;
	readonly markdown: string;
}

/** The fields of the feed itself or of one entry: the first of each name, as plain text. */
interface FeedPart {
	readonly fields: Map<string, string>;
	link: string;
}

/** RSS, Atom and RDF as one Markdown list of entries; undefined when there is nothing that looks like an entry. */
export function renderFeed(xml: string): RenderedFeed | undefined {
	const { feed, entries, total } = readFeed(xml);
	const title = field(feed, "title");
	if (total === 0 && title === "") return undefined;
	const about = field(feed, "description", "subtitle");
	const rest = total > MAX_ENTRIES ? `(Only the first ${MAX_ENTRIES} entries are shown.)` : "";
	const parts = [`# ${title || "Feed"}`, about, ...entries.map(renderEntry), rest];
	return { title, markdown: parts.filter((part) => part !== "").join("\n\n") };
}

function renderEntry(entry: FeedPart): string {
	const title = field(entry, "title") || "(untitled)";
	const date = field(entry, "pubDate", "published", "updated", "dc:date");
	const body = field(entry, "content:encoded", "content", "description", "summary").slice(0, MAX_ENTRY_CHARS);
	const heading = entry.link === "" ? `## ${title}` : `## [${title}](${entry.link})`;
	return [heading, date, body].filter((part) => part !== "").join("\n\n");
}

function field({ fields }: FeedPart, ...names: readonly string[]): string {
	const name = names.find((candidate) => fields.get(candidate));
	return name === undefined ? "" : (fields.get(name) ?? "");
}

const createPart = (): FeedPart => ({ fields: new Map(), link: "" });

function readFeed(xml: string): { feed: FeedPart; entries: readonly FeedPart[]; total: number } {
	const feed = createPart();
	const entries: FeedPart[] = [];
	const prefixes = new Set<string>();
	let part = feed;
	let total = 0;
	let isAtom = false;
	let open: OpenField | undefined;

	function plainName(name: string): string {
		const colon = name.indexOf(":");
		return colon > 0 && prefixes.has(name.slice(0, colon)) ? name.slice(colon + 1) : name;
	}

	function openElement(rawName: string, attributes: ReadonlyMap<string, string>, empty: boolean): void {
		for (const [name, value] of attributes)
			if (name.startsWith("xmlns:") && FEED_NAMESPACES.has(value)) prefixes.add(name.slice("xmlns:".length));
		const name = plainName(rawName);
		if (name === "feed") isAtom = true;
		if (open) {
			open.pieces.push({ tag: `<${empty ? "br" : rawName}>` });
			if (name === open.name && !empty) open.depth += 1;
		} else if (ENTRY.has(name)) {
			total += 1;
			part = createPart();
			if (total <= MAX_ENTRIES) entries.push(part);
		} else if (name === "link" && attributes.has("href")) noteLink(part, attributes);
		else if (TEXT_FIELDS.has(name) && !empty)
			open = {
				name,
				isLiteral: isAtom && (attributes.get("type") ?? "text") === "text",
				pieces: [],
				depth: 1,
			};
	}

	function closeElement(rawName: string): void {
		const name = plainName(rawName);
		if (!open) {
			if (ENTRY.has(name)) part = feed;
			return;
		}
		if (name === open.name) open.depth -= 1;
		if (open.depth > 0) {
			open.pieces.push({ tag: `</${rawName}>` });
			return;
		}
		const text = toPlain(open);
		if (name === "link") part.link ||= text;
		else if (text !== "" && !part.fields.has(name)) part.fields.set(name, text);
		open = undefined;
	}

	walkMarkup(
		xml,
		{ open: openElement, close: closeElement, text: (text) => void open?.pieces.push({ text }) },
		{ xml: true },
	);
	return { feed, entries, total };
}

interface OpenField {
	readonly name: string;
	/** Atom's default: the text is the text, not HTML that was escaped. */
	readonly isLiteral: boolean;
	readonly pieces: ({ readonly text: string } | { readonly tag: string })[];
	depth: number;
}

/** The page that an entry is about; other relations are the feed itself, comments, enclosures. */
function noteLink(part: FeedPart, attributes: ReadonlyMap<string, string>): void {
	const href = attributes.get("href") ?? "";
	if ((attributes.get("rel") ?? "alternate") === "alternate") part.link ||= href;
}

/** Text of a feed is HTML that was escaped once; in an Atom feed of type xhtml it is not escaped at all. */
function toPlain({ pieces, isLiteral }: OpenField): string {
	const hasTags = pieces.some((piece) => "tag" in piece);
	const html = pieces.map((piece) =>
		"tag" in piece ? piece.tag : hasTags ? escapeHtml(piece.text) : piece.text,
	);
	if (isLiteral && !hasTags) return collapseSpace(html.join(""));
	return parsePlainPage(html.join("")).text;
}
