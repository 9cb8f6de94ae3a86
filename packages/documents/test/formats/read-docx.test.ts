import { describe, expect, it } from "vitest";
import { BILLION_LAUGHS, makeDocx, wordDocument } from "../../../../test/helpers/convert-hostile.ts";
import { readDocx } from "../../formats/read-docx.ts";

const read = async (body: string) => (await readDocx(makeDocx(wordDocument(body)))).markdown;
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const math = (inner: string) => `<m:oMath>${inner}</m:oMath>`;
const letter = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const e = (inner: string) => `<m:e>${inner}</m:e>`;

describe("readDocx", () => {
	it.each([
		["a fraction", `<m:f><m:num>${letter("a")}</m:num><m:den>${letter("b")}</m:den></m:f>`, "\\frac{a}{b}"],
		["a power", `<m:sSup>${e(letter("x"))}<m:sup>${letter("12")}</m:sup></m:sSup>`, "x^{12}"],
		["an index", `<m:sSub>${e(letter("x"))}<m:sub>${letter("i")}</m:sub></m:sSub>`, "x_i"],
		["a root", `<m:rad><m:deg/>${e(letter("2"))}</m:rad>`, "\\sqrt{2}"],
		[
			"a sum",
			`<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${letter("i=1")}</m:sub><m:sup>${letter("n")}</m:sup>${e(letter("i"))}</m:nary>`,
			"\\sum_{i=1}^n i",
		],
		[
			"brackets",
			`<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>${e(letter("a"))}</m:d>`,
			"[a]",
		],
		["signs that Markdown knows", letter("a*b_c &lt; d"), "a*b_c < d"],
	])("keeps %s of a formula as TeX", async (_what, formula, tex) => {
		expect(await read(`<w:p>${run("where ")}${math(formula)}${run(" holds")}</w:p>`)).toBe(
			`where $${tex}$ holds`,
		);
	});

	it("keeps a displayed formula", async () => {
		expect(await read(`<w:p><m:oMathPara>${math(letter("x"))}</m:oMathPara></w:p>`)).toBe("$x$");
	});

	it("cannot be fooled by the placeholder of a formula", async () => {
		expect(await read(`<w:p>${run("\uFDD50\uFDD5")}${math(letter("x"))}</w:p>`)).toBe("0$x$");
	});

	it("refuses entities of its own and depth", async () => {
		await expect(
			readDocx(makeDocx(`${BILLION_LAUGHS}<w:document>&lol9;</w:document>`)),
		).rejects.toMatchObject({
			code: "DOCUMENT_UNSAFE",
		});
		await expect(read("<w:sdt>".repeat(50_000) + "</w:sdt>".repeat(50_000))).rejects.toMatchObject({
			code: "DOCUMENT_UNSAFE",
		});
	});

	it("does not read files or addresses a document points at", async () => {
		const relationships =
			'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="file:///etc/passwd" TargetMode="External"/></Relationships>';
		const picture =
			'<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="p" descr="A crane"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:link="r9"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
		const docx = makeDocx(wordDocument(picture), [
			{ name: "word/_rels/document.xml.rels", content: relationships },
		]);
		expect((await readDocx(docx)).markdown).toBe("![A crane]()");
	});

	it("calls a document without its main part damaged", async () => {
		await expect(readDocx(makeDocx("<not-word/>"))).rejects.toMatchObject({ code: "DOCUMENT_DAMAGED" });
	});
});
