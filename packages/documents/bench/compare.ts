import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { CONVERTERS, type Run, runConverter } from "./converters.ts";
import { makeLargeDocuments } from "./make-large.ts";
import { MOST, scoreReport } from "./score.ts";

// Two tables in Markdown: what each converter keeps of the same report, and what larger documents cost.
const RUNS = 3;
const fixtures = join(import.meta.dirname, "../fixtures");

function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
	const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
	console.log([line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n"), "\n");
}

function compareFidelity(): void {
	const reports = readdirSync(fixtures).filter((name) =>
		/-report\.(docx|odt|epub|rtf|html|ipynb|pdf)$/.test(name),
	);
	const rows = reports.map((name) => [
		name,
		...CONVERTERS.map((converter) => {
			const run = runConverter(converter, join(fixtures, name));
			if (!run) return "–";
			if (run.failure) return `fails: ${run.failure.slice(0, 40)}`;
			const { kept, lost } = scoreReport(run.markdown);
			return kept === MOST ? `${kept}` : `${kept} (lost: ${lost.join(", ")})`;
		}),
	]);
	console.log(`Kept, of ${MOST}:\n`);
	table(["document", ...CONVERTERS.map(({ name }) => name)], rows);
}

function measure(converter: (typeof CONVERTERS)[number], file: string): string {
	const runs: Run[] = [];
	for (let count = 0; count < RUNS; count += 1) {
		const run = runConverter(converter, file);
		if (!run) return "–";
		if (run.failure) return `fails: ${run.failure.slice(0, 60)}`;
		runs.push(run);
	}
	const cpu = Math.round(Math.min(...runs.map(({ cpuMs }) => cpuMs)));
	const peak = Math.round(Math.max(...runs.map(({ peakMb }) => peakMb)));
	const size = Math.round((runs[0]?.markdown.length ?? 0) / 1000);
	return `${cpu} ms, ${peak} MB, ${size} k`;
}

const directory = mkdtempSync(join(tmpdir(), "bench-documents-"));
try {
	console.log(
		`${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}, best of ${RUNS} runs\n`,
	);
	compareFidelity();
	const files = [
		join(fixtures, "libreoffice-report.docx"),
		...(await makeLargeDocuments(directory)),
		...process.argv.slice(2),
	];
	const rows = files.map((file) => [
		`${basename(file)} (${Math.round(statSync(file).size / 1024)} KiB)`,
		...CONVERTERS.map((converter) => measure(converter, file)),
	]);
	console.log("CPU time from a cold start, peak memory of the largest process, characters of Markdown:\n");
	table(["document", ...CONVERTERS.map(({ name }) => name)], rows);
} finally {
	rmSync(directory, { recursive: true });
}
