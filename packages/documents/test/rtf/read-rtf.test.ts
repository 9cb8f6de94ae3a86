import { describe, expect, it } from "vitest";
import { readRtf } from "../../rtf/read-rtf.ts";

const read = (body: string) => readRtf(Buffer.from(`{\\rtf1\\ansi ${body}}`, "latin1")).markdown;

describe("readRtf", () => {
	it.each([
		["paragraphs", "one\\par two\\par", "one\n\ntwo"],
		["emphasis", "a {\\b bold} {\\i italic} {\\strike gone}\\par", "a **bold** *italic* ~~gone~~"],
		["emphasis that is switched off", "\\b bold\\b0  plain\\par", "**bold** plain"],
		["escaped signs", "a\\\\b \\{c\\}\\par", "a\\b {c}"],
		["dashes and quotes", "a\\emdash b \\ldblquote c\\rdblquote\\par", "a—b “c”"],
		["bytes of the default code page", "Gr\\'f6\\'dfe\\par", "Größe"],
		["another code page", "{\\rtf1\\ansicpg1251 \\'cf\\'f0\\'e8}\\par", "При"],
		[
			"bytes of a font's character set",
			"{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset128 B;}}\\f1 \\'93\\'fa\\'96\\'7b\\par",
			"日本",
		],
		["Unicode with its fallback", "\\uc1 \\u28207?\\u21475? \\uc2 \\u8364\\'80\\'80\\par", "港口 €"],
		["surrogate pairs", "\\u-10179?\\u-8704?\\par", "😀"],
		[
			"links",
			'{\\field{\\*\\fldinst HYPERLINK "https://e.org/"}{\\fldrslt text}}\\par',
			"[text](https://e.org/)",
		],
		["fields that are no links", "{\\field{\\*\\fldinst PAGE}{\\fldrslt 7}}\\par", "7"],
		[
			"headings by outline level",
			"\\pard\\outlinelevel1 \\b Title\\b0\\par\\pard text\\par",
			"## Title\n\ntext",
		],
		["headings by style", "{\\stylesheet{\\s1 heading 3;}}\\pard\\s1 Title\\par", "### Title"],
		[
			"tables",
			"\\trowd\\intbl a\\cell b\\cell\\row\\trowd\\intbl 1\\cell\\cell\\row\\pard after\\par",
			"| a | b |\n| --- | --- |\n| 1 |  |\n\nafter",
		],
		["footnotes", "text{\\footnote \\pard note}.\\par", "text[^1].\n\n[^1]: note"],
	])("keeps %s", (_what, rtf, markdown) => {
		expect(read(rtf)).toBe(markdown);
	});

	it.each([
		["pictures", "a{\\pict\\pngblip 89504e47}b\\par", "ab"],
		["binary data", "a{\\pict\\bin5 }{}{}b}c\\par", "ac"],
		["unknown starred groups", "a{\\*\\unknown secret}b\\par", "ab"],
		["hidden and deleted text", "a{\\v hidden}{\\deleted gone}b\\par", "ab"],
		["headers and footers", "{\\header top}{\\footerl bottom}a\\par", "a"],
		["the facts about the file", "{\\info{\\operator Bob}{\\company Acme}}a\\par", "a"],
	])("leaves out %s", (_what, rtf, markdown) => {
		expect(read(rtf)).toBe(markdown);
	});

	it("reads title and author", () => {
		const { title, metadata } = readRtf(Buffer.from("{\\rtf1{\\info{\\title A {\\b B}}{\\author C}}x\\par}"));
		expect(title).toBe("A B");
		expect(metadata).toEqual({ author: "C" });
	});

	it("calls a file that is cut off damaged", () => {
		expect(() => readRtf(Buffer.from("{\\rtf1 a{\\b bold"))).toThrow(
			expect.objectContaining({ code: "DOCUMENT_DAMAGED" }),
		);
	});

	it("refuses groups without end", () => {
		expect(() => readRtf(Buffer.from(`{\\rtf1${"{".repeat(100_000)}`))).toThrow(
			expect.objectContaining({ code: "DOCUMENT_UNSAFE" }),
		);
	});
});
