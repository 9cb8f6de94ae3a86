import type { SearchTerm } from "./search-terms.ts";
import { splitIdentifier } from "./split-identifier.ts";
import { synonymsOfStem } from "./word-lists.ts";

/** Machine-written files and the repository's own store: pi's grep also looks into hidden directories. */
export const NOISE_GLOB =
	"!{.git,*.lock,package-lock.json,npm-shrinkwrap.json,pnpm-lock.yaml,go.sum,*.map,*.min.js,*.min.css,*.svg,*.tsbuildinfo,*.snap}";

/**
 * Nearly every file, to learn the size of a tree. A bare `*` would also match the names of ignored directories, and a
 * glob that matches one makes ripgrep look into it.
 */
export const ANY_FILE_GLOB = "?*.?*";

const SHORT_WORD = 3;
const MAX_PATTERN_CHARS = 4000;

export function escapeRegex(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) => (character === "/" ? "/" : `\\${character}`));
}

/** A final "i" of a stem stands for "i" or "y". */
function stemPattern(stem: string): string {
	return stem.length > SHORT_WORD && stem.endsWith("i")
		? `${escapeRegex(stem.slice(0, -1))}[iy]`
		: escapeRegex(stem);
}

/** One word, to be searched without regard to case, also inside identifiers; short ones only where a word begins. */
export function wordPattern(stem: string): string {
	const escaped = stemPattern(stem);
	if (stem.length > SHORT_WORD || !/^[a-z0-9]+$/.test(stem)) return escaped;
	const capital = escaped.charAt(0).toUpperCase() + escaped.slice(1);
	return `(?:\\b|_)${escaped}|(?-i:[a-z0-9](?:${capital}|${escaped.toUpperCase()}))`;
}

/** "tool-list" also as toolList, tool_list, ToolList, "tool list" and toollist. */
export function compoundPattern(text: string): string {
	return splitIdentifier(text).map(escapeRegex).join("[-_. ]?");
}

/** Lines that define a name, in most languages. Long, but one pass over the tree. */
export function definitionPattern(name: string): string {
	const escaped = escapeRegex(name);
	const after = "(?:[^\\w$]|$)";
	return [
		`\\b(?:function\\*?|class|interface|type|enum|const|let|var|val|def|func|fn|struct|trait|impl|mod|module|namespace|static)\\s+(?:mut\\s+)?(?:\\([^)]*\\)\\s*)?${escaped}${after}`,
		`#define\\s+${escaped}${after}`,
		`(?:^|[^\\w$])${escaped}\\s*[:=]\\s*(?:async\\s*)?(?:function|\\()`,
		`(?:exports|prototype)\\.${escaped}\\s*=`,
		`^\\s*(?:(?:public|private|protected|static|async|readonly|override|abstract|get|set|export)\\s+)*[#*]?${escaped}\\s*(?:<[^>]*>)?\\(.*\\{\\s*$`,
	].join("|");
}

/** Definitions whose name contains one of the stems. */
export function definitionNamePattern(stems: readonly string[]): string {
	const inside = stems.map(stemPattern).join("|");
	return `\\b(?:function\\*?|class|interface|type|enum|const|def|func|fn|struct|trait|module)\\s+\\w*(?:${inside})`;
}

/** Lines on which both words (or words that mean the same) stand close together, in either order. */
export function pairPattern(left: SearchTerm, right: SearchTerm): string {
	const first = alternatives(left);
	const second = alternatives(right);
	return `${first}.{0,60}?${second}|${second}.{0,60}?${first}`;
}

/** Top-level definitions of any name: the outline of a file. */
export const OUTLINE_PATTERN =
	"^(?:export\\s+)?(?:default\\s+)?(?:declare\\s+)?(?:pub(?:\\([^)]*\\))?\\s+)?(?:async\\s+)?(?:abstract\\s+)?(?:function\\*?|class|interface|type|enum|const|def|func|fn|struct|trait|impl|module|namespace)\\s";

/** Lines that import one of the modules, by base name. */
export function importPattern(bases: readonly string[]): string {
	return `\\b(?:import|from|require|include|use|export)\\b.*\\b(?:${bases.map(escapeRegex).join("|")})\\b`;
}

/** Any of the terms, without regard to case: used on single files, to see everything that speaks for them. */
export function anyTermPattern(terms: readonly SearchTerm[]): string {
	const parts = terms.flatMap(termAlternatives);
	let pattern = "";
	for (const part of parts) {
		if (pattern.length + part.length > MAX_PATTERN_CHARS) break;
		pattern += pattern === "" ? part : `|${part}`;
	}
	return pattern;
}

function termAlternatives(term: SearchTerm): string[] {
	if (term.kind === "word") {
		const stem = term.stems[0] ?? "";
		return [wordPattern(stem), ...synonymsOfStem(stem).map(wordPattern)];
	}
	if (term.kind === "compound") return [compoundPattern(term.text)];
	if (term.kind === "path") return [];
	return [escapeRegex(term.text)];
}

function alternatives(term: SearchTerm): string {
	const stem = term.stems[0] ?? "";
	const all = [stem, ...synonymsOfStem(stem)].map((word) =>
		word.length <= SHORT_WORD ? `\\b${escapeRegex(word)}` : stemPattern(word),
	);
	return all.length === 1 ? (all[0] ?? "") : `(?:${all.join("|")})`;
}

/** A glob for file names that contain a word as `find` sees it: with or without a capital, whatever stands around it. */
export function fileNameGlob(word: string): string {
	const [first = "", ...rest] = [...(word.length > SHORT_WORD ? word.replace(/i$/, "") : word)].map(
		globEscape,
	);
	const upper = first.toUpperCase();
	return `*${upper === first || upper.length !== 1 ? first : `[${first}${upper}]`}${rest.join("")}*`;
}

function globEscape(letter: string): string {
	return /[\p{L}\p{N}_.-]/u.test(letter) ? letter : "?";
}

/** A glob that finds a path the task names, wherever in the tree it is. */
export function pathGlob(path: string): string {
	return [...path.replace(/^[./~]+/, "").replace(/\/+$/, "")]
		.map((letter) => (letter === "/" ? "/" : globEscape(letter)))
		.join("");
}
