import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { compilePart } from "../../../bench/compile-part.mjs";

const here = import.meta.dirname;
const root = join(here, "../..");

export interface Run {
	readonly markdown: string;
	/** User and system time of the process and all it started: wall time says little on a busy machine. */
	readonly cpuMs: number;
	readonly peakMb: number;
	readonly failure?: string;
}

interface Converter {
	readonly name: string;
	readonly formats: readonly string[];
	command(file: string): string[];
	/** The Markdown in what the command printed. */
	read(stdout: string): string;
}

const compiled = await compilePart("tools/convert/convert-document.ts");
const plain = (stdout: string): string => stdout;

/** Every one as its own process from a cold start, which is how a tool call uses it. */
export const CONVERTERS: readonly Converter[] = [
	{
		name: "deputize",
		formats: ["docx", "odt", "epub", "rtf", "pptx", "odp", "xlsx", "ods", "html", "ipynb", "csv", "pdf"],
		command: (file) => [process.execPath, join(here, "convert-one.ts"), compiled, file],
		read: plain,
	},
	{
		name: "officeparser 8.1.1",
		formats: ["docx", "odt", "epub", "rtf", "pptx", "odp", "xlsx", "ods", "pdf"],
		command: (file) => [
			process.execPath,
			join(here, "node_modules/officeparser/dist/cli.js"),
			file,
			"--to=md",
			"--ignoreInternalLinks",
			"--generateIds=false",
			"--includeImages=none",
			"--mdConfig.dialect=github",
			"--mdConfig.fallbackToHtml=false",
		],
		read: plain,
	},
	{
		name: "pandoc",
		formats: ["docx", "odt", "epub", "rtf", "html", "ipynb", "csv"],
		command: (file) => ["pandoc", "--to=gfm-raw_html", "--wrap=none", file],
		read: plain,
	},
	{
		name: "pdf-inspector's own Markdown",
		formats: ["pdf"],
		command: (file) => [
			process.execPath,
			"--input-type=commonjs",
			"-e",
			`const { extractPagesMarkdown } = require(${JSON.stringify(join(root, "node_modules/@firecrawl/pdf-inspector"))}); process.stdout.write(extractPagesMarkdown(require("fs").readFileSync(${JSON.stringify(file)})).pages.map((page) => page.markdown).join("\\n"))`,
		],
		read: plain,
	},
];

export function runConverter(converter: Converter, file: string): Run | undefined {
	if (!converter.formats.includes(extname(file).slice(1))) return undefined;
	const report = join(process.env["TMPDIR"] ?? "/tmp", `bench-documents-${process.pid}.time`);
	writeFileSync(report, "");
	const [program = "", ...args] = converter.command(file);
	const result = spawnSync("/usr/bin/time", ["-f", "%M %U %S", "-o", report, program, ...args], {
		encoding: "utf8",
		maxBuffer: 256 * 1024 * 1024,
		timeout: 120_000,
	});
	const [peakKb = 0, user = 0, system = 0] = (readFileSync(report, "utf8").trim().split("\n").at(-1) ?? "")
		.split(" ")
		.map(Number);
	rmSync(report);
	return {
		markdown: converter.read(result.stdout),
		cpuMs: (user + system) * 1000,
		peakMb: peakKb / 1024,
		...(result.status !== 0 && {
			failure: result.error ? "stopped after 120 s" : (result.stderr.trim().split("\n").at(-1) ?? "failed"),
		}),
	};
}
