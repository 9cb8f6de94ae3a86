import { wordPattern } from "./build-search-patterns.ts";
import { classifyLine, type LineReading } from "./classify-line.ts";
import { weighPath } from "./classify-path.ts";
import type { Evidence, FileEvidence } from "./collect-evidence.ts";
import { createMatcher, type PreparedText, prepareText, type TermMatcher } from "./match-terms.ts";
import type { SearchTerm, TaskWishes } from "./search-terms.ts";
import { splitIdentifier } from "./split-identifier.ts";
import { stemsMeet, stemWord } from "./stem-word.ts";

export interface RankedLine {
	readonly line: number;
	readonly text: string;
	readonly score: number;
	readonly reading: LineReading;
	/** Indexes of the terms on it. */
	readonly terms: readonly number[];
}

export interface RankedFile {
	readonly path: string;
	readonly score: number;
	/** Best lines first. */
	readonly lines: readonly RankedLine[];
	/** The stretch that speaks most of the task. */
	readonly window: { readonly first: number; readonly last: number };
	readonly covered: readonly string[];
	readonly nameMatches: readonly string[];
	readonly defines: readonly string[];
}

export interface RankingQuestion {
	readonly task: string;
	readonly terms: readonly SearchTerm[];
	readonly wishes: TaskWishes;
}

interface WeighedTerm {
	readonly term: SearchTerm;
	readonly match: TermMatcher;
	/** The task's weight times rarity in this tree. */
	readonly value: number;
}

interface ScoredLine extends RankedLine {
	/** Value of each term on this line, by index; 0 where absent. */
	readonly values: readonly number[];
	readonly nameBonus: number;
}

const WINDOW_LINES = 24;
const ROLE_FACTORS = { definition: 1.5, property: 1.1, comment: 1.25, import: 0.35, code: 1 } as const;
const USAGE_ROLE_FACTORS = { definition: 1.3, property: 1, comment: 0.7, import: 1, code: 1.4 } as const;
const EXPORTED_FACTOR = 1.15;
const EXACT_DEFINITION_BONUS = 6;
const NAME_COVERAGE_FACTOR = 1.6;
const BASE_NAME_FACTOR = 1.8;
const DIRECTORY_FACTOR = 0.5;
const WHOLE_FILE_SHARE = 0.25;
const MAX_RANKED_LINES = 40;

/** Orders files by how much of the task, and how rare a part of it, stands close together in them. */
export function rankFiles(evidence: Evidence, question: RankingQuestion): RankedFile[] {
	const terms = weighTerms(evidence, question.terms);
	const echo = echoOf(question.task);
	const ranked: RankedFile[] = [];
	for (const path of new Set([...evidence.files.keys(), ...evidence.listed])) {
		const file = evidence.files.get(path) ?? { path, lines: new Map(), definitions: new Set<number>() };
		const result = rankFile(file, terms, question, echo);
		if (result !== undefined) ranked.push(result);
	}
	return ranked.sort((a, b) => b.score - a.score || comparePaths(a.path, b.path));
}

/** Shallow and short first, so that equal files come in the order a person would open them. */
function comparePaths(left: string, right: string): number {
	return (
		left.split("/").length - right.split("/").length || left.length - right.length || (left < right ? -1 : 1)
	);
}

function weighTerms(evidence: Evidence, terms: readonly SearchTerm[]): WeighedTerm[] {
	const matchers = terms.map(createMatcher);
	const counts = countFiles(evidence, matchers);
	return terms.map((term, index) => {
		const seen = counts[index] ?? 0;
		const cut = term.kind === "word" && evidence.cutPatterns.has(wordPattern(term.stems[0] ?? ""));
		const files = cut ? Math.max(seen, evidence.treeSize * 0.25) : seen;
		const rarity = Math.log(1 + evidence.treeSize / (1 + files));
		return { term, match: matchers[index] ?? (() => 0), value: term.weight * rarity };
	});
}

function countFiles(evidence: Evidence, matchers: readonly TermMatcher[]): number[] {
	const counts = matchers.map(() => 0);
	for (const file of evidence.files.values()) {
		const text = prepareText([...file.lines.values()].join("\n"));
		matchers.forEach((match, index) => {
			if (match(text) >= 1) counts[index] = (counts[index] ?? 0) + 1;
		});
	}
	return counts;
}

function rankFile(
	file: FileEvidence,
	terms: readonly WeighedTerm[],
	question: RankingQuestion,
	echo: (text: PreparedText) => boolean,
): RankedFile | undefined {
	const lines = scoreLines(file, terms, question.wishes, echo);
	const names = scoreNames(file.path, terms);
	if (lines.length === 0 && names.value === 0) return undefined;
	const window = bestWindow(lines);
	const whole = bestValues(lines, terms.length);
	const total = terms.reduce((sum, term) => sum + term.value, 0) || 1;
	const coverage = coveredValue(terms, window.values, names.matched) / total;
	const wholeCoverage = coveredValue(terms, whole, names.matched) / total;
	const content = window.score + WHOLE_FILE_SHARE * sum(whole);
	const coverageFactor = 0.35 + 0.5 * coverage + 0.15 * wholeCoverage;
	return {
		path: file.path,
		score: (content + names.value) * coverageFactor * weighPath(file.path, question.wishes),
		lines: [...lines].sort((a, b) => b.score - a.score || a.line - b.line).slice(0, MAX_RANKED_LINES),
		window: { first: window.first, last: window.last },
		covered: terms
			.filter((_term, index) => (whole[index] ?? 0) > 0 || names.matched.has(index))
			.map(({ term }) => term.text),
		nameMatches: [...names.matched].map((index) => terms[index]?.term.text ?? ""),
		defines: definedNames(lines),
	};
}

function scoreLines(
	file: FileEvidence,
	terms: readonly WeighedTerm[],
	wishes: TaskWishes,
	echo: (text: PreparedText) => boolean,
): ScoredLine[] {
	const scored: ScoredLine[] = [];
	for (const [line, text] of file.lines) {
		const prepared = prepareText(text);
		const strengths = terms.map(({ match }) => match(prepared));
		const confirmed = file.definitions.has(line);
		if ((!confirmed && !strengths.some((strength) => strength > 0)) || echo(prepared)) continue;
		scored.push(scoreLine(line, text, strengths, terms, wishes, confirmed));
	}
	return scored.sort((a, b) => a.line - b.line);
}

function scoreLine(
	line: number,
	text: string,
	strengths: readonly number[],
	terms: readonly WeighedTerm[],
	wishes: TaskWishes,
	confirmed: boolean,
): ScoredLine {
	const reading = classifyLine(text);
	const factors = wishes.usages ? USAGE_ROLE_FACTORS : ROLE_FACTORS;
	const factor =
		factors[reading.role] * (reading.exported && reading.role === "definition" ? EXPORTED_FACTOR : 1);
	const values = terms.map(({ value }, index) => value * (strengths[index] ?? 0) * factor);
	const present = terms.flatMap((_term, index) => ((strengths[index] ?? 0) > 0 ? [index] : []));
	const nameBonus = definitionBonus(reading, terms, confirmed);
	const together = 1 + 0.25 * Math.max(0, present.length - 1);
	return {
		line,
		text,
		reading,
		terms: present,
		values,
		nameBonus,
		score: sum(values) * together + nameBonus,
	};
}

/** A definition named like the task's words is what most questions ask for; one named exactly so, nearly always. */
function definitionBonus(reading: LineReading, terms: readonly WeighedTerm[], confirmed: boolean): number {
	if (reading.name === undefined || (reading.role !== "definition" && reading.role !== "property"))
		return confirmed ? 4 : 0;
	const share = reading.role === "property" ? 0.35 : 1;
	const symbol = terms.find(({ term }) => term.kind === "symbol" && term.text === reading.name);
	if (symbol !== undefined) return share * (EXACT_DEFINITION_BONUS + symbol.value * 2 + (confirmed ? 4 : 0));
	const parts = splitIdentifier(reading.name).map(stemWord);
	let matchedValue = 0;
	let matchedParts = 0;
	for (const part of parts) {
		const term = terms.find(
			({ term: { kind, stems } }) => kind !== "path" && stems.some((stem) => stemsMeet(stem, part)),
		);
		if (term === undefined) continue;
		matchedParts += 1;
		matchedValue += term.term.kind === "word" ? term.value : term.value / term.term.stems.length;
	}
	return parts.length === 0
		? 0
		: share * NAME_COVERAGE_FACTOR * matchedValue * (matchedParts / parts.length) ** 1.5;
}

interface Window {
	readonly first: number;
	readonly last: number;
	readonly score: number;
	readonly values: readonly number[];
}

/** Words that stand within one screen of each other belong together; a long file mentions everything somewhere. */
function bestWindow(lines: readonly ScoredLine[]): Window {
	let best: Window = { first: 1, last: 1, score: 0, values: [] };
	for (let start = 0; start < lines.length; start += 1) {
		const first = lines[start]?.line ?? 1;
		const inside: ScoredLine[] = [];
		for (let index = start; index < lines.length; index += 1) {
			const line = lines[index];
			if (line === undefined || line.line > first + WINDOW_LINES) break;
			inside.push(line);
		}
		const values = bestValues(inside, lines[start]?.values.length ?? 0);
		const bestLine = Math.max(...inside.map((line) => line.score));
		const score = sum(values) + 0.6 * bestLine + Math.max(...inside.map((line) => line.nameBonus));
		if (score > best.score) best = { first, last: inside.at(-1)?.line ?? first, score, values };
	}
	return best;
}

function bestValues(lines: readonly ScoredLine[], count: number): number[] {
	const best = new Array<number>(count).fill(0);
	for (const line of lines) {
		line.values.forEach((value, index) => {
			if (value > (best[index] ?? 0)) best[index] = value;
		});
	}
	return best;
}

interface NameScore {
	readonly value: number;
	readonly matched: ReadonlySet<number>;
}

function scoreNames(path: string, terms: readonly WeighedTerm[]): NameScore {
	const segments = path.split("/");
	const baseName = (segments.at(-1) ?? "").replace(/\.[^.]*$/, "");
	const base = splitIdentifier(baseName).map(stemWord);
	const directories = segments.slice(0, -1).flatMap(splitIdentifier).map(stemWord);
	const matched = new Set<number>();
	let value = 0;
	terms.forEach(({ term, value: termValue }, index) => {
		const score = scoreName(term, path, base, directories);
		if (score === 0) return;
		value += termValue * score;
		if (score >= BASE_NAME_FACTOR * 0.5 || term.kind === "path") matched.add(index);
	});
	return { value, matched };
}

function scoreName(
	term: SearchTerm,
	path: string,
	base: readonly string[],
	directories: readonly string[],
): number {
	if (term.kind === "path") return scorePath(term.text, path);
	if (term.kind === "phrase") return 0;
	const inBase = term.stems.filter((stem) => base.some((part) => stemsMeet(part, stem))).length;
	if (inBase === term.stems.length) {
		const tightness = Math.min(1, inBase / Math.max(1, base.length));
		const exactness = term.kind === "word" ? 0.5 + 0.5 * tightness : tightness * 0.6;
		return BASE_NAME_FACTOR * exactness;
	}
	if (term.kind !== "word") return 0;
	return term.stems.every((stem) => directories.some((part) => stemsMeet(part, stem))) ? DIRECTORY_FACTOR : 0;
}

function scorePath(wanted: string, path: string): number {
	const clean = wanted
		.replace(/^[./~]+/, "")
		.replace(/\/+$/, "")
		.toLowerCase();
	const lower = path.toLowerCase();
	if (clean === "") return 0;
	if (lower === clean) return 6;
	if (lower.endsWith(`/${clean}`)) return 5;
	if (lower.startsWith(`${clean}/`) || lower.includes(`/${clean}/`)) return 1;
	return lower.split("/").at(-1) === clean.split("/").at(-1) ? 1.5 : 0;
}

function coveredValue(
	terms: readonly WeighedTerm[],
	values: readonly number[],
	names: ReadonlySet<number>,
): number {
	return sum(terms.map(({ value }, index) => ((values[index] ?? 0) > 0 || names.has(index) ? value : 0)));
}

function definedNames(lines: readonly ScoredLine[]): string[] {
	return lines
		.filter((line) => line.reading.role === "definition" && line.nameBonus > 0)
		.sort((a, b) => b.nameBonus - a.nameBonus)
		.slice(0, 3)
		.map((line) => line.reading.name ?? "");
}

/** A file that quotes the question itself (a README, a test, a log) is no answer to it. */
function echoOf(task: string): (text: PreparedText) => boolean {
	const words = splitIdentifier(task).join(" ");
	if (words.length < 20 || words.length > 500) return () => false;
	return ({ text }) => text.length >= words.length && splitIdentifier(text).join(" ").includes(words);
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
