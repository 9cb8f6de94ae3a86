import { collapseSpace, cutText } from "@deputize/ground";
import { classifyLine } from "./classify-line.ts";
import { DISCLOSURE } from "./disclosure.ts";
import { extractTerms } from "./extract-terms.ts";
import type { SearchTerm, SearchTerms } from "./search-terms.ts";

interface RecalledSession {
	readonly terms: SearchTerms;
	/** Set when the task is about the session itself. */
	readonly answer?: string;
}

type Exchange = { readonly task: string; readonly answer: string };

const CARRIED_WEIGHT = 0.6;
const MAX_CARRIED = 6;
const MAX_CARRIED_SYMBOLS = 2;
const MAX_SHOWN_TASKS = 10;
const MAX_SHOWN_CHARS = 300;
const FEW_TERMS = 2;

/** A follow-up such as "and who calls it?" is completed with what the task before it was about. */
export function recallSession(terms: SearchTerms, history: readonly Exchange[]): RecalledSession {
	const last = history.at(-1);
	if (last === undefined) return { terms };
	if (terms.wishes.earlier) return { terms, answer: renderExchanges(history) };
	const telling = terms.terms.filter(({ weight }) => weight >= 1);
	if (telling.length >= FEW_TERMS || telling.some(({ kind }) => kind !== "word")) return { terms };
	const carried = carriedTerms(terms, last).map(lighten).slice(0, MAX_CARRIED);
	const known = new Set(terms.terms.map(({ text }) => text));
	const added = carried.filter(({ text }) => !known.has(text));
	return {
		terms: { ...terms, terms: [...terms.terms, ...added], wishes: { ...terms.wishes, overview: false } },
	};
}

/** "Who calls it?" asks about what was found; any other follow-up about the same subject. */
function carriedTerms({ wishes }: SearchTerms, { task, answer }: Exchange): SearchTerm[] {
	const asked = extractTerms(task).terms;
	const found = foundNames(answer);
	const symbols = [...asked, ...found].filter(({ kind }) => kind === "symbol");
	return wishes.usages && symbols.length > 0 ? symbols.slice(0, MAX_CARRIED_SYMBOLS) : [...found, ...asked];
}

const HEADLINE =
	/\*\*(?:Most likely|Weak lead|By meaning|Defined in):\*\* `([^`\n]{1,200}?):\d+`(?:: `([^`\n]*)`)?(.*)/;

/** What the earlier answer named first: its best file, what its best line is about, and what the file defines. */
function foundNames(answer: string): SearchTerm[] {
	const [, best, line = "", rest = ""] = HEADLINE.exec(answer) ?? [];
	const subject = /^, on `([\w$]+)` \(line \d+\)/.exec(rest)?.[1] ?? guessDefined(line);
	const defined = /[(; ]defines (`[\w$]+`(?:, `[\w$]+`)*)/.exec(answer)?.[1]?.match(/[\w$]+/g) ?? [];
	const names = [...new Set([subject, ...defined])].filter((name) => name !== undefined).slice(0, 2);
	const quoted = [best, ...names].flatMap((name) => (name === undefined ? [] : `\`${name}\``));
	return extractTerms(quoted.join(" ")).terms.filter(({ kind }) => kind !== "word");
}

function guessDefined(line: string): string | undefined {
	const { role, name } = classifyLine(undefined, 1, line);
	return role === "definition" ? name : undefined;
}

function lighten(term: SearchTerm): SearchTerm {
	return { ...term, weight: term.weight * CARRIED_WEIGHT };
}

function renderExchanges(history: readonly Exchange[]): string {
	const shown = history.slice(0, MAX_SHOWN_TASKS);
	const rows = shown.map(
		({ task, answer }, index) =>
			`${index + 1}. Task: ${oneLine(task)}\n   Answer began: ${oneLine(answer.replace(DISCLOSURE, ""))}`,
	);
	const more = history.length > shown.length ? [`and ${history.length - shown.length} later ones`] : [];
	return ["**Earlier in this session**", ...rows, ...more].join("\n");
}

const oneLine = (text: string): string => cutText(collapseSpace(text), MAX_SHOWN_CHARS);
