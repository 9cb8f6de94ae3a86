// Asks the questions of a set over unpacked packages: right file first, among three, among ten.
// node packages/navigator/bench/evaluate-set.ts development.json TREES_DIRECTORY [--verbose] [--semantic=DIRECTORY]
// --semantic: with the semantic part; DIRECTORY is the unpacked package it consists of.
// TREES_DIRECTORY has one directory for each `package` of the set, with what `npm pack` or a Debian package contains.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runSteps } from "@deputize/ground";
import { GRAMMAR_FILES } from "../../../src/navigator/grammar-files.ts";
import { listTreeFiles } from "../../../src/navigator/list-tree-files.ts";
import { createMeaningOpener } from "../../../src/navigator/open-meaning.ts";
import { createEmbedder } from "../../../src/navigator/semantic/create-embedder.ts";
import { buildCodeIndex } from "../code-index/build-code-index.ts";
import type { CodeIndex } from "../code-index/code-index.ts";
import { extractTerms } from "../extract-terms.ts";
import { searchTreeInSteps, type TreeQuestion } from "../search-tree.ts";
import { compareSemantically } from "../semantic/compare-semantically.ts";
import { openGrammars } from "../syntax/open-grammars.ts";
import { createSyntax } from "../syntax/syntax.ts";
import { settleNames } from "../take-names.ts";

interface Question {
	readonly package: string;
	readonly kind: string;
	readonly question: string;
	readonly files: readonly string[];
}

const [, , set = "development.json", trees = "."] = process.argv;
const verbose = process.argv.includes("--verbose");
const semantic = process.argv.find((word) => word.startsWith("--semantic="))?.slice("--semantic=".length);
const embedder = semantic === undefined ? undefined : createEmbedder(resolve(semantic));
const questions = JSON.parse(readFileSync(resolve(import.meta.dirname, set), "utf8")) as Question[];
const openMeaning = createMeaningOpener();
const grammars = openGrammars(GRAMMAR_FILES);
const indexes = new Map<string, { index: CodeIndex; cpuMs: number }>();
const ranks = new Map<string, number[]>();
const times: number[] = [];

const cpuMs = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1000;
for (const { package: name, kind, question, files } of questions) {
	const root = resolve(trees, name);
	if (!existsSync(root)) throw new Error(`${root} is missing`);
	if (!files.some((path) => existsSync(join(root, path))))
		console.log(`no such file in ${name}: ${files.join(", ")}`);
	const known = indexes.get(name) ?? (await openIndex(root));
	indexes.set(name, known);
	const started = cpuMs();
	const extracted = extractTerms(question);
	const terms = settleNames(extracted.terms, known.index);
	const asked = { task: question, terms, wishes: extracted.wishes, openMeaning };
	const search = (question: TreeQuestion) => runSteps(searchTreeInSteps(known.index, question));
	const findings = await search(asked);
	const scores = embedder && (await compareSemantically(known.index, findings, asked, embedder));
	if (scores?.problem !== undefined) throw new Error(scores.problem);
	const { ranked } = scores ? await search({ ...asked, semantic: scores.nearness }) : findings;
	times.push(known.cpuMs + cpuMs() - started);
	const rank = ranked.findIndex(({ path }) => files.includes(path)) + 1;
	ranks.set(kind, [...(ranks.get(kind) ?? []), rank]);
	if (verbose && rank !== 1)
		console.log(
			`rank ${rank}  ${name}: ${question}\n        first: ${ranked
				.slice(0, 3)
				.map(({ path }) => path)
				.join(", ")}`,
		);
}

async function openIndex(root: string): Promise<{ index: CodeIndex; cpuMs: number }> {
	const started = cpuMs();
	const index = {
		...(await buildCodeIndex({ root, paths: await listTreeFiles(root) })),
		syntax: createSyntax(grammars),
	};
	return { index, cpuMs: cpuMs() - started };
}

for (const [kind, found] of ranks) {
	const among = (limit: number): number => found.filter((rank) => rank >= 1 && rank <= limit).length;
	console.log(
		`${kind.padEnd(12)} first ${among(1)}, among three ${among(3)}, among ten ${among(10)}, of ${found.length}`,
	);
}
times.sort((a, b) => a - b);
console.log(
	`CPU time of a question, reading the tree included: median ${Math.round(times[times.length >> 1] ?? 0)} ms, most ${Math.round(times.at(-1) ?? 0)} ms; memory ${Math.round(process.memoryUsage().rss / 1e6)} MB`,
);
