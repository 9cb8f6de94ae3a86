const MAX_LIST_CHARS = 4000;
/** Between a name and its list: type parameters, and in scripts what makes a constant a function. */
const BEFORE_PARAMETERS = /^\s*(?:<[^()]*>)?\s*(?:[:=]\s*(?:async\s*)?(?:function\s*\*?\s*\w*)?)?\s*$/;
const BEFORE_ARGUMENTS = /^\s*(?:(?:::)?<[^()]*>)?\s*(?:\?\.)?\s*$/;
const LITERAL = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;
const RECEIVER = /^&?(?:'\w+\s+)?(?:mut\s+)?self\b|^this\b|^\*$|^\/$|^cls\b|^void$/;

export interface Parameters {
	readonly least: number;
	readonly most: number;
	readonly names: readonly string[];
}

/** What a function that is defined before this place takes; undefined where its list is not found. */
export function listParameters(text: string, end: number): Parameters | undefined {
	const list = listInside(text, end, BEFORE_PARAMETERS);
	if (list === undefined) return undefined;
	const named = list.map((parameter) => parameter.trim()).filter((parameter) => !RECEIVER.test(parameter));
	const isOpen = named.some((parameter) => /^\*|\.\.\./.test(parameter));
	const required = named.filter((parameter) => !/=|\?\s*(?::|$)/.test(parameter));
	return {
		least: isOpen ? 0 : required.length,
		most: isOpen ? Number.POSITIVE_INFINITY : named.length,
		names: named.map((parameter) => /^[&*]*(?:mut\s+)?([\w$]+)/.exec(parameter)?.[1] ?? ""),
	};
}

/** What a call before this place hands over; undefined where that cannot be counted. */
export function listArguments(text: string, end: number): string[] | undefined {
	const list = listInside(text, end, BEFORE_ARGUMENTS);
	return list === undefined || list.some((argument) => /^\s*(?:\.\.\.|\*)/.test(argument))
		? undefined
		: list.map((argument) => argument.trim());
}

/** What is between a bracket and its end, cut at commas of its own level. */
function listInside(text: string, from: number, before: RegExp): string[] | undefined {
	const part = text.slice(from, from + MAX_LIST_CHARS);
	const open = part.indexOf("(");
	if (open === -1 || !before.test(part.slice(0, open))) return undefined;
	const code = part.slice(open + 1).replace(LITERAL, (literal) => '"'.repeat(literal.length));
	const cuts = [0];
	let depth = 1;
	for (let at = 0; at < code.length; at += 1) {
		const character = code[at] ?? "";
		if ("([{".includes(character)) depth += 1;
		if (")]}".includes(character)) depth -= 1;
		if (character === "," && depth === 1) cuts.push(at + 1);
		if (depth === 0) return splitAt(part.slice(open + 1, open + 1 + at), cuts);
	}
	return undefined;
}

function splitAt(text: string, cuts: readonly number[]): string[] {
	const parts = cuts.map((cut, at) => text.slice(cut, (cuts[at + 1] ?? text.length + 1) - 1));
	return parts.filter((part, at) => part.trim() !== "" || at < parts.length - 1);
}
