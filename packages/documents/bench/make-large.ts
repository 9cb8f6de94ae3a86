import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeXlsx } from "hucre/xlsx";

const report = join(import.meta.dirname, "../fixtures/sources/report.md");
const COPIES = 200;
const ROWS = 20_000;

/** The report 200 times in a row by pandoc, about 150 pages, and a workbook of 20,000 rows. */
export async function makeLargeDocuments(directory: string): Promise<string[]> {
	const body = readFileSync(report, "utf8").replace(/^---[\s\S]*?---\n/, "");
	const source = join(directory, "large.md");
	const chapters = Array.from({ length: COPIES }, (_, index) => body.replaceAll("[^1]", `[^n${index}]`));
	writeFileSync(source, chapters.join("\n\n"));
	const files = ["docx", "odt", "epub", "rtf", "html"].map((format) => {
		const file = join(directory, `large.${format}`);
		spawnSync("pandoc", ["-s", "--metadata", "title=Large", source, "-o", file]);
		return file;
	});
	const rows = Array.from({ length: ROWS }, (_, row) => [
		`ship ${row}`,
		row,
		row / 7,
		new Date(2025, 0, 1 + (row % 365)),
		row % 2 === 0,
	]);
	const workbook = join(directory, "large.xlsx");
	writeFileSync(workbook, await writeXlsx({ sheets: [{ name: "Ships", rows }] }));
	return [...files, workbook];
}
