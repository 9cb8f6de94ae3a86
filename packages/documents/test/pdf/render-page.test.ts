import { describe, expect, it } from "vitest";
import { groupLines } from "../../pdf/group-lines.ts";
import { rankSizes } from "../../pdf/heading-levels.ts";
import type { PdfItem, PdfLink, PdfPage } from "../../pdf/pdf-page.ts";
import { renderPage } from "../../pdf/render-page.ts";

const item = (text: string, x: number, y: number, more: Partial<PdfItem> = {}): PdfItem => ({
	text,
	x,
	y,
	width: text.length * 6,
	size: 10,
	bold: false,
	italic: false,
	fixed: false,
	...more,
});

function render(items: readonly PdfItem[], links: readonly PdfLink[] = []): string {
	const page: PdfPage = { items, links };
	return renderPage(page, rankSizes(groupLines(page)));
}

describe("renderPage", () => {
	it("joins the lines of a paragraph and mends words broken at the end of a line", () => {
		expect(
			render([
				item("The harbour was re-", 50, 700),
				item("built in 1990", 50, 688),
				item("by hand.", 50, 676),
			]),
		).toBe("The harbour was rebuilt in 1990 by hand.");
	});

	it("begins a paragraph at a gap and at an indent", () => {
		expect(
			render([item("one", 50, 700), item("two", 50, 670), item("three", 50, 658), item("four", 65, 646)]),
		).toBe("one\n\ntwo three\n\nfour");
	});

	it("ranks larger text as headings and joins a heading over two lines", () => {
		const text = render([
			item("Big", 50, 700, { size: 20 }),
			item("Title", 50, 678, { size: 20 }),
			item("Part", 50, 650, { size: 14 }),
			item("Body text of the page, which is most of it.", 50, 630),
		]);
		expect(text).toBe("# Big Title\n\n## Part\n\nBody text of the page, which is most of it.");
	});

	it("puts columns that stand under each other into a table, with empty cells where nothing is", () => {
		const text = render([
			item("Kind", 50, 700),
			item("Tonnes", 200, 700),
			item("Share", 300, 700),
			item("Grain", 50, 688),
			item("12", 224, 688),
			item("Ore", 50, 676),
			item("50%", 300, 676),
		]);
		expect(text).toBe("| Kind | Tonnes | Share |\n| --- | --- | --- |\n| Grain | 12 |  |\n| Ore |  | 50% |");
	});

	it("does not take a line with one gap for a table", () => {
		expect(render([item("Chapter", 50, 700), item("12", 400, 700), item("and text", 50, 688)])).toBe(
			"Chapter 12 and text",
		);
	});

	it("nests list items by their indent", () => {
		const text = render([
			item("• one", 50, 700),
			item("• two", 70, 688),
			item("more of two", 82, 676),
			item("• three", 50, 664),
		]);
		expect(text).toBe("- one\n   - two more of two\n- three");
	});

	it("sets lines in a typewriter face as code, with blanks where the positions leave room", () => {
		const fixed = { fixed: true };
		const text = render([
			item("if (a) {", 50, 700, fixed),
			item("b", 62, 688, fixed),
			item("= 1;", 80, 688, fixed),
			item("}", 50, 664, fixed),
			item("and prose", 50, 640),
		]);
		expect(text).toBe("```\nif (a) {\n  b  = 1;\n\n}\n```\n\nand prose");
	});

	it("links the words under a link's area, not the whole line", () => {
		const words = "See the port authority for numbers";
		const link = { url: "https://e.org/a(b)", left: 50 + 8 * 6, right: 50 + 22 * 6, bottom: 698, top: 710 };
		expect(render([item(words, 50, 700)], [link])).toBe(
			"See the [port authority](https://e.org/a%28b%29) for numbers",
		);
	});

	it("marks bold and italic runs, and leaves superscripts on their line", () => {
		const text = render([
			item("plain", 50, 700),
			item("bold", 86, 700, { bold: true }),
			item("slanted", 116, 700, { italic: true }),
			item("2", 158, 704, { size: 6, width: 4 }),
		]);
		expect(text).toBe("plain **bold** *slanted*2");
	});

	it("reads two columns of a page one after the other", () => {
		const left = ["left one", "left two"].map((text, index) => item(text, 50, 700 - 12 * index));
		const right = ["right one", "right two"].map((text, index) => item(text, 350, 700 - 12 * index));
		expect(render([...left, ...right])).toBe("left one left two\n\nright one right two");
	});

	it("escapes what would become Markdown", () => {
		expect(render([item("# not a heading", 50, 700)])).toBe("\\# not a heading");
	});
});
