import { cutText, formatCount } from "@deputize/ground";
import { type ChangedDefinition, listChangedDefinitions } from "./changes/compare-definitions.ts";
import { findUntested, listExported } from "./changes/find-untested.ts";
import type { GitFacts } from "./changes/git-facts.ts";
import { ASKS_FOR_HISTORY } from "./changes/needs-git.ts";
import { renderHistory, renderSimilar, renderTogether } from "./changes/render-history.ts";
import { classifyLine, definitionsOn } from "./classify-line.ts";
import { classifyPath } from "./classify-path.ts";
import type { CodeIndex } from "./code-index/code-index.ts";
import { splitIdentifier } from "./code-index/split-identifier.ts";
import type { Evidence } from "./collect-evidence.ts";
import { NOT_JUDGED } from "./describe-role.ts";
import { renderReferences } from "./find-references.ts";
import { groupTwins, type TwinGroup } from "./group-twins.ts";
import type { NavigatorToolStep } from "./navigator-tool-step.ts";
import { parseReadText } from "./parse-tool-text.ts";
import { quotePlace } from "./quote-line.ts";
import type { RankedFile } from "./rank-files.ts";
import { joinSections, renderRow } from "./render-row.ts";
import { renderSurroundings } from "./render-surroundings.ts";
import { renderUses } from "./render-uses.ts";
import type { SearchTerms } from "./search-terms.ts";
import type { SemanticScores } from "./semantic/compare-semantically.ts";

interface FindingsSource {
	readonly agent: string;
	readonly task: string;
	readonly terms: SearchTerms;
	readonly steps: readonly NavigatorToolStep[];
	readonly index: CodeIndex;
	readonly evidence: Evidence;
	/** Of tool calls, each with the tool's name. */
	readonly errors: readonly string[];
	readonly ranked: readonly RankedFile[];
	readonly verbose: boolean;
	readonly git?: GitFacts;
	readonly semantic?: SemanticScores;
}

const SHORT_LIST = { files: 5, linesOfFirst: 3, minScoreShare: 0.3 } as const;
/** There is less room when tests and importers are listed too. */
const SHORT_ROLE_LIST = { ...SHORT_LIST, files: 3 } as const;
const VERBOSE_LIST = { files: 10, linesOfFirst: 5, minScoreShare: 0.1 } as const;
const MAX_UNTESTED = 6;
const MAX_UNREAD = 3;
const MAX_PASSAGE_LINES = 28;
const MAX_PASSAGE_CHARS = 3000;
const MAX_COMMENT_LINES = 8;
const MAX_OUTLINE_LINES = 12;
const MAX_SHOWN_TERM_CHARS = 60;
const CLOSE_RACE = 0.85;

/** The whole answer: the likeliest place, the evidence for it and for others, then what is missing. */
export function renderFindings(source: FindingsSource): string {
	const { index, task, terms, git, steps, verbose } = source;
	const notJudged = NOT_JUDGED.get(source.agent);
	const list = verbose ? VERBOSE_LIST : notJudged === undefined ? SHORT_LIST : SHORT_ROLE_LIST;
	const groups = groupTwins(source.ranked).slice(0, list.files);
	const best = groups[0]?.file;
	if (best === undefined) return renderNothing(source);
	const worth = groups.filter(({ file }) => file.score >= best.score * list.minScoreShare);
	const paths = worth.map(({ file }) => file.path);
	const uses = terms.wishes.usages ? renderUses(index, { task, terms: terms.terms }, verbose) : "";
	const found =
		uses === ""
			? [renderHeadline(best, groups[1]?.file, source), ...worth.map(renderFile(source, list.linesOfFirst))]
			: [uses];
	return joinSections([
		git !== undefined && ASKS_FOR_HISTORY.test(task) ? renderHistory(git, best.path, verbose) : "",
		...found,
		renderReferences(steps, verbose),
		renderGit(source, best, paths),
		verbose ? renderPassage(best, steps) : "",
		notJudged === undefined ? "" : renderSurroundings(index, paths, listWantedNames(source, best)),
		renderUnread(index),
		renderMissing(source),
		renderRerank(source.semantic),
		notJudged === undefined ? "" : `**Not judged:** ${notJudged}`,
	]);
}

/** What the task names, else what the best file has of it. */
function listWantedNames({ terms }: FindingsSource, best: RankedFile): string[] {
	const named = terms.terms.filter(({ kind }) => kind === "symbol").map(({ text }) => text);
	return named.length > 0 ? named : [...best.defines];
}

/** Who had a say in the order. */
function renderRerank(semantic: SemanticScores | undefined): string {
	if (semantic === undefined) return "";
	return semantic.problem === undefined
		? `**Order:** a small model (MiniLM) compared ${semantic.passages} passages with the question; it wrote nothing.`
		: `**Order:** the semantic part could not be used: ${semantic.problem}. To install it again: deputize setup --remove semantic, then deputize setup semantic`;
}

/** What Git adds to a role. */
function renderGit(
	{ agent, git, index, terms }: FindingsSource,
	best: RankedFile,
	paths: readonly string[],
): string {
	if (git === undefined) return "";
	const exists = (path: string): boolean => index.files.some((file) => file.path === path);
	return joinSections([
		...(agent === "implementer"
			? [
					renderSimilar(git.commits, terms.terms),
					renderTogether("Usually changed together", git.commits, paths, exists),
				]
			: []),
		...(agent === "tester" ? [renderUntested(index, git, best.path)] : []),
		git.problem ?? "",
	]);
}

function renderUntested(index: CodeIndex, { changes }: GitFacts, path: string): string {
	const offered = findUntested(index, listExported(index, path));
	const changed = findUntested(index, listChangedDefinitions(index, changes?.files ?? []));
	const place = ({ name, path: file, line }: ChangedDefinition): string =>
		`\`${name}\` (\`${file}:${line}\`)`;
	return joinSections([
		renderRow("Exported, no test names it", offered.map(place), MAX_UNTESTED),
		renderRow("Changed, no test names it", changed.map(place), MAX_UNTESTED),
	]);
}

function renderNothing(source: FindingsSource): string {
	const looked = source.terms.terms.map(({ text }) => `"${cutTerm(text)}"`).join(", ");
	return joinSections([
		`**Nothing found.** The ${countFiles(source.index)} were searched, their names and every line, for ${looked}.`,
		renderUnread(source.index),
		"Try the exact name of a symbol or file, a phrase in quotes, or another directory. Files that .gitignore excludes are not searched.",
		renderErrors(source.errors),
	]);
}

function countFiles({ files, leftOut, cutOff }: CodeIndex): string {
	const searched = formatCount(files.length, "file");
	const others = leftOut - cutOff;
	return [
		cutOff === 0 ? searched : `first ${searched} of ${files.length + leftOut}`,
		others === 0
			? ""
			: ` (${others}${cutOff === 0 ? " more" : ""} are not text, too large or written by a program)`,
	].join("");
}

function renderHeadline(best: RankedFile, second: RankedFile | undefined, source: FindingsSource): string {
	const place = renderPlace(best, source);
	const strong = source.terms.terms.filter(({ weight }) => weight >= 1);
	const wanted = strong.length > 0 ? strong : source.terms.terms;
	const found = wanted.filter(({ text }) => best.covered.includes(text)).length;
	if (best.byMeaning === true)
		return `**By meaning:** ${place} (its words alone would not have brought it here)`;
	if (found * 2 < wanted.length) {
		const words = best.covered.map((text) => `"${cutTerm(text)}"`).join(", ");
		return `**Weak lead:** ${place}${words === "" ? "" : `. It has words like ${words}`}.`;
	}
	const isClose = second !== undefined && second.score > best.score * CLOSE_RACE;
	return `**Most likely:** ${place}${isClose ? `; nearly as likely: \`${second.path}\`` : ""}`;
}

function renderPlace(file: RankedFile, { index }: FindingsSource): string {
	const line = file.lines[0];
	if (line === undefined) return `\`${file.path}\` (by its name)`;
	const described = line.reading.role === "comment" ? describedBy(line.line, file.path, index) : "";
	return `${quotePlace({ path: file.path, ...line })}${described}`;
}

/** What the comment on this line is about. */
function describedBy(comment: number, path: string, { files, syntax }: CodeIndex): string {
	const file = files.find((candidate) => candidate.path === path);
	const facts = file && syntax?.factsOf(file);
	if (file === undefined || facts === undefined) return "";
	const lines = file.text.split("\n");
	for (let line = comment + 1; line <= comment + MAX_COMMENT_LINES; line += 1) {
		const { role, name } = classifyLine(facts, line, lines[line - 1] ?? "");
		if (role === "definition") return `, on \`${name}\` (line ${line})`;
		if (role !== "comment" && !/^\s*[@[]/.test(lines[line - 1] ?? "")) return "";
	}
	return "";
}

function renderFile(
	source: FindingsSource,
	linesOfFirst: number,
): (group: TwinGroup, index: number) => string {
	return ({ file, twins, formats }, index) => {
		const count = index === 0 ? linesOfFirst : source.verbose ? 3 : 1;
		const shown = file.lines.length > 0 ? file.lines.slice(0, count) : outlineOf(file.path, source);
		const rows = [...shown]
			.sort((a, b) => a.line - b.line)
			.map(({ line, text }) => quotePlace({ path: file.path, line, text }));
		const beside = (what: string, paths: readonly string[]): string =>
			paths.length === 0 ? "" : `; ${what} ${paths.map((path) => `\`${path}\``).join(", ")}`;
		const same = `${beside("the same line in", twins)}${beside("of the same name:", formats)}`;
		const [first = `\`${file.path}\``, ...rest] = rows;
		return [
			`${index + 1}. ${first}${describeFile(file, source)}${same}`,
			...rest.map((row) => `   ${row}`),
		].join("\n");
	};
}

/** A file that was asked for by its path alone is shown by what it defines. */
function outlineOf(path: string, { index, verbose }: FindingsSource): { line: number; text: string }[] {
	const file = index.files.find((candidate) => candidate.path === path);
	if (file !== undefined) index.syntax?.need([file]);
	const facts = file && index.syntax?.factsOf(file);
	if (file === undefined || facts === undefined) return [];
	return file.text
		.split("\n")
		.map((line, at) => ({ line: at + 1, text: line }))
		.filter((line) => !/^\s/.test(line.text) && definitionsOn(facts, line.line).length > 0)
		.slice(0, verbose ? MAX_OUTLINE_LINES : SHORT_LIST.linesOfFirst);
}

function describeFile(file: RankedFile, { terms }: FindingsSource): string {
	const reasons: string[] = [];
	const kind = classifyPath(file.path);
	if (kind !== "source") reasons.push(kind);
	if (file.defines.length > 0)
		reasons.push(`defines ${[...new Set(file.defines)].map((name) => `\`${name}\``).join(", ")}`);
	const isNamed = terms.terms.some((term) => term.kind === "path" && file.nameMatches.includes(term.text));
	if (isNamed) reasons.push("named in the task");
	if (file.byMeaning === true) reasons.push("by meaning");
	return reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
}

function renderPassage(best: RankedFile, steps: readonly NavigatorToolStep[]): string {
	const read = steps
		.filter((step) => step.tool === "read" && !step.isError)
		.map(parseReadText)
		.find(({ path }) => path === best.path);
	if (read === undefined) return "";
	const first = read.lines[0]?.line ?? 1;
	const lines = read.lines.slice(0, MAX_PASSAGE_LINES);
	while (lines.at(-1)?.text.trim() === "") lines.pop();
	const text = cutText(lines.map((line) => line.text).join("\n"), MAX_PASSAGE_CHARS);
	if (text.trim() === "") return "";
	const fence = text.includes("```") ? "~~~~" : "```";
	return `**Passage** \`${best.path}:${first}-${lines.at(-1)?.line ?? first}\`\n${fence}\n${text}\n${fence}`;
}

/** What ripgrep found where nobody read: too large, or written by a program. */
function renderUnread({ unread = new Map() }: CodeIndex): string {
	return joinSections(
		[...unread].map(([name, paths]) =>
			renderRow(
				`Not read, and contains \`${cutTerm(name)}\``,
				paths.map((path) => `\`${path}\``),
				MAX_UNREAD,
			),
		),
	);
}

/** Only what no file has: what the first file lacks and another one has is not missing. */
function renderMissing({ terms, ranked, errors, index }: FindingsSource): string {
	const found = new Set(ranked.flatMap(({ covered }) => covered));
	const nowhere = terms.terms
		.filter(
			({ text, weight }) =>
				weight >= 1 && !found.has(text) && !index.unread?.get(text)?.length && !occursInTree(index, text),
		)
		.map(({ text }) => `"${cutTerm(text)}"`);
	const missing =
		nowhere.length === 0 ? "" : `in none of the ${countFiles(index)} that were read: ${nowhere.join(", ")}`;
	const rows = joinSections([missing, renderErrors(errors)], "; ");
	return rows === "" ? "" : `**Not found:** ${rows}`;
}

/** Anywhere in the tree, in any case and as a part of other words: the ranking has looked at the best files only. */
function occursInTree(index: CodeIndex, text: string): boolean {
	const lower = text.toLowerCase();
	const parts = splitIdentifier(text);
	const isOneWord = /^[\p{L}\p{N}]+$/u.test(text);
	if (isOneWord && index.words.some((word) => word.includes(lower))) return true;
	return (
		index.files.some(({ path }) => path.toLowerCase().includes(lower)) || occursInText(index, lower, parts)
	);
}

/** Files are read for it only when they have all parts of it. */
function occursInText({ words, files }: CodeIndex, lower: string, parts: readonly string[]): boolean {
	const wanted = parts.map(
		(part) => new Set(words.flatMap((word, number) => (word.includes(part) ? [number] : []))),
	);
	if (wanted.length === 0 || wanted.some(({ size }) => size === 0)) return false;
	return files.some(
		(file) =>
			wanted.every((numbers) =>
				file.passages.some(({ words: inside }) => inside.some((word) => numbers.has(word))),
			) && file.text.toLowerCase().includes(lower),
	);
}

/** Nobody has all language servers: without one the other searches answer, which is no failure. */
const NO_SERVER = /^lsp: LSP_SERVER_NOT_FOUND: /;

function renderErrors(errors: readonly string[]): string {
	const failed = errors.filter((error) => !NO_SERVER.test(error));
	const missing = errors.find((error) => NO_SERVER.test(error))?.replace(NO_SERVER, "");
	const shown = [...new Set(failed)].slice(0, 3).join("; ");
	return joinSections(
		[
			failed.length === 0 ? "" : `${formatCount(failed.length, "tool call")} failed: ${shown}`,
			missing === undefined ? "" : `no language server was asked: ${missing}`,
		],
		"; ",
	);
}

const cutTerm = (text: string): string => cutText(text, MAX_SHOWN_TERM_CHARS);
