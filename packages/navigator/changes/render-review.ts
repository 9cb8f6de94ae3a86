import { formatCount, groupBy } from "@deputize/ground";
import { classifyPath } from "../classify-path.ts";
import type { CodeIndex } from "../code-index/code-index.ts";
import { NOT_JUDGED } from "../describe-role.ts";
import { findUses, type Use } from "../find-uses.ts";
import type { NavigatorToolStep } from "../navigator-tool-step.ts";
import { type Place, quoteLine } from "../quote-line.ts";
import { joinSections, renderShortList } from "../render-row.ts";
import { checkAddedLines, type LineFinding } from "./check-added-lines.ts";
import { compareDefinitions, listChangedDefinitions } from "./compare-definitions.ts";
import { compareLines } from "./compare-lines.ts";
import { findMisspellings } from "./find-misspellings.ts";
import { findSwapped } from "./find-swapped.ts";
import { findUntested, isNamedInTests } from "./find-untested.ts";
import type { Changes, GitFacts, LintFinding } from "./git-facts.ts";
import { parseLintFindings } from "./plan-diagnostics.ts";
import { renderAuthors, renderTogether } from "./render-history.ts";

interface ReviewSource {
	readonly agent: string;
	readonly facts: GitFacts;
	readonly changes: Changes;
	readonly index: CodeIndex;
	readonly steps: readonly NavigatorToolStep[];
	readonly verbose: boolean;
}

const SHORT = { findings: 8, definitions: 3, files: 4 } as const;
const VERBOSE = { findings: 60, definitions: 20, files: 20 } as const;

/** A change by quotation: what was changed, what simple checks found in it, who uses it, what is missing beside it. */
export function renderReview(source: ReviewSource): string {
	const { changes, facts, index, agent } = source;
	const paths = changes.files.map(({ path }) => path);
	if (paths.length === 0) return `**Nothing changed:** ${changes.title} are empty.`;
	const list = source.verbose ? VERBOSE : SHORT;
	const existing = new Set(index.files.map(({ path }) => path));
	const mine = facts.commits.filter(({ files }) => files.some((file) => paths.includes(file)));
	const notJudged = NOT_JUDGED.get(agent);
	return joinSections([
		renderSummary(changes, list.files),
		renderFindingRows(collectFindings(source), list.findings, facts),
		renderDefinitions(source, list.definitions),
		renderTogether("Usually changed together, not here", facts.commits, paths, (path) => existing.has(path)),
		mine.length === 0 ? "" : `**Authors of these files:** ${renderAuthors(mine)}`,
		notJudged === undefined ? "" : `**Not judged:** ${notJudged}`,
	]);
}

function renderSummary({ title, files, isWhole }: Changes, most: number): string {
	const count = (of: "added" | "removed"): number => files.reduce((sum, file) => sum + file[of].length, 0);
	const names = files.map(({ path, isDeleted }) => `\`${path}\`${isDeleted ? " (removed)" : ""}`);
	if (isWhole === true)
		return `**Reviewed:** ${title}: ${count("added")} lines in ${renderShortList(names, most)}`;
	return `**Reviewed:** ${title}: ${count("added")} lines added, ${count("removed")} removed in ${renderShortList(names, most)}`;
}

/** Each line once, by the checker that is surest of it. */
export function collectFindings({ facts, changes, index, steps }: ReviewSource): LineFinding[] {
	const texts = new Map(
		changes.files.flatMap(({ path, added }) =>
			added.map(({ line, text }) => [toPlaceKey({ path, line }), text] as const),
		),
	);
	const quoted = (by: string, found: readonly LintFinding[]): LineFinding[] =>
		found.flatMap(({ path, line, message }) => {
			const text = texts.get(toPlaceKey({ path, line }));
			return text === undefined ? [] : [{ path, line, text, reason: `${message} [${by}]` }];
		});
	const all = [
		...quoted("language server", parseLintFindings(steps)),
		...compareDefinitions(index, changes.files),
		...quoted(facts.lint?.by ?? "", facts.lint?.findings ?? []),
		...findSwapped(index, changes.files),
		...compareLines(index, changes.files),
		...checkAddedLines(changes.files),
		...(changes.isWhole === true ? [] : findMisspellings(index, changes.files)),
	];
	return [...groupBy(all, toPlaceKey).values()].flatMap((group) => group.slice(0, 1));
}

const toPlaceKey = ({ path, line }: Place): string => `${path}:${line}`;

function renderFindingRows(findings: readonly LineFinding[], most: number, { lint }: GitFacts): string {
	const asked = `checks of added and removed lines, of names and of calls${lint === undefined ? "" : `, ${lint.by}`}`;
	if (findings.length === 0) return `**Findings:** none by ${asked}`;
	const more = findings.length > most ? [`and ${findings.length - most} more (--verbose)`] : [];
	const rows = findings
		.slice(0, most)
		.map(
			({ path, line, text, reason }, at) => `${at + 1}. \`${path}:${line}\`: ${reason}: ${quoteLine(text)}`,
		);
	return [`**Findings** (${asked}):`, ...rows, ...more].join("\n");
}

/** What is not called by its name may be handed on: then that is what can be said. */
function renderUsers(uses: readonly Use[]): string {
	const calls = uses.filter(({ kind }) => kind === "call");
	const shown =
		calls.length > 0 ? calls : uses.filter(({ kind }) => kind !== "definition" && kind !== "declaration");
	const [first] = shown;
	if (first === undefined) return "no use elsewhere was found";
	const place = `(\`${first.path}:${first.line}\`)`;
	return calls.length > 0
		? `${formatCount(calls.length, "call")} elsewhere ${place}`
		: `no call by its name elsewhere, mentioned in ${formatCount(shown.length, "place")} ${place}`;
}

function renderDefinitions({ index, changes }: ReviewSource, most: number): string {
	const definitions = listChangedDefinitions(index, changes.files);
	const untested = new Set(findUntested(index, definitions));
	const rows = definitions.slice(0, most).map((definition) => {
		const { name, path, line } = definition;
		const elsewhere = findUses(index, name).filter(
			(use) => use.path !== path && classifyPath(use.path) !== "test",
		);
		const tests = untested.has(definition)
			? "; **no test names it**"
			: isNamedInTests(index, name)
				? "; named in tests"
				: "";
		return `- \`${name}\` \`${path}:${line}\`: ${renderUsers(elsewhere)}${tests}`;
	});
	const more = definitions.length > most ? [`- and ${definitions.length - most} more`] : [];
	return rows.length === 0
		? ""
		: [changes.isWhole === true ? "**Definitions:**" : "**Changed definitions:**", ...rows, ...more].join(
				"\n",
			);
}
