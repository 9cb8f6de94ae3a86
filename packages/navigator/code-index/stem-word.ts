const IRREGULAR: ReadonlyMap<string, string> = new Map([
	["children", "child"],
	["indices", "index"],
	["chosen", "choos"],
	["chose", "choos"],
	["written", "writ"],
	["wrote", "writ"],
	["sent", "send"],
	["kept", "keep"],
	["built", "build"],
	["setting", "setting"],
	["settings", "setting"],
	["embed", "embed"],
]);

/** What may follow a stem in another form of the same word: parse/parser, redact/redaction, configure/configuration. */
const ENDINGS: ReadonlySet<string> = new Set([
	"er",
	"or",
	"r",
	"ion",
	"at",
	"ation",
	"abl",
	"ment",
	"al",
	"ly",
]);
/** Words that only look like forms of each other. */
const STRANGERS: ReadonlySet<string> = new Set([
	"auth author",
	"head header",
	"fold folder",
	"numb number",
	"lett letter",
]);
const MIN_SHARED_STEM = 4;
const VOWEL = /[aeiouy]/;

/**
 * A light stem: enough that "decided", "decides" and "deciding" meet, and rarely so much that different words do.
 * Except for irregular words and a final "i" that replaces a "y", the stem is a prefix of the word and can be searched for.
 */
export function stemWord(word: string): string {
	const lower = word.toLowerCase();
	const irregular = IRREGULAR.get(lower);
	if (irregular !== undefined) return irregular;
	if (lower.length < 4 || !/^[a-z]+$/.test(lower)) return lower;
	return dropFinalE(stripSuffix(lower));
}

/** Whether two stems are forms of one word. */
export function stemsMeet(left: string, right: string): boolean {
	if (left === right) return true;
	const [shorter, longer] = left.length < right.length ? [left, right] : [right, left];
	if (shorter.length < MIN_SHARED_STEM || !longer.startsWith(shorter)) return false;
	return ENDINGS.has(longer.slice(shorter.length)) && !STRANGERS.has(`${shorter} ${longer}`);
}

function stripSuffix(word: string): string {
	if (/[^aeiou]?eed$/.test(word)) return word;
	if (/(ies|ied)$/.test(word) && word.length >= 6) return word.slice(0, -2);
	for (const suffix of ["ings", "ing", "ed"]) {
		if (!word.endsWith(suffix)) continue;
		const rest = word.slice(0, -suffix.length);
		if (rest.length >= 3 && VOWEL.test(rest)) return undouble(rest);
	}
	if (/(ss|us|is)$/.test(word)) return word;
	if (/(ches|shes|sses|xes|zes)$/.test(word)) return word.slice(0, -2);
	const singular = word.endsWith("s") ? word.slice(0, -1) : word;
	if (singular.length >= 8 && singular.endsWith("tion")) return singular.slice(0, -3);
	return turnY(singular);
}

function undouble(word: string): string {
	return /([bdfgkmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}

/** "retry" and "retries" meet at "retri", "cookie" and "cookies" at "cooki". */
function turnY(word: string): string {
	return word.length >= 5 && /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}i` : word;
}

function dropFinalE(word: string): string {
	return word.length >= 5 && word.endsWith("e") ? word.slice(0, -1) : word;
}
