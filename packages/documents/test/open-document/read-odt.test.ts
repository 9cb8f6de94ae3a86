import { describe, expect, it } from "vitest";
import { makeOdt } from "../../../../test/helpers/convert-hostile.ts";
import { makeZip } from "../../../../test/helpers/convert-zip.ts";
import { readOdt } from "../../open-document/read-odt.ts";

const OASIS = "urn:oasis:names:tc:opendocument:xmlns:";
const NAMESPACES = [
	["office", "office"],
	["text", "text"],
	["table", "table"],
	["style", "style"],
	["draw", "drawing"],
	["svg", "svg-compatible"],
	["fo", "xsl-fo-compatible"],
].map(([prefix, name]) => `xmlns:${prefix}="${OASIS}${name}:1.0"`);

const document = (body: string, styles = "") =>
	`<?xml version="1.0"?><office:document-content ${NAMESPACES.join(" ")} xmlns:xlink="http://www.w3.org/1999/xlink"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`;
const read = (body: string, styles?: string) => readOdt(makeOdt(document(body, styles))).markdown;
const p = (text: string) => `<text:p>${text}</text:p>`;

describe("readOdt", () => {
	it.each([
		[
			"several blanks, tabs and breaks",
			p('a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d'),
			"a\u00a0\u00a0\u00a0b c\\\nd",
		],
		["links", p('<text:a xlink:href="https://e.org/">t</text:a>'), "[t](https://e.org/)"],
		[
			"tables with repeated, covered and header cells",
			`<table:table><table:table-header-rows><table:table-row><table:table-cell>${p("a")}</table:table-cell><table:table-cell table:number-columns-repeated="2">${p("b")}</table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell table:number-columns-spanned="2">${p("c")}</table:table-cell><table:covered-table-cell/><table:table-cell>${p("d")}</table:table-cell></table:table-row></table:table>`,
			"| a | b | b |\n| --- | --- | --- |\n| c |  | d |",
		],
		[
			"headings that are stored as list items",
			'<text:list><text:list-item><text:list><text:list-item><text:h text:outline-level="2">Numbered</text:h></text:list-item></text:list></text:list-item></text:list>',
			"## Numbered",
		],
		["sections", `<text:section>${p("inside")}</text:section>`, "inside"],
		[
			"text boxes and the words about a picture",
			p(`<draw:frame><draw:text-box>${p("boxed")}</draw:text-box></draw:frame>`) +
				p(
					"<draw:frame><draw:image/><svg:title>Crane</svg:title><svg:desc>from below</svg:desc></draw:frame>",
				),
			"boxed\n\n![Crane: from below]()",
		],
		["markup characters in text", p("1 &lt; 2 &amp; <text:span>&lt;b&gt;</text:span>"), "1 < 2 & <b>"],
	])("keeps %s", (_what, body, markdown) => {
		expect(read(body)).toBe(markdown);
	});

	it.each([
		["deleted text", `<text:tracked-changes>${p("gone")}</text:tracked-changes>${p("kept")}`, "kept"],
		["comments", p("a<office:annotation><text:p>remark</text:p></office:annotation>b"), "ab"],
		[
			"the table of contents",
			`<text:table-of-content>${p("Chapter 1")}</text:table-of-content>${p("text")}`,
			"text",
		],
	])("leaves out %s", (_what, body, markdown) => {
		expect(read(body)).toBe(markdown);
	});

	it("takes emphasis from a style's parents, and knows lists by their level", () => {
		const styles =
			'<style:style style:name="Base" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style><style:style style:name="T1" style:family="text" style:parent-style-name="Base"><style:text-properties fo:font-style="italic"/></style:style><text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>';
		const list = `<text:list text:style-name="L"><text:list-item text:start-value="4">${p("one")}<text:list><text:list-item>${p("in")}</text:list-item></text:list></text:list-item><text:list-item>${p("two")}</text:list-item></text:list>`;
		expect(read(`${p('<text:span text:style-name="T1">both</text:span>')}${list}`, styles)).toBe(
			"***both***\n\n4. one\n   - in\n5. two",
		);
	});

	it("survives styles that are their own parents", () => {
		const styles =
			'<style:style style:name="A" style:family="paragraph" style:parent-style-name="B"/><style:style style:name="B" style:family="paragraph" style:parent-style-name="A"/>';
		expect(read('<text:p text:style-name="A">x</text:p>', styles)).toBe("x");
	});

	it("is not flooded by a count of blanks or columns", () => {
		expect(read(p('a<text:s text:c="999999999"/>b')).length).toBeLessThan(300);
		const cell = `<table:table-cell table:number-columns-repeated="999999999">${p("x")}</table:table-cell>`;
		expect(read(`<table:table><table:table-row>${cell}</table:table-row></table:table>`).length).toBeLessThan(
			3000,
		);
	});

	it("calls a package without contents damaged", () => {
		const bytes = makeZip([
			{ name: "mimetype", content: "application/vnd.oasis.opendocument.text", stored: true },
		]);
		expect(() => readOdt(bytes)).toThrow(
			expect.objectContaining({ code: "DOCUMENT_DAMAGED", message: expect.stringContaining("content.xml") }),
		);
	});
});
