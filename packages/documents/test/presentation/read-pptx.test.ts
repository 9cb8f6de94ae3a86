import { describe, expect, it } from "vitest";
import { makeZip, type ZipPart } from "../../../../test/helpers/convert-zip.ts";
import { readPptx } from "../../presentation/read-pptx.ts";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN =
	'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"';
const rels = (...entries: readonly string[][]) =>
	`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.map(([id, kind, target, mode]) => `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ""}/>`).join("")}</Relationships>`;
const slide = (shapes: string, namespaces = MAIN) =>
	`<p:sld ${namespaces}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
const paragraph = (text: string, properties = "") => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
const shape = (body: string, placeholder = "") =>
	`<p:sp><p:nvSpPr><p:cNvPr id="1" name="s"/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${body}</p:txBody></p:sp>`;
const title = (text: string) => shape(paragraph(text), '<p:ph type="title"/>');

function read(
	slides: readonly string[],
	more: readonly ZipPart[] = [],
	order = slides.map((_, index) => index + 1),
): string {
	return readPptx(
		makeZip([
			{
				name: "ppt/presentation.xml",
				content: `<p:presentation ${MAIN}><p:sldIdLst>${order.map((number) => `<p:sldId id="${number}" r:id="r${number}"/>`).join("")}</p:sldIdLst></p:presentation>`,
			},
			{
				name: "ppt/_rels/presentation.xml.rels",
				content: rels(
					...slides.map((_, index) => [`r${index + 1}`, "slide", `slides/slide${index + 1}.xml`]),
				),
			},
			...slides.map((content, index) => ({ name: `ppt/slides/slide${index + 1}.xml`, content })),
			...more,
		]),
	).markdown;
}

describe("readPptx", () => {
	it("shows slides in the order of the show, not of the files", () => {
		expect(read([slide(title("A")), slide(title("B"))], [], [2, 1])).toBe("## Slide 1: B\n\n## Slide 2: A");
	});

	it("finds shapes in groups and leaves out what repeats on every slide", () => {
		const group = `<p:grpSp><p:grpSp>${shape(paragraph("inside"))}</p:grpSp></p:grpSp>`;
		const footer =
			shape(paragraph("page 7"), '<p:ph type="sldNum"/>') + shape(paragraph("secret"), '<p:ph type="ftr"/>');
		expect(read([slide(group + footer)])).toBe("## Slide 1\n\ninside");
	});

	it("nests bullets by level and knows numbers and paragraphs without bullet", () => {
		const body = [
			paragraph("one"),
			paragraph("deep", '<a:pPr lvl="2"/>'),
			paragraph("two"),
			paragraph("n1", "<a:pPr><a:buAutoNum/></a:pPr>"),
			paragraph("plain", "<a:pPr><a:buNone/></a:pPr>"),
		].join("");
		expect(read([slide(shape(body, '<p:ph idx="1"/>'))])).toBe(
			"## Slide 1\n\n- one\n  - - deep\n- two\n\n1. n1\n\nplain",
		);
	});

	it("keeps the spans of a table", () => {
		const cell = (text: string, attributes = "") =>
			`<a:tc ${attributes}><a:txBody>${paragraph(text)}</a:txBody></a:tc>`;
		const table = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>${cell("ab", 'gridSpan="2"')}${cell("", 'hMerge="1"')}${cell("c")}</a:tr><a:tr>${cell("1")}${cell("2")}${cell("3")}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
		expect(read([slide(table)])).toBe("## Slide 1\n\n| ab |  | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |");
	});

	it("shows the numbers behind a chart", () => {
		const values = (...texts: string[]) =>
			texts.map((text, index) => `<c:pt idx="${index}"><c:v>${text}</c:v></c:pt>`).join("");
		const series = `<c:ser><c:tx>${values("Tonnes")}</c:tx><c:cat>${values("Grain", "Ore")}</c:cat><c:val>${values("12", "15")}</c:val></c:ser>`;
		const frame =
			'<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="r1"/></a:graphicData></a:graphic></p:graphicFrame>';
		const markdown = read(
			[slide(frame)],
			[
				{ name: "ppt/slides/_rels/slide1.xml.rels", content: rels(["r1", "chart", "../charts/chart1.xml"]) },
				{ name: "ppt/charts/chart1.xml", content: `<c:chartSpace ${MAIN}>${series}</c:chartSpace>` },
			],
		);
		expect(markdown).toBe("## Slide 1\n\n| Chart | Tonnes |\n| --- | --- |\n| Grain | 12 |\n| Ore | 15 |");
	});

	it("follows links out, but not to other slides, and describes pictures", () => {
		const linked = (id: string, text: string) =>
			`<a:p><a:r><a:rPr><a:hlinkClick r:id="${id}"/></a:rPr><a:t>${text}</a:t></a:r></a:p>`;
		const picture = '<p:pic><p:nvPicPr><p:cNvPr id="1" name="p" descr="A crane"/></p:nvPicPr></p:pic>';
		const markdown = read(
			[slide(shape(linked("r1", "out") + linked("r2", "next")) + picture)],
			[
				{
					name: "ppt/slides/_rels/slide1.xml.rels",
					content: rels(["r1", "hyperlink", "https://e.org/", "External"], ["r2", "slide", "slide2.xml"]),
				},
			],
		);
		expect(markdown).toBe("## Slide 1\n\n[out](https://e.org/)\n\nnext\n\n![A crane]()");
	});

	it("reads the strict form of the standard and prefixes of its own choice", () => {
		const strict =
			'xmlns:p="http://purl.oclc.org/ooxml/presentationml/main" xmlns:a="http://purl.oclc.org/ooxml/drawingml/main"';
		expect(read([slide(title("Strict"), strict)])).toBe("## Slide 1: Strict");
		const renamed = slide(title("Renamed"), MAIN.replace("xmlns:a=", "xmlns:d=")).replace(
			/(<\/?)a:/g,
			"$1d:",
		);
		expect(read([renamed])).toBe("## Slide 1: Renamed");
	});

	it("calls a presentation with a missing slide damaged", () => {
		expect(() => read([slide("")], [], [1, 1])).not.toThrow();
		const broken = makeZip([
			{
				name: "ppt/presentation.xml",
				content: `<p:presentation ${MAIN}><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>`,
			},
			{ name: "ppt/_rels/presentation.xml.rels", content: rels(["r1", "slide", "slides/slide9.xml"]) },
		]);
		expect(() => readPptx(broken)).toThrow(
			expect.objectContaining({ code: "DOCUMENT_DAMAGED", message: expect.stringContaining("slide9.xml") }),
		);
	});
});
