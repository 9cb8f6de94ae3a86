import { posix } from "node:path";
import { decodePercent, decodeText } from "@deputize/ground";
import { damaged, encrypted } from "../conversion-error.ts";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { markNotes } from "../html/mark-notes.ts";
import { addNoteRules } from "../html/note-rules.ts";
import type { XmlElement } from "../xml/parse-xml.ts";
import { readOptionalXml, readXmlPart } from "../xml/read-xml-part.ts";
import { descendants, firstText } from "../xml/xml-element.ts";
import { type Archive, openArchive } from "../zip/open-archive.ts";
import { createHeadingFinder } from "./find-styled-headings.ts";
import { renderHtml } from "./read-html.ts";

const PREFIXES: Readonly<Record<string, string>> = {
	"urn:oasis:names:tc:opendocument:xmlns:container": "container",
	"http://www.idpf.org/2007/opf": "opf",
	"http://purl.org/dc/elements/1.1/": "dc",
	"http://www.w3.org/2001/04/xmlenc#": "enc",
};
const CHAPTER_TYPE = /xhtml|html/;
const OUTSIDE = /^[a-z][a-z0-9+.-]*:/i;

/** The chapters in reading order. Links between chapters keep their text only: there is nowhere to go. */
export function readEpub(bytes: Buffer): ConvertedDocument {
	const archive = openArchive(bytes);
	const packagePath = findPackage(archive);
	const book = readXmlPart(archive, packagePath, PREFIXES);
	const chapters = listChapters(book, posix.dirname(packagePath));
	refuseEncryptedChapters(archive, chapters);
	const shown = chapters.slice(0, CONVERSION_LIMITS.maxChapters);
	const pages = shown.map((name) => ({ name, html: readChapter(archive, name) }));
	const restyle = createHeadingFinder(
		pages.map(({ html }) => html),
		readStyleSheets(archive),
	);
	const blocks = pages
		.map(({ name, html }) =>
			html
				? renderHtml(markNotes(restyle(html)), { addRules: addNoteRules })
				: `*(chapter "${name}" is missing from the file)*`,
		)
		.filter(Boolean);
	if (chapters.length > shown.length)
		blocks.push(`*(${chapters.length - shown.length} more chapters not shown)*`);
	const title = firstText(book, "dc:title");
	const author = firstText(book, "dc:creator");
	return {
		markdown: blocks.join("\n\n"),
		metadata: { chapters: chapters.length, ...(author && { author }) },
		...(title && { title }),
	};
}

function findPackage(archive: Archive): string {
	const container = readXmlPart(archive, "META-INF/container.xml", PREFIXES);
	const path = descendants(container, "container:rootfile")[0]?.attributes["full-path"];
	if (!path) throw damaged("The book does not say where its contents are (META-INF/container.xml).");
	return path;
}

function listChapters(book: XmlElement, folder: string): string[] {
	const items = new Map(
		descendants(book, "opf:item").map(({ attributes }) => [attributes["id"] ?? "", attributes]),
	);
	return descendants(book, "opf:itemref").flatMap(({ attributes }) => {
		const item = items.get(attributes["idref"] ?? "");
		const isNavigation = item?.["properties"]?.split(" ").includes("nav");
		if (!item?.["href"] || isNavigation || !CHAPTER_TYPE.test(item["media-type"] ?? "")) return [];
		return [posix.join(folder, decodePercent(item["href"]))];
	});
}

/** Fonts may be scrambled in a free book; scrambled chapters mean rights management. */
function refuseEncryptedChapters(archive: Archive, chapters: readonly string[]): void {
	const list = readOptionalXml(archive, "META-INF/encryption.xml", PREFIXES);
	const locked = descendants(list, "enc:CipherReference").map(({ attributes }) =>
		decodePercent(attributes["URI"] ?? ""),
	);
	if (chapters.some((chapter) => locked.includes(chapter)))
		throw encrypted("The book is protected by digital rights management; its text cannot be read.");
}

function readStyleSheets(archive: Archive): string {
	return archive.names
		.filter((name) => name.endsWith(".css"))
		.map((name) => archive.read(name)?.toString("utf8") ?? "")
		.join("\n");
}

function readChapter(archive: Archive, name: string): string {
	const content = archive.read(name);
	if (!content) return "";
	return (
		decodeText(content)
			.text.replace(/^[\s\S]*?<body\b/i, "<body")
			// An XHTML `<title/>` or `<a id="x"/>` would swallow everything after it in an HTML parser.
			.replace(/<(a|span|div|p|i|b|em|strong|td|th|li|script|title)((?:\s[^<>]*)?)\/>/gi, "<$1$2></$1>")
			.replace(/\shref="([^"]*)"/gi, (whole, target: string) =>
				OUTSIDE.test(target) ? whole : ` href="#${target.slice(target.indexOf("#") + 1)}"`,
			)
	);
}
