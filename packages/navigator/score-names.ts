import { stemsOf } from "./code-index/split-identifier.ts";
import { stemsMeet } from "./code-index/stem-word.ts";
import type { SearchTerm } from "./search-terms.ts";
import type { WeighedTerm } from "./weigh-terms.ts";

interface NameScore {
	readonly value: number;
	/** Indexes of the terms that occur in the file's own name. */
	readonly matched: ReadonlySet<number>;
}

const BASE_NAME_FACTOR = 1.8;
const DIRECTORY_FACTOR = 0.5;
const PART_OF_IDENTIFIER_FACTOR = 0.6;
const EXACT_PATH = 6;
const PATH_END = 5;
const INSIDE_PATH = 1;
const SAME_FILE_NAME = 1.5;

/** What a path alone says about the task. */
export function scoreNames(path: string, terms: readonly WeighedTerm[]): NameScore {
	const segments = path.split("/");
	const base = stemsOf((segments.at(-1) ?? "").replace(/\.[^.]*$/, ""));
	const directories = segments.slice(0, -1).flatMap(stemsOf);
	const matched = new Set<number>();
	let value = 0;
	terms.forEach(({ term, value: termValue }, index) => {
		const score = scoreName(term, path, base, directories);
		value += termValue * score;
		if (score > DIRECTORY_FACTOR) matched.add(index);
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
	const within = (parts: readonly string[]): boolean =>
		term.stems.every((stem) => parts.some((part) => stemsMeet(part, stem)));
	if (within(base)) {
		const tightness = Math.min(1, term.stems.length / Math.max(1, base.length));
		const exactness = term.kind === "word" ? 0.5 + 0.5 * tightness : tightness * PART_OF_IDENTIFIER_FACTOR;
		return BASE_NAME_FACTOR * exactness;
	}
	return term.kind === "word" && within(directories) ? DIRECTORY_FACTOR : 0;
}

function scorePath(wanted: string, path: string): number {
	const clean = wanted
		.replace(/^[./~]+/, "")
		.replace(/\/+$/, "")
		.toLowerCase();
	const lower = path.toLowerCase();
	if (clean === "") return 0;
	if (lower === clean) return EXACT_PATH;
	if (lower.endsWith(`/${clean}`)) return PATH_END;
	if (lower.startsWith(`${clean}/`) || lower.includes(`/${clean}/`)) return INSIDE_PATH;
	return lower.split("/").at(-1) === clean.split("/").at(-1) ? SAME_FILE_NAME : 0;
}
