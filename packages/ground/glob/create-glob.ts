interface GlobOptions {
	readonly ignoreCase?: boolean;
	/** `*`, `?` and sets also match a slash, as they do for `find -path`. */
	readonly crossesSlashes?: boolean;
}

type Matches = (character: string) => boolean;

/** One step of a pattern. `single` takes one character; `run` any number; `directories` nothing, or up to a slash. */
type Step = { readonly kind: "single" | "run"; readonly matches: Matches } | { readonly kind: "directories" };

const MAX_PATTERN_CHARS = 1000;
const MAX_ALTERNATIVES = 256;

/**
 * A glob as a test of a whole text: `*`, `?`, `**`, `[…]`, `[!…]`, `{a,b}` (nested too), and `\` before a character
 * that is meant as it is. The time grows with the length of text times pattern, whatever the pattern: all places
 * in the pattern are followed at once instead of trying one after the other. Throws on a pattern over its limits.
 */
export function createGlob(pattern: string, options: GlobOptions = {}): (text: string) => boolean {
	const plain = pattern.replace(/\*{3,}/g, "**");
	if (plain.length > MAX_PATTERN_CHARS)
		throw new Error(`The pattern has ${plain.length} characters; at most ${MAX_PATTERN_CHARS} are allowed.`);
	const fold = (text: string): string => (options.ignoreCase ? text.toLowerCase() : text);
	const choices = expandChoices(fold(plain)).map((choice) => parseSteps(choice, options));
	return (text) => {
		const characters = Array.from(fold(text));
		return choices.some((steps) => matchesSteps(steps, characters));
	};
}

function matchesSteps(steps: readonly Step[], characters: readonly string[]): boolean {
	let active = new Set<number>();
	enter(0, steps, active);
	for (const character of characters) {
		const next = new Set<number>();
		for (const index of active) advance(index, character, steps, next);
		if (next.size === 0) return false;
		active = next;
	}
	return active.has(steps.length);
}

/** Marks a place, and those after it that can be reached without a character. */
function enter(index: number, steps: readonly Step[], active: Set<number>): void {
	for (let at = index; !active.has(at); at += 1) {
		active.add(at);
		const step = steps[at];
		if (step === undefined || step.kind === "single") return;
	}
}

function advance(index: number, character: string, steps: readonly Step[], next: Set<number>): void {
	const step = steps[index];
	if (step === undefined) return;
	if (step.kind === "directories") {
		// Not `enter`: in the middle of a directory's name the rest of the pattern cannot begin.
		next.add(index);
		if (character === "/") enter(index + 1, steps, next);
	} else if (step.matches(character)) enter(step.kind === "run" ? index : index + 1, steps, next);
}

const ANY: Matches = () => true;
const WITHIN_NAME: Matches = (character) => character !== "/";

/**
 * The parts of a pattern: whole directories, stars, a question mark, a set, a character, also one that is meant as it is.
 * A bracket right after the opening one is a member of the set; one that is never closed is a character.
 */
const PART = /(?<=^|\/)\*{2,}\/|\*+|\?|\[(?:[!^].|[^!^])[^\]]*\]|\\?./gsu;

function parseSteps(pattern: string, { crossesSlashes }: GlobOptions): readonly Step[] {
	const wild = crossesSlashes ? ANY : WITHIN_NAME;
	return Array.from(pattern.matchAll(PART), ([part]) => parseStep(part, wild));
}

/** One star stays within a name; two cross slashes, and before a slash they match any number of whole directories. */
function parseStep(part: string, wild: Matches): Step {
	if (part.startsWith("*") && part.endsWith("/")) return { kind: "directories" };
	if (part.startsWith("*")) return { kind: "run", matches: part === "*" ? wild : ANY };
	if (part === "?") return { kind: "single", matches: wild };
	if (part.startsWith("[") && part !== "[") return { kind: "single", matches: parseSet(part, wild) };
	const wanted = part.replace(/^\\(?=.)/s, "");
	return { kind: "single", matches: (character) => character === wanted };
}

/** `[a-z]`, `[!a-z]`, `[^a-z]`. */
function parseSet(set: string, wild: Matches): Matches {
	const isNegated = /^\[[!^]/.test(set);
	const members = set.slice(isNegated ? 2 : 1, -1).matchAll(/(.)-(.)|./gsu);
	const ranges = Array.from(members, ([member, from = member, to = member]) => ({ from, to }));
	const contains: Matches = (character) =>
		ranges.some(({ from, to }) => from <= character && character <= to);
	return (character) => wild(character) && contains(character) !== isNegated;
}

/** `a{b,c}d` as `abd` and `acd`. Braces without a comma, or never closed, are ordinary characters. */
function expandChoices(pattern: string): readonly string[] {
	const finished: string[] = [];
	const pending = [pattern];
	for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
		const braces = findBraces(next);
		if (braces === undefined) finished.push(next);
		else for (const choice of braces.choices) pending.push(braces.before + choice + braces.after);
		if (finished.length + pending.length > MAX_ALTERNATIVES)
			throw new Error(`The braces of the pattern expand to more than ${MAX_ALTERNATIVES} patterns.`);
	}
	return finished;
}

interface Braces {
	readonly before: string;
	readonly choices: readonly string[];
	readonly after: string;
}

/** The first innermost braces that contain a comma; expanding from the inside out handles nesting. */
function findBraces(pattern: string): Braces | undefined {
	const opened: number[] = [];
	for (let at = 0; at < pattern.length; at += 1) {
		if (pattern[at] === "\\") at += 1;
		else if (pattern[at] === "{") opened.push(at);
		else if (pattern[at] === "}") {
			const open = opened.pop() ?? at;
			const inner = pattern.slice(open + 1, at);
			if (inner.includes(","))
				return { before: pattern.slice(0, open), choices: inner.split(","), after: pattern.slice(at + 1) };
		}
	}
	return undefined;
}
