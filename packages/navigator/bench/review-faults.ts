// Planted faults: what the review without a model finds, beside oxlint and tsc alone. A fault counts as found when its line is named.
// node packages/navigator/bench/review-faults.ts [OXLINT]    OXLINT: path of the program, when it is installed somewhere
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createTwoFilesPatch } from "diff";
import { finishParsing, indexTree } from "../../../test/helpers/navigator-tree.ts";
import { parseDiff } from "../changes/parse-diff.ts";
import { collectFindings } from "../changes/render-review.ts";

interface Fault {
	readonly id: string;
	readonly language: string;
	readonly what: string;
	readonly path: string;
	readonly before: string;
	readonly after: string;
	/** The line to be named, as path:line. */
	readonly at: string;
	readonly around?: Readonly<Record<string, string>>;
}

const faults = JSON.parse(readFileSync(join(import.meta.dirname, "faults.json"), "utf8")) as Fault[];
const oxlint = process.argv[2];
const tsc = resolve(import.meta.dirname, "../../../node_modules/.bin/tsc");

function review({ path, before, after, around = {} }: Fault): string[] {
	const files =
		parseDiff(createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, "", "", { context: 0 })) ?? [];
	const index = indexTree([[path, after], ...Object.entries(around)]);
	const found = finishParsing(() =>
		collectFindings({
			agent: "reviewer",
			facts: { commits: [] },
			changes: { title: "", files },
			index,
			steps: [],
			verbose: true,
		}),
	);
	return found.map(({ path: file, line }) => `${file}:${line}`);
}

function withFiles<Result>({ path, after, around = {} }: Fault, use: (root: string) => Result): Result {
	const root = mkdtempSync(join(tmpdir(), "faults-"));
	for (const [file, text] of [[path, after], ...Object.entries(around)] as const) {
		mkdirSync(dirname(join(root, file)), { recursive: true });
		writeFileSync(join(root, file), text);
	}
	try {
		return use(root);
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
}

const isScript = ({ path }: Fault): boolean => /\.[jt]s$/.test(path);

function askOxlint(fault: Fault): string[] {
	if (oxlint === undefined || !isScript(fault)) return [];
	return withFiles(fault, (root) => {
		const { stdout } = spawnSync(oxlint, ["--format=json", "."], { cwd: root, encoding: "utf8" });
		const { diagnostics = [] } = JSON.parse(stdout) as {
			diagnostics?: { filename: string; labels: { span: { line: number } }[] }[];
		};
		return diagnostics.map(({ filename, labels }) => `${filename}:${labels[0]?.span.line}`);
	});
}

function askTsc(fault: Fault): string[] {
	if (!isScript(fault)) return [];
	return withFiles(fault, (root) => {
		const files = [fault.path, ...Object.keys(fault.around ?? {})];
		const options = [
			"--noEmit",
			"--strict",
			"--allowImportingTsExtensions",
			"--module",
			"nodenext",
			"--allowJs",
			"--checkJs",
		];
		const { stdout } = spawnSync(tsc, [...options, ...files], { cwd: root, encoding: "utf8" });
		return [...stdout.matchAll(/^(\S+?)\((\d+),\d+\): error/gm)].map(([, file, line]) => `${file}:${line}`);
	});
}

const rows = faults.map((fault) => ({
	fault,
	review: review(fault).includes(fault.at),
	oxlint: askOxlint(fault).includes(fault.at),
	tsc: askTsc(fault).includes(fault.at),
}));
const mark = (found: boolean): string => (found ? "found" : "–");
console.log("| Language | Fault | Review | oxlint | tsc |\n|---|---|---|---|---|");
for (const { fault, ...found } of rows)
	console.log(
		`| ${fault.language} | ${fault.what} | ${mark(found.review)} | ${mark(found.oxlint)} | ${mark(found.tsc)} |`,
	);
const count = (of: "review" | "oxlint" | "tsc"): number => rows.filter((row) => row[of]).length;
console.log(`\nof ${rows.length}: review ${count("review")}, oxlint ${count("oxlint")}, tsc ${count("tsc")}`);
