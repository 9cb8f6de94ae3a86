import type { CodeIndex } from "../code-index/code-index.ts";
import { formatCount } from "../text/format-count.ts";
import { findUses, type Use } from "./find-uses.ts";
import { quoteLine } from "./quote-line.ts";
import type { SearchTerm } from "./search-terms.ts";
import { UNSPACED_SCRIPT } from "./word-lists.ts";

const MAX_SHOWN_CALLS = 5;
const MAX_SHOWN_OTHERS = 3;
const MAX_VERBOSE_ROWS = 40;
const ASKS_FOR_DEFINITION = /\b(?:defin|declar)/i;

/** Who calls something, by exact name: calls, imports and other mentions in code, each under its own heading. */
export function renderUses(
	index: CodeIndex,
	{ task, terms }: { readonly task: string; readonly terms: readonly SearchTerm[] },
	verbose: boolean,
): string {
	const name = wantedName(terms) ?? unspacedName(index, task);
	if (name === undefined) return "";
	const uses = findUses(index, name);
	if (uses.length === 0) return "";
	const of = (kind: Use["kind"]): Use[] => uses.filter((use) => use.kind === kind);
	const calls = of("call");
	const rows = calls.slice(0, verbose ? MAX_VERBOSE_ROWS : MAX_SHOWN_CALLS);
	const files = new Set(calls.map(({ path }) => path)).size;
	const heading =
		calls.length === 0
			? `**No call of \`${name}\` under that name was found** in the code that was searched.`
			: `**Called in** ${formatCount(calls.length, "place")} in ${formatCount(files, "file")}${calls.length > rows.length ? `, the first ${rows.length}` : ""}:`;
	const [definition, ...definitions] = of("definition");
	const isAskedFirst = definition !== undefined && ASKS_FOR_DEFINITION.test(task);
	return [
		isAskedFirst ? `**Defined in:** ${renderUse(definition)}` : "",
		heading,
		...rows.map((use, at) => `${at + 1}. ${renderUse(use)}`),
		renderOthers("Imported in", of("import")),
		renderOthers("Passed on or mentioned in code", of("reference")),
		renderOthers(
			isAskedFirst ? "Also defined in" : "Defined in",
			isAskedFirst ? definitions : of("definition"),
		),
	]
		.filter((row) => row !== "")
		.join("\n");
}

/** A dotted name says more than its last part. */
function wantedName(terms: readonly SearchTerm[]): string | undefined {
	const dotted = terms.find(
		({ kind, text }) =>
			kind === "phrase" && /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)+$/u.test(text),
	);
	if (dotted !== undefined) return dotted.text;
	const symbol = terms.find(({ kind }) => kind === "symbol");
	if (symbol !== undefined) return symbol.text;
	const word = terms.filter(({ kind, weight }) => kind === "word" && weight >= 1);
	return word.length === 1 ? word[0]?.text : undefined;
}

/** Names in scripts without spaces were cut into words for the search; the tree knows how they are written. */
function unspacedName({ words }: CodeIndex, task: string): string | undefined {
	const runs = task.match(/[\p{L}\p{N}_$]+/gu) ?? [];
	return runs.find((run) => UNSPACED_SCRIPT.test(run) && words.includes(run.toLowerCase()));
}

function renderUse({ path, line, text }: Use): string {
	return `\`${path}:${line}\`: ${quoteLine(text)}`;
}

function renderOthers(title: string, uses: readonly Use[]): string {
	if (uses.length === 0) return "";
	const shown = uses.slice(0, MAX_SHOWN_OTHERS).map(({ path, line }) => `\`${path}:${line}\``);
	const more = uses.length - shown.length;
	return `**${title}:** ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
