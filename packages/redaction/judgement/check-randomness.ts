const STAND_IN = /x{5,}|X{4,}|0{12,}|\*{3,}|\.{3,}|[<>]|EXAMPLE(?:KEY)?$/;
const STAND_IN_WORD =
	/your|(?<![A-Za-z0-9])my[-_]|here|placeholder|example[-_]|change[-_]?me|dummy|insert|replace|redacted|fixme|todo/gi;
/** People write a word in one case, or with a capital first; chance writes `hErE`. */
const AS_PEOPLE_WRITE = /^(?:[a-z_-]+|[A-Z_-]+|[A-Z][a-z_-]+)$/;

/** Stand-ins that documentation writes where a token would go: `ghp_xxxxxxxx`, `sk-your-key-here`. */
export function isPlaceholderToken(token: string): boolean {
	return (
		STAND_IN.test(token) || (token.match(STAND_IN_WORD) ?? []).some((word) => AS_PEOPLE_WRITE.test(word))
	);
}

/**
 * True for what a machine made up: letters and digits mixed within one stretch. False for names people type,
 * such as `sk-folding-cube` or `secret_manager_client`, whose parts are words or short numbers.
 */
export function looksGenerated(token: string): boolean {
	if (distinctCharacters(token) < 6) return false;
	const parts = token.split(/[^A-Za-z0-9]/).filter((part) => part.length >= 8);
	return parts.some((part) => isMixedPart(part)) || isMixedPart(token.replace(/[^A-Za-z0-9]/g, ""), 24);
}

/** Stricter: upper case, lower case and several digits. For shapes with almost no fixed part. */
export function looksMixed(token: string): boolean {
	return (
		/[A-Z]/.test(token) &&
		/[a-z]/.test(token) &&
		countMatches(token, /\d/g) >= 2 &&
		distinctCharacters(token) >= 10 &&
		looksGenerated(token)
	);
}

function isMixedPart(part: string, minimumLength = 8): boolean {
	if (part.length < minimumLength) return false;
	const digits = countMatches(part, /\d/g);
	if (digits === 0) return part.length >= 20 && looksLikeRandomLetters(part);
	if (digits === part.length) return false;
	if (part.length >= 20 && digits >= 2 && isUnpronounceable(part)) return true;
	return countMatches(part, /[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) >= 2;
}

/**
 * Letters only: unlike `camelCaseIdentifiers` they have sequences that no language has. Words have a vowel at least every
 * few letters, and a change of case starts a word of some length.
 */
export function looksLikeRandomLetters(text: string): boolean {
	const stretches = text.match(/[A-Z]?[a-z]{1,64}|[A-Z]{1,64}/g) ?? [];
	if (stretches.length === 0) return false;
	const odd = stretches.filter((stretch) => stretch.length <= 2 || isUnpronounceable(stretch)).length;
	return odd / stretches.length > 0.5 || changesCaseByChance(text, stretches.length) || isUnlikeWords(text);
}

/** The same of the letters in a text that has other characters as well. */
export function hasRandomLetters(text: string): boolean {
	return looksLikeRandomLetters(text.replace(/[^A-Za-z]/g, ""));
}

/** Letters that could be one or more words of a language: `parse`, `readFile`, `README`. */
export function isLettersOfWords(letters: string): boolean {
	return letters.length < 4 || !looksLikeRandomLetters(letters);
}

/** Words that begin with capitals are longer than three letters on average. */
function changesCaseByChance(text: string, stretches: number): boolean {
	return text.length >= 10 && stretches >= 4 && text.length / stretches <= 3;
}

/** A letter, and those that often follow it in the words of programs and their documentation. */
const FOLLOWING =
	"abcdgilmnprstuvy baeilorsu cacehiklorstu dadeiorsu eabcdefgilmnoprstvx faefiloru gaehilnors " +
	"haeiort iabcdefglmnoprstvz keis ladeilostuy maeilmopsu nacdefgiklnopstuv oabcdfgilmnoprstuvw " +
	"paehiloprstu qu racdeiklmnorstuy sacehiopstu tacehilorstuy uabcefilmnprst vaei waei xept yp ze";
const COMMON_PAIRS: ReadonlySet<string> = new Set(
	FOLLOWING.split(" ").flatMap(([first, ...rest]) => rest.map((second) => `${first}${second}`)),
);
const SHORTEST_JUDGED_BY_PAIRS = 8;
/** Words have four common pairs of five, chance one of three. */
const SMALLEST_SHARE_IN_WORDS = 0.5;

/** Letters in an order that words seldom have. */
export function isUnlikeWords(letters: string): boolean {
	if (letters.length < SHORTEST_JUDGED_BY_PAIRS) return false;
	const lower = letters.slice(0, 64).toLowerCase();
	let common = 0;
	for (let index = 0; index + 1 < lower.length; index += 1) {
		if (COMMON_PAIRS.has(lower.slice(index, index + 2))) common += 1;
	}
	return common / (lower.length - 1) < SMALLEST_SHARE_IN_WORDS;
}

function isUnpronounceable(word: string): boolean {
	return /[^aeiouy]{5}/i.test(word) || !/[aeiouy]/i.test(word);
}

export function distinctCharacters(text: string): number {
	return new Set(text.slice(0, 128)).size;
}

export function countMatches(text: string, pattern: RegExp): number {
	return text.match(pattern)?.length ?? 0;
}

/** Bits per character over the first characters of a text. */
export function shannonEntropy(text: string): number {
	const sample = text.slice(0, 256);
	const counts = new Map<string, number>();
	for (const character of sample) counts.set(character, (counts.get(character) ?? 0) + 1);
	let bits = 0;
	for (const count of counts.values()) bits -= (count / sample.length) * Math.log2(count / sample.length);
	return bits;
}
