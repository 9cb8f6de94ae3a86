import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makePdf } from "../../../../test/helpers/convert-hostile.ts";
import { type LoadInspector, readPdf } from "../../pdf/read-pdf.ts";

const folder = join(import.meta.dirname, "../../fixtures");
const file = (name: string) => readFileSync(join(folder, name));
const DOCUMENTS = ["libreoffice-report.pdf", "libreoffice-slides.pdf", "groff-memo.pdf"];

/** The native engine is optional for users; where everything is tested it must be there. */
const loadInspector: LoadInspector = () => {
	try {
		return createRequire(import.meta.url)("@firecrawl/pdf-inspector") as ReturnType<LoadInspector>;
	} catch {
		return undefined;
	}
};
const hasInspector = loadInspector() !== undefined;

beforeAll(() => {
	if (process.env["CI"] === "true" && !hasInspector)
		throw new Error(
			"@firecrawl/pdf-inspector did not load; install optional dependencies to run these tests in CI.",
		);
});

describe.each([
	["unpdf", true],
	["auto", hasInspector],
] as const)("readPdf with engine %s", (engine, available) => {
	const loader = engine === "auto" ? loadInspector : undefined;
	it.skipIf(!available).each(DOCUMENTS)("makes of %s exactly the Markdown beside it", async (name) => {
		const { markdown, metadata } = await readPdf(file(name), loader);
		await expect(`${markdown}\n`).toMatchFileSnapshot(join(folder, "expected", `${name}.${engine}.md`));
		expect(metadata["engine"]).toBe(engine === "auto" ? "pdf-inspector" : "unpdf");
	});

	it.skipIf(!available)("keeps headings, the rows of a table, lists, links and page numbers", async () => {
		const { markdown, metadata, title } = await readPdf(file("libreoffice-report.pdf"), loader);
		expect(title).toBe("Harbour Report");
		expect(metadata["pages"]).toBe(2);
		for (const part of [
			"<!-- Page 1 of 2 -->\n\n# Harbour Report\n\n## Overview",
			"| Kind | Tonnes | Share |\n| --- | --- | --- |\n| Grain | 1200 | 40% |\n| Ore \\| coal | 1500 (50%) |  |",
			"1. Arrive\n2. Unload\n   - crane\n   - conveyor\n3. Leave",
			"[port authority](https://port.example.org/stats?year=2025) for the raw",
			"<!-- Page 2 of 2 -->\n\n## Appendix",
		])
			expect(markdown).toContain(part);
	});

	it.skipIf(!available)("asks for a copy without password", async () => {
		await expect(readPdf(file("encrypted-memo.pdf"), loader)).rejects.toMatchObject({
			code: "DOCUMENT_ENCRYPTED",
			message: expect.stringContaining("password"),
		});
	});

	it.skipIf(!available)("reads a file that is only locked against printing", async () => {
		expect((await readPdf(file("owner-locked-memo.pdf"), loader)).markdown).toContain("# Harbour Memo");
	});

	it.skipIf(!available)("calls a file that is cut off damaged", async () => {
		await expect(readPdf(file("libreoffice-report.pdf").subarray(0, 2000), loader)).rejects.toMatchObject({
			code: "DOCUMENT_DAMAGED",
		});
	});

	it.skipIf(!available)("does not pass a page without text off as an empty document", async () => {
		const { markdown } = await readPdf(makePdf("0 0 100 100 re f"), loader);
		expect(markdown).toBe(
			"*(No page has text: scanned pictures need OCR, which is not done here)*\n\n<!-- Page 1 of 1 -->",
		);
	});
});
