import { describe, expect, it } from "vitest";
import { makeZip, type ZipPart } from "../../../../test/helpers/convert-zip.ts";
import { readEpub } from "../../formats/read-epub.ts";

const CONTAINER: ZipPart = {
	name: "META-INF/container.xml",
	content:
		'<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
};

function read(
	chapters: Readonly<Record<string, string>>,
	order = Object.keys(chapters),
	more: readonly ZipPart[] = [],
): string {
	const items = order.map(
		(name, index) => `<item id="i${index}" href="${name}" media-type="application/xhtml+xml"/>`,
	);
	const book = `<package xmlns="http://www.idpf.org/2007/opf"><manifest>${items.join("")}<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="nav"/>${order.map((_, index) => `<itemref idref="i${index}"/>`).join("")}</spine></package>`;
	return readEpub(
		makeZip([
			CONTAINER,
			{ name: "OPS/book.opf", content: book },
			...Object.entries(chapters).map(([name, body]) => ({
				name: `OPS/${decodeURIComponent(name)}`,
				content: `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`,
			})),
			...more,
		]),
	).markdown;
}

describe("readEpub", () => {
	it("shows chapters in reading order, without the navigation", () => {
		expect(
			read({ "b.xhtml": "<p>second</p>", "a%20b.xhtml": "<h1>first</h1>" }, ["a%20b.xhtml", "b.xhtml"]),
		).toBe("# first\n\nsecond");
	});

	it("keeps links to the world and drops those between chapters", () => {
		expect(read({ "a.xhtml": '<p><a href="https://e.org/">out</a> <a href="b.xhtml#x">in</a></p>' })).toBe(
			"[out](https://e.org/) in",
		);
	});

	it("is not swallowed by empty elements of XHTML", () => {
		expect(read({ "a.xhtml": '<a id="x"/><p>one<span/></p><div class="b"/><p>two</p>' })).toBe("one\n\ntwo");
	});

	it("turns notes into footnotes", () => {
		const body =
			'<p>text<a epub:type="noteref" href="#n1">1</a></p><aside epub:type="footnote" id="n1"><p>the note</p></aside>';
		expect(read({ "a.xhtml": body })).toBe("text[^1]\n\n[^1]: the note");
	});

	it("says which chapter is missing", () => {
		expect(read({ "a.xhtml": "<p>x</p>" }, ["a.xhtml", "gone.xhtml"])).toBe(
			'x\n\n*(chapter "OPS/gone.xhtml" is missing from the file)*',
		);
	});

	it("finds headings by their size in a book without heading elements", () => {
		const css = {
			name: "OPS/style.css",
			content:
				".big { font-size: 20pt; font-weight: bold }\n.body { font-size: 11pt }\n.strong { font-size: 11pt; font-weight: bold }",
		};
		const body =
			'<p><span class="big">Title</span></p><p><span class="body">Some long text, </span><span class="strong">bold</span></p>';
		expect(read({ "a.xhtml": body }, ["a.xhtml"], [css])).toBe("# Title\n\nSome long text, **bold**");
	});

	it("cannot be led out of the archive", () => {
		expect(read({ "a.xhtml": "<p>x</p>" }, ["../../../etc/passwd"])).toBe(
			'*(chapter "../../etc/passwd" is missing from the file)*',
		);
	});
});
