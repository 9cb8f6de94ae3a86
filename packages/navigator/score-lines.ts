import { classifyLine, type LineReading } from "./classify-line.ts";
import { splitIdentifier, stemsOf } from "./code-index/split-identifier.ts";
import { stemsMeet, stemWord } from "./code-index/stem-word.ts";
import type { FileEvidence } from "./collect-evidence.ts";
import { type PreparedText, prepareText } from "./match-terms.ts";
import { STOP_WORDS } from "./question-words.ts";
import { isAboutCode, type TaskWishes } from "./search-terms.ts";
import type { WeighedTerm } from "./weigh-terms.ts";

export interface ScoredLine {
	readonly line: number;
	readonly text: string;
	readonly score: number;
	readonly reading: LineReading;
	/** Value of each term on this line, by index; 0 where absent. */
	readonly values: readonly number[];
	/** For defining something named like the task's words. */
	readonly nameBonus: number;
}

export interface LineScoring {
	readonly terms: readonly WeighedTerm[];
	readonly wishes: TaskWishes;
	/** The share of the task's words that a line has one after the other, as the task has them. */
	readonly sequenceOf: (text: string) => number;
	/** Whether a line only repeats the task itself. */
	readonly isEcho: (text: PreparedText) => boolean;
}

const ROLE_FACTORS = { definition: 1.5, property: 1.1, comment: 1.25, import: 0.35, code: 1 } as const;
const USAGE_ROLE_FACTORS = { definition: 1.3, property: 1, comment: 0.7, import: 1, code: 1.4 } as const;
/** What throws or refuses; asked for, it counts more than the declaration of what is thrown. */
const FAILS =
	/\b(?:throw|raise|panic|reject|assert|abort|fail|die)\b|\bnew\s+(?:[\w$.]*\.)?[A-Z]|(?:Error|Errorf|errorf|New)\(|createError\(/;
const FAILING_LINE_FACTOR = 1.7;
const DECLARED_FAILURE_FACTOR = 0.6;
const EXPORTED_FACTOR = 1.15;
const TOGETHER_FACTOR = 0.25;
/** "the tool list of a child" on one line says more than the same words in any order. */
const SEQUENCE_FACTOR = 1.5;
const MIN_SEQUENCE = 3;
const EXACT_DEFINITION_BONUS = 6;
/** Confirmed by a language server. */
const CONFIRMED_BONUS = 4;
const NAME_COVERAGE_FACTOR = 1.6;
/** Properties and local variables are definitions too, but seldom the place that a question means. */
const MINOR_DEFINITION_SHARE = 0.35;
/** Between a type and a function of equal names, the function is where something happens. */
const SHAPE_SHARE = 0.9;
const DECLARED_SHARE = 0.6;

/** The lines that match the task, in file order. */
export function scoreLines(file: FileEvidence, scoring: LineScoring): ScoredLine[] {
	const scored: ScoredLine[] = [];
	for (const [line, text] of file.lines) {
		const prepared = prepareText(text);
		const strengths = scoring.terms.map(({ match }) => match(prepared));
		const confirmed = file.definitions.has(line);
		const speaks = confirmed || strengths.some((strength) => strength > 0);
		if (!speaks || scoring.isEcho(prepared)) continue;
		const reading = classifyLine(file.facts, line, text);
		scored.push(scoreLine({ line, text, reading, strengths, confirmed }, scoring));
	}
	return scored.sort((a, b) => a.line - b.line);
}

interface MatchedLine {
	readonly line: number;
	readonly text: string;
	readonly reading: LineReading;
	readonly strengths: readonly number[];
	readonly confirmed: boolean;
}

function scoreLine(
	{ line, text, reading, strengths, confirmed }: MatchedLine,
	{ terms, wishes, sequenceOf }: LineScoring,
): ScoredLine {
	const factor = roleFactor(reading, wishes) * (wishes.failures ? failureFactor(reading, text, terms) : 1);
	const values = terms.map(({ value }, index) => value * (strengths[index] ?? 0) * factor);
	const present = strengths.filter((strength) => strength > 0).length;
	// Where tests or pages were asked for, a definition is no answer.
	const defining = isAboutCode(wishes) ? scoreDefinition(reading, terms) : 0;
	const named = defining * (wishes.failures ? DECLARED_FAILURE_FACTOR : 1);
	const nameBonus = named + (confirmed ? CONFIRMED_BONUS : 0);
	const sequence = present >= MIN_SEQUENCE ? sequenceOf(text) : 0;
	const together = 1 + TOGETHER_FACTOR * Math.max(0, present - 1) + SEQUENCE_FACTOR * sequence;
	const total = values.reduce((sum, value) => sum + value, 0);
	return { line, text, reading, values, nameBonus, score: total * together + nameBonus };
}

function roleFactor(reading: LineReading, wishes: TaskWishes): number {
	const factors = wishes.usages ? USAGE_ROLE_FACTORS : ROLE_FACTORS;
	if (reading.local) return factors.code;
	return factors[reading.role] * (reading.exported && reading.role === "definition" ? EXPORTED_FACTOR : 1);
}

function failureFactor(
	{ role, local, name }: LineReading,
	text: string,
	terms: readonly WeighedTerm[],
): number {
	if (role === "comment" || role === "import") return 1;
	if (terms.some(({ term }) => term.kind === "symbol" && term.text === name)) return DECLARED_FAILURE_FACTOR;
	if (FAILS.test(text)) return FAILING_LINE_FACTOR;
	return role === "definition" && !local ? DECLARED_FAILURE_FACTOR : 1;
}

/** A definition named like the task's words is what most questions ask for; one named exactly so, nearly always. */
function scoreDefinition(reading: LineReading, terms: readonly WeighedTerm[]): number {
	const name = reading.name;
	if (name === undefined) return 0;
	const share = shareOf(reading);
	const symbol = terms.find(({ term }) => term.kind === "symbol" && term.text === name);
	if (symbol !== undefined) return share * (EXACT_DEFINITION_BONUS + symbol.value * 2);
	return share * NAME_COVERAGE_FACTOR * scoreNameParts(stemsOf(name), terms);
}

function shareOf({ role, local, declared, shape }: LineReading): number {
	if (role === "property" || local) return MINOR_DEFINITION_SHARE;
	if (declared) return DECLARED_SHARE;
	return shape ? SHAPE_SHARE : 1;
}

function scoreNameParts(parts: readonly string[], terms: readonly WeighedTerm[]): number {
	let matchedValue = 0;
	let matchedParts = 0;
	for (const part of parts) {
		const found = terms.find(
			({ term }) => term.kind !== "path" && term.stems.some((stem) => stemsMeet(stem, part)),
		);
		if (found === undefined) continue;
		matchedParts += 1;
		matchedValue += found.value / found.term.stems.length;
	}
	return parts.length === 0 ? 0 : matchedValue * (matchedParts / parts.length) ** 1.5;
}

/** Words without meaning of their own are skipped on both sides. */
export function createSequenceTest(task: string): (text: string) => number {
	const wanted = tellingStems(task.slice(0, 2000));
	return (text) => {
		if (wanted.length < MIN_SEQUENCE) return 0;
		const stems = tellingStems(text);
		let longest = 0;
		for (let from = 0; from < wanted.length; from += 1) {
			for (let at = 0; at < stems.length; at += 1) {
				let run = 0;
				while (from + run < wanted.length && stems[at + run] === wanted[from + run]) run += 1;
				longest = Math.max(longest, run);
			}
		}
		return longest < MIN_SEQUENCE ? 0 : longest / wanted.length;
	};
}

function tellingStems(text: string): string[] {
	return splitIdentifier(text)
		.filter((word) => !STOP_WORDS.has(word))
		.map(stemWord);
}

/** A file that quotes the question itself (a README, a test, a log) is no answer to it. */
export function createEchoTest(task: string): (text: PreparedText) => boolean {
	const words = splitIdentifier(task.slice(0, 2000)).join(" ");
	if (words.length < 20 || words.length > 500) return () => false;
	return ({ text }) => text.length >= words.length && splitIdentifier(text).join(" ").includes(words);
}
