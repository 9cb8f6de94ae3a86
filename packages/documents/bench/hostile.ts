import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	BILLION_LAUGHS,
	hugeWorksheet,
	makeDocx,
	makePdf,
	makeXlsx,
	wordDocument,
} from "../../../test/helpers/convert-hostile.ts";
import { CONVERTERS, runConverter } from "./converters.ts";

// What hostile files cost: CPU time and peak memory of each converter, and how it ended.
const FILES: readonly (readonly [string, string, () => Uint8Array])[] = [
	["300 MiB of blanks in a Word file", "docx", () => makeDocx(Buffer.alloc(300 * 1024 * 1024, 32))],
	["6 million paragraphs", "docx", () => makeDocx(wordDocument("<w:p/>".repeat(6_000_000)))],
	[
		"200,000 nested elements",
		"docx",
		() => makeDocx(wordDocument("<w:sdt>".repeat(200_000) + "</w:sdt>".repeat(200_000))),
	],
	["billion laughs", "docx", () => makeDocx(`${BILLION_LAUGHS}<w:document>&lol9;</w:document>`)],
	["a sheet of 95 MB", "xlsx", () => makeXlsx(hugeWorksheet(95))],
	["10 million text operations", "pdf", () => makePdf(`BT /F1 12 Tf ${"(a) Tj ".repeat(10_000_000)} ET`)],
];

const directory = mkdtempSync(join(tmpdir(), "bench-hostile-"));
try {
	for (const [what, format, make] of FILES) {
		const file = join(directory, `hostile.${format}`);
		writeFileSync(file, make());
		for (const converter of CONVERTERS) {
			const run = runConverter(converter, file);
			if (!run) continue;
			const ending =
				run.failure === undefined ? `${run.markdown.length} characters` : `refused or failed: ${run.failure}`;
			console.log(
				`${what} | ${converter.name} | ${Math.round(run.cpuMs)} ms | ${Math.round(run.peakMb)} MB | ${ending.slice(0, 150)}`,
			);
		}
	}
} finally {
	rmSync(directory, { recursive: true });
}
