import { wordPattern } from "./build-search-patterns.ts";
import { classifyLine } from "./classify-line.ts";
import { classifyPath } from "./classify-path.ts";
import type { Evidence, FileEvidence } from "./collect-evidence.ts";
import { describeRole } from "./describe-role.ts";
import { renderReferences } from "./find-references.ts";
import type { NavigatorToolStep } from "./navigator-input.ts";
import { parseReadText } from "./parse-tool-text.ts";
import { quoteLine } from "./quote-line.ts";
import type { RankedFile } from "./rank-files.ts";
import { renderSurroundings } from "./render-surroundings.ts";
import { renderUses } from "./render-uses.ts";
import type { SearchTerms } from "./search-terms.ts";

export const DISCLOSURE =
	"Answered by deputize's offline navigator: keyword and symbol search, no language model.";

export interface FindingsSource {
	readonly agent: string;
	readonly task: string;
	readonly terms: SearchTerms;
	readonly steps: readonly NavigatorToolStep[];
	readonly evidence: Evidence;
	readonly ranked: readonly RankedFile[];
}

const FINDINGS_LIST = { maxFiles: 7, minScoreShare: 0.15 } as const;
/** Who uses something is a list, and a use scores far less than the definition. */
const USAGE_LIST = { maxFiles: 15, minScoreShare: 0.02 } as const;
const LINES_PER_FILE = [5, 3, 2] as const;
const MAX_GROUPED_FILES = 60;
const MAX_PASSAGE_LINES = 28;
const MAX_PASSAGE_CHARS = 3000;
const MAX_COMMENT_LINES = 8;
const MAX_OUTLINE_LINES = 12;
const CLOSE_RACE = 0.8;

/** The whole answer: the likeliest place first, then what speaks for it and for others, then what is missing. */
export function renderFindings(source: FindingsSource): string {
	const { maxFiles, minScoreShare } = source.terms.wishes.usages ? USAGE_LIST : FINDINGS_LIST;
	const groups = groupTwins(source.ranked).slice(0, maxFiles);
	const best = groups[0]?.file;
	if (best === undefined) return renderNothing(source);
	const role = describeRole(source.agent);
	const worth = groups.filter(({ file }) => file.score >= best.score * minScoreShare);
	const sections = [
		renderHeadline(best, groups[1]?.file, source),
		`**${source.terms.wishes.usages && !role.showsSurroundings ? "Definition and uses" : role.heading}**\n${worth.map(renderFile(source)).join("\n")}`,
		renderReferences(source.steps),
		renderPassage(best, source.steps),
		role.showsSurroundings
			? renderSurroundings(
					source.steps,
					worth.map(({ file }) => file.path),
				)
			: "",
		renderMissing(source, best),
		role.notJudged === undefined ? "" : `**Not judged:** ${role.notJudged}`,
		renderFooter(source),
	];
	return sections.filter((section) => section !== "").join("\n\n");
}

function renderNothing(source: FindingsSource): string {
	const looked = source.terms.terms.map(({ text }) => `"${shorten(text)}"`).join(", ");
	const nothing = `**Nothing found.** No file name and no line in this directory speaks of ${looked}.`;
	const advice =
		"Try the exact name of a symbol or file, a phrase in quotes, or another directory. Files ignored by .gitignore are not searched.";
	return [nothing, advice, renderErrors(source.evidence), renderFooter(source)]
		.filter((part) => part !== "")
		.join("\n\n");
}

function renderHeadline(best: RankedFile, second: RankedFile | undefined, source: FindingsSource): string {
	const place = renderPlace(best, source);
	const uses = source.terms.wishes.usages && best.defines.length > 0 ? renderUses(source.ranked) : "";
	if (uses !== "") return `${uses}\n**Defined in:** ${place}`;
	const strong = source.terms.terms.filter(({ weight }) => weight >= 1);
	const wanted = strong.length > 0 ? strong : source.terms.terms;
	const found = wanted.filter(({ text }) => best.covered.includes(text)).length;
	const close = second !== undefined && second.score > best.score * CLOSE_RACE;
	const weak = found * 2 < wanted.length;
	if (weak)
		return `**Weak lead:** ${place}\nIt speaks only of ${best.covered.map((text) => `"${shorten(text)}"`).join(", ")}.`;
	if (close && second !== undefined)
		return `**Most likely:** ${place}\n**Nearly as likely:** ${renderPlace(second, source)}`;
	return `**Most likely:** ${place}`;
}

function renderPlace(file: RankedFile, { evidence }: FindingsSource): string {
	const line = file.lines[0];
	if (line === undefined) return `\`${file.path}\` (by its name)`;
	const described =
		line.reading.role === "comment" ? describedBy(line.line, evidence.files.get(file.path)) : "";
	return `\`${file.path}:${line.line}\`: ${quoteLine(line.text)}${described}`;
}

/** What the comment on this line is about, if the lines after it were read. */
function describedBy(comment: number, file: FileEvidence | undefined): string {
	for (let line = comment + 1; line <= comment + MAX_COMMENT_LINES; line += 1) {
		const { role, name, local } = classifyLine(file?.lines.get(line) ?? "");
		if (role === "definition" && !local && name !== undefined) return `, on \`${name}\` (line ${line})`;
	}
	return "";
}

function renderFile(source: FindingsSource): (group: TwinGroup, index: number) => string {
	return ({ file, twins }, index) => {
		const count = LINES_PER_FILE[Math.min(index, LINES_PER_FILE.length - 1)] ?? 2;
		const shown = file.lines.length > 0 ? file.lines.slice(0, count) : outlineOf(file.path, source.evidence);
		const lines = [...shown]
			.sort((a, b) => a.line - b.line)
			.map(({ line, text }) => `   - \`${file.path}:${line}\`: ${quoteLine(text)}`);
		const same =
			twins.length === 0 ? [] : [`   - the same in ${twins.map((path) => `\`${path}\``).join(", ")}`];
		return [`${index + 1}. \`${file.path}\`${describeFile(file, source)}`, ...lines, ...same].join("\n");
	};
}

/** A file that was asked for by its path alone is shown by what it defines. */
function outlineOf(path: string, { files }: Evidence): { line: number; text: string }[] {
	const lines = [...(files.get(path)?.lines ?? [])].map(([line, text]) => ({ line, text }));
	return lines
		.filter(({ text }) => isOutline(text))
		.sort((a, b) => a.line - b.line)
		.slice(0, MAX_OUTLINE_LINES);
}

function isOutline(text: string): boolean {
	const { role, local } = classifyLine(text);
	return role === "definition" && !local && !/^\s/.test(text);
}

function describeFile(file: RankedFile, { terms }: FindingsSource): string {
	const reasons: string[] = [];
	const kind = classifyPath(file.path);
	if (kind !== "source") reasons.push(kind);
	if (file.defines.length > 0)
		reasons.push(`defines ${[...new Set(file.defines)].map((name) => `\`${name}\``).join(", ")}`);
	const named = terms.terms.filter(({ kind, text }) => kind === "path" && file.nameMatches.includes(text));
	const nameWords = file.nameMatches.filter((text) => !named.some((term) => term.text === text));
	if (named.length > 0) reasons.push("named in the task");
	if (nameWords.length > 0) reasons.push(`file name matches ${nameWords.map(shorten).join(", ")}`);
	const missing = terms.terms
		.filter(({ text, weight }) => weight >= 1 && !file.covered.includes(text))
		.map(({ text }) => shorten(text));
	if (missing.length > 0) reasons.push(`without ${missing.join(", ")}`);
	return reasons.length === 0 ? "" : `: ${reasons.join("; ")}`;
}

interface TwinGroup {
	readonly file: RankedFile;
	readonly twins: readonly string[];
}

/** A package that ships one module in several formats would fill the list with copies of it. */
function groupTwins(ranked: readonly RankedFile[]): TwinGroup[] {
	const groups = new Map<string, { file: RankedFile; twins: string[] }>();
	for (const file of ranked.slice(0, MAX_GROUPED_FILES)) {
		const name = (file.path.split("/").at(-1) ?? "").replace(/\.[a-z.]*$/, "");
		const line = file.lines[0]?.text.trim();
		const key = line === undefined ? file.path : `${name}\n${line}`;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, { file, twins: [] });
		else if (group.twins.length < 3) group.twins.push(file.path);
	}
	return [...groups.values()];
}

function renderPassage(best: RankedFile, steps: readonly NavigatorToolStep[]): string {
	const read = steps
		.filter((step) => step.tool === "read" && !step.isError)
		.map(parseReadText)
		.find(({ path }) => path === best.path);
	if (read === undefined) return "";
	const first = read.lines[0]?.line ?? 1;
	const lines = read.lines.filter(({ line }) => line >= first).slice(0, MAX_PASSAGE_LINES);
	while (lines.at(-1)?.text.trim() === "") lines.pop();
	const text = lines
		.map((line) => line.text)
		.join("\n")
		.slice(0, MAX_PASSAGE_CHARS)
		.toWellFormed();
	if (text.trim() === "") return "";
	const fence = text.includes("```") ? "~~~~" : "```";
	return `**Passage** \`${best.path}:${first}-${lines.at(-1)?.line ?? first}\`\n${fence}\n${text}\n${fence}`;
}

function renderMissing({ terms, ranked, evidence }: FindingsSource, best: RankedFile): string {
	const found = new Set(ranked.flatMap(({ covered }) => covered));
	const nowhere = terms.terms.filter(({ text }) => !found.has(text)).map(({ text }) => `"${shorten(text)}"`);
	const elsewhere = terms.terms
		.filter(({ text, weight }) => weight >= 1 && found.has(text) && !best.covered.includes(text))
		.map(({ text }) => `"${shorten(text)}"`);
	const rows: string[] = [];
	if (nowhere.length > 0) rows.push(`- nowhere in this tree: ${nowhere.join(", ")}`);
	if (elsewhere.length > 0) rows.push(`- not in the first file: ${elsewhere.join(", ")}`);
	const common = terms.terms.filter(
		({ kind, stems }) => kind === "word" && evidence.cutPatterns.has(wordPattern(stems[0] ?? "")),
	);
	if (common.length > 0) {
		rows.push(
			`- so common that only a part of the matches was looked at: ${common.map(({ text }) => `"${text}"`).join(", ")}`,
		);
	}
	const errors = renderErrors(evidence);
	if (errors !== "") rows.push(`- ${errors}`);
	return rows.length === 0 ? "" : `**Not found or uncertain**\n${rows.join("\n")}`;
}

/** Nobody has all language servers: without one the other searches answer, which is no failure. */
const NO_SERVER = /^lsp: LSP_SERVER_NOT_FOUND: /;

function renderErrors({ errors }: Evidence): string {
	const failed = errors.filter((error) => !NO_SERVER.test(error));
	const missing = errors
		.filter((error) => NO_SERVER.test(error))
		.map((error) => error.replace(NO_SERVER, ""));
	const shown = [...new Set(failed)].slice(0, 3).join("; ");
	return [
		...(failed.length > 0
			? [`${failed.length} tool ${failed.length === 1 ? "call" : "calls"} failed: ${shown}`]
			: []),
		...(missing.length > 0 ? [`no language server was asked: ${missing[0]}`] : []),
	].join("; ");
}

function renderFooter({ steps }: FindingsSource): string {
	const counts = new Map<string, number>();
	for (const { tool } of steps) counts.set(tool, (counts.get(tool) ?? 0) + 1);
	const used = [...counts].map(([tool, count]) => `${tool} ×${count}`).join(", ");
	return `${DISCLOSURE}${used === "" ? "" : ` Calls: ${used}.`}`;
}

function shorten(text: string): string {
	return text.length > 60 ? `${text.slice(0, 59).toWellFormed()}…` : text;
}
