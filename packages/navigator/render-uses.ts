import { formatCount } from "@deputize/ground";
import type { CodeIndex } from "./code-index/code-index.ts";
import { findUses, type Use } from "./find-uses.ts";
import { UNSPACED_SCRIPT } from "./question-words.ts";
import { quotePlace } from "./quote-line.ts";
import { joinSections, renderRow } from "./render-row.ts";
import type { SearchTerm } from "./search-terms.ts";

const MAX_SHOWN_ASKED = 5;
const MAX_SHOWN_OTHERS = 3;
const MAX_VERBOSE_ROWS = 40;
const ASKS_FOR_DEFINITION = /\b(?:defin|declar)/i;

interface UseRow {
	readonly kind: Use["kind"];
	readonly title: string;
	/** As in "No call of x was found". */
	readonly noun: string;
	/** Whether a task asks for this kind and no other. */
	readonly asked?: RegExp;
}

const UNREAD_ROW: UseRow = { kind: "unread", title: "Contains the name, not parsed", noun: "line" };
const USE_ROWS: readonly UseRow[] = [
	{ kind: "call", title: "Called in", noun: "call", asked: /\b(?:call|invok)/i },
	{ kind: "member", title: "Called on something that may be another thing", noun: "call" },
	{ kind: "import", title: "Imported in", noun: "import", asked: /\bimport/i },
	{ kind: "reference", title: "Passed on or mentioned in code", noun: "mention" },
	UNREAD_ROW,
];

/** Who uses something, by exact name: what was asked for first, then other uses in code, each under its own heading. */
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
	const wanted = selectAsked(task, name, of);
	// Where nothing could be parsed nobody knows what is a call: the lines are shown, those first that look like one.
	const asked =
		wanted !== undefined && of(wanted.kind).length === 0 && of("unread").length > 0 ? UNREAD_ROW : wanted;
	const [definition, ...definitions] = of("definition");
	const isAskedFirst = definition !== undefined && ASKS_FOR_DEFINITION.test(task);
	return joinSections([
		isAskedFirst ? `**Defined in:** ${quotePlace(definition)}` : "",
		...(asked === undefined
			? []
			: renderAsked(asked, name, of(asked.kind), of("definition").length, verbose)),
		...USE_ROWS.filter((row) => row !== asked).map(({ kind, title }) => renderOthers(title, of(kind))),
		renderOthers(
			isAskedFirst ? "Also defined in" : "Defined in",
			isAskedFirst ? definitions : of("definition"),
		),
		renderOthers("Declared in", of("declaration")),
	]);
}

/** What the task asks for; where it asks for any use, the first kind that there is. */
function selectAsked(
	task: string,
	name: string,
	of: (kind: Use["kind"]) => readonly Use[],
): UseRow | undefined {
	const rest = task.replaceAll(name, " ");
	const named = USE_ROWS.filter(({ asked }) => asked?.test(rest) === true);
	return named.length === 1 ? named[0] : (USE_ROWS.find(({ kind }) => of(kind).length > 0) ?? USE_ROWS[0]);
}

function renderAsked(
	{ title, noun }: UseRow,
	name: string,
	uses: readonly Use[],
	definitions: number,
	verbose: boolean,
): string[] {
	if (uses.length === 0)
		return [`**No ${noun} of \`${name}\` under that name was found** in the code that was parsed.`];
	const rows = uses.slice(0, verbose ? MAX_VERBOSE_ROWS : MAX_SHOWN_ASKED);
	const files = new Set(uses.map(({ path }) => path)).size;
	const first = uses.length > rows.length ? `, the first ${rows.length}` : "";
	const several =
		definitions > 1
			? ` (${definitions} definitions have that name; which one is meant was not found out)`
			: uses.some((use) => use.kind === "call" && isOnObject(use, name))
				? " (by its name; on what it is called was not looked at)"
				: "";
	return [
		`**${title}**${title.endsWith("in") ? "" : ":"} ${formatCount(uses.length, "place")} in ${formatCount(files, "file")}${several}${first}:`,
		...rows.map((use, at) => `${at + 1}. ${quotePlace(use)}`),
	];
}

/** `list.add(x)` may be the `add` of anything. */
function isOnObject({ text }: Use, name: string): boolean {
	if (/\.|::|->|#/.test(name)) return false;
	const before = text.slice(0, Math.max(0, text.indexOf(name)));
	return /(?:\.|->)\s*$/.test(before) && !/\b(?:this|self|super)(?:\.|->)\s*$/.test(before);
}

/** A dotted name says more than its last part. */
function wantedName(terms: readonly SearchTerm[]): string | undefined {
	const dotted = terms.find(
		({ kind, text }) =>
			kind === "phrase" &&
			/^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)#?[\p{L}_$][\p{L}\p{N}_$]*[?!]?)+$/u.test(text),
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

function renderOthers(title: string, uses: readonly Use[]): string {
	const places = uses.map(({ path, line }) => `\`${path}:${line}\``);
	return renderRow(title, places, MAX_SHOWN_OTHERS);
}
