import type { CodeIndex } from "./code-index/code-index.ts";
import { stemsOf } from "./code-index/split-identifier.ts";
import { STOP_WORDS } from "./question-words.ts";
import type { SearchTerm } from "./search-terms.ts";

interface NamesInTask {
	readonly terms: readonly SearchTerm[];
	readonly urls: readonly string[];
	/** The task without what was taken, for the plain words. */
	readonly rest: string;
}

const MAX_SYMBOLS = 6;
const MAX_PHRASES = 4;
const MAX_PATHS = 8;
const MAX_COMPOUNDS = 3;
const MAX_URLS = 5;
const MAX_NAME_CHARS = 120;

const NAME = "[A-Za-z_$][\\w$]*";
const URL_PATTERN = /https?:\/\/[^\s<>"'`)\]]+/g;
/** The lines of a pasted diff that name no file and no code. */
const DIFF_MARKS = /^(?:diff --git|index [0-9a-f]+\.\.[0-9a-f]+(?: \d+)?|@@ [-+,\d ]+ @@)/gm;
const QUOTED =
	/`([^`\n]{1,200})`|"([^"\n]{2,200})"|“([^”\n]{2,200})”|(?<=^|[\s(])'([^'\n]{2,200})'(?=$|[\s).,;:?!])/g;
const PATH_PATTERN = /(?<![\w@])(?:@?[\w.-]+\/|\.{1,2}\/|\/|~\/)+[\w.@-]*[\w@-]/g;
const FILE_NAME_PATTERN =
	/(?<![\w./-])[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|json5?|jsonc|md|mdx|ya?ml|toml|py|go|rs|java|kt|rb|php|cs|cpp|cc|c|h|hpp|swift|sh|css|scss|html|vue|svelte|sql|txt|lock|ini|cfg|proto|graphql)(?![\w])/g;
const QUALIFIED_PATTERN = new RegExp(`${NAME}(?:(?:\\.|::|#|->)#?${NAME})+(?:\\(\\))?`, "g");
const SYMBOL_PATTERN = new RegExp(
	[
		`${NAME}\\(\\)`,
		"\\b[a-z$_][a-z0-9$]*(?:[A-Z][\\w$]*)+",
		"\\b[A-Z][a-z0-9]+(?:[A-Z][\\w$]*)+",
		"\\b[A-Z]{2,}(?!s\\b)[a-z]+[\\w$]*",
		"(?<![\\w$])_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_*(?![\\w$])",
		"(?<![\\w$])[A-Za-z][A-Za-z0-9]*_+(?![\\w$])",
		"(?<![\\w$])_+[A-Za-z][\\w$]*",
		"(?<![\\w-])--[a-z][a-z0-9-]+",
	].join("|"),
	"g",
);
const KEBAB_PATTERN = /\b[a-z][a-z0-9]*(?:-[a-z0-9]+)+\b/gi;
/** "a function called parse", "class Pool": a plain word that the sentence says is a name. */
const ANNOUNCED_PATTERN =
	/\b(?:called|named)\s+([A-Za-z_$][\w$]*)|\b(?:class|interface|type|struct|enum|trait|component|function|method|constant)\s+([A-Z][\w$]*)\b|\b([A-Z][\w$]{2,})\s+(?:class|interface|struct|enum|trait|component|constructor|type)\b/g;
/** "Where is pay defined?", "Who calls pay?", "Which tests cover pay?": whatever the tree knows in such a place is a name. */
const ASKED_PATTERN =
	/\b(?:where|how) (?:is|are) ([A-Za-z_$][\w$]*) (?:defined|declared|called|invoked|imported|referenced|tested)\b|\b(?:who|what|which (?:\w+ )?(?:files?|functions?|modules?|code|tests?|class(?:es)?|methods?|places?)) (?:calls?|uses?|imports?|invokes?|defines?|declares?|exports?|covers?|tests?|exercises?) ([A-Za-z_$][\w$]*)(?=\s*(?:[?.,!)]|$))|\b(?:callers?|calls|usages?|uses|references?|tests?|definition) (?:of|to|for) ([A-Za-z_$][\w$]*)(?=\s*(?:[?.,!)]|$))/gi;
/** Product names that only look like identifiers. */
const ORDINARY_NAMES: ReadonlySet<string> = new Set(
	"typescript javascript github gitlab openai nodejs macos ios devops graphql mongodb postgresql mysql json5 youtube".split(
		" ",
	),
);

/** Takes URLs, quoted text, paths and identifiers out of a task. */
export function takeNames(task: string): NamesInTask {
	const urls: string[] = [];
	const terms: SearchTerm[] = [];
	let rest = task.replace(DIFF_MARKS, " ").replace(URL_PATTERN, (url) => {
		urls.push(url.replace(/[.,;:!?]+$/, ""));
		return " ";
	});
	rest = rest.replace(QUOTED, (_whole, ...groups: unknown[]) => {
		const quoted = groups.slice(0, 4).find((group): group is string => typeof group === "string") ?? "";
		terms.push(...toQuotedTerms(quoted.trim()));
		return " ";
	});
	const take = (pattern: RegExp, accept: (text: string) => readonly SearchTerm[]): void => {
		rest = rest.replace(pattern, (text) => {
			const accepted = accept(text);
			terms.push(...accepted);
			return accepted.length > 0 ? " " : text;
		});
	};
	take(PATH_PATTERN, toPathTerms);
	take(FILE_NAME_PATTERN, (text) => [toTerm("path", text)]);
	take(QUALIFIED_PATTERN, toQualifiedTerms);
	take(SYMBOL_PATTERN, toSymbolTerms);
	take(ANNOUNCED_PATTERN, toAnnouncedTerms);
	rest = rest.replace(ASKED_PATTERN, (text, ...groups: unknown[]) => {
		const name = groups.slice(0, 3).find((group): group is string => typeof group === "string") ?? "";
		if (name.length < 2 || STOP_WORDS.has(name.toLowerCase())) return text;
		terms.push({ ...toTerm("symbol", name), isPlainWord: true });
		return text.replace(name, " ");
	});
	take(KEBAB_PATTERN, (text) => [toTerm("compound", text)]);
	return { terms: limitByKind(terms), urls: [...new Set(urls)].slice(0, MAX_URLS), rest };
}

function limitByKind(terms: readonly SearchTerm[]): SearchTerm[] {
	const room = {
		symbol: MAX_SYMBOLS,
		phrase: MAX_PHRASES,
		path: MAX_PATHS,
		compound: MAX_COMPOUNDS,
		word: MAX_SYMBOLS,
	};
	const seen = new Set<string>();
	return terms.filter((term) => {
		const key = `${term.kind} ${term.text}`;
		if (seen.has(key) || term.text.length > MAX_NAME_CHARS || room[term.kind] === 0) return false;
		seen.add(key);
		room[term.kind] -= 1;
		return true;
	});
}

function toQuotedTerms(text: string): SearchTerm[] {
	if (/^[\w.@~-]*\/[\w./@-]+$/.test(text) || new RegExp(`^(?:${FILE_NAME_PATTERN.source})$`).test(text)) {
		return [toTerm("path", text.replace(/^\.\//, ""))];
	}
	if (new RegExp(`^(?:${QUALIFIED_PATTERN.source})$`).test(text)) return toQualifiedTerms(text);
	if (/^(?:--)?[\w$-]+(?:\(\))?$/.test(text)) return [toTerm("symbol", text.replace(/\(\)$/, ""))];
	return text.length >= 3 ? [toTerm("phrase", text), ...namesInCode(text)] : [];
}

/** `autostart: false` may be written `opts.autostart === false`: what it names is looked for by itself too. */
function namesInCode(text: string): SearchTerm[] {
	const name = /^(?:[\w$]+\.)*([A-Za-z_$][\w$]+)\s*(?:[:=(]|=>)/.exec(text)?.[1];
	return name === undefined || STOP_WORDS.has(name.toLowerCase())
		? []
		: [{ ...toTerm("symbol", name), weight: 2 }];
}

/** "and/or" is prose; a path has an extension, more than one slash, or a first part that names a place. */
function toPathTerms(text: string): SearchTerm[] {
	const looksReal =
		/\.[a-z]\w{0,5}$/i.test(text) ||
		(text.match(/\//g) ?? []).length > 1 ||
		/^(\.{1,2}\/|~\/|\/|@|src\/|lib\/|test\/|tests\/|docs\/|packages\/)/.test(text);
	return looksReal ? [toTerm("path", text.replace(/^\.\//, "").replace(/^[ab]\/(?=\w+\/)/, ""))] : [];
}

/** `Pool.connect`, `res.json`, `Foo::bar`: both parts are names, and the whole is looked for as it is written. */
function toQualifiedTerms(text: string): SearchTerm[] {
	const parts = text
		.replace(/\(\)$/, "")
		.split(/\.|::|#|->/)
		.filter((part) => part.length > 1);
	if (parts.length < 2 || /^(e|i)\.?$/.test(parts[0] ?? "")) return [];
	const names = parts.slice(-2).map((part) => toTerm("symbol", part.replace(/^#/, "")));
	return [...names, { ...toTerm("phrase", text.replace(/\(\)$/, "")), weight: 1.5 }];
}

function toSymbolTerms(text: string): SearchTerm[] {
	const name = text.replace(/\(\)$/, "");
	return ORDINARY_NAMES.has(name.toLowerCase()) || name.length < 2 ? [] : [toTerm("symbol", name)];
}

function toAnnouncedTerms(text: string): SearchTerm[] {
	const name = text.split(/\s+/).find((word) => /^[A-Z_$]/.test(word)) ?? text.split(/\s+/).at(-1) ?? "";
	return name.length < 2 || STOP_WORDS.has(name.toLowerCase()) ? [] : [toTerm("symbol", name)];
}

const WEIGHTS = { symbol: 3, phrase: 3, path: 4, compound: 1.6 } as const;

function toTerm(kind: keyof typeof WEIGHTS, text: string): SearchTerm {
	return { text, kind, stems: stemsOf(text), weight: WEIGHTS[kind] };
}

/** `res.json` is a file in one tree and a method in another: it is a name wherever no file is called so. */
export function settleNames(terms: readonly SearchTerm[], { files, words }: CodeIndex): SearchTerm[] {
	return terms.flatMap((term) => {
		if (term.isPlainWord === true)
			return [words.includes(term.text.toLowerCase()) ? term : { ...term, kind: "word", weight: 1 }];
		if (term.kind !== "path" || !/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(term.text)) return [term];
		const isFile = files.some(({ path }) => `/${path}`.toLowerCase().endsWith(`/${term.text.toLowerCase()}`));
		const names = isFile ? [] : toQualifiedTerms(term.text);
		return names.length > 0 ? names : [term];
	});
}
