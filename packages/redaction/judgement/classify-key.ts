import {
	AUTH_OWNERS,
	HARMLESS_ENDINGS,
	HARMLESS_KEY_QUALIFIERS,
	HARMLESS_QUALIFIERS,
	NAMES_STRONG_IN_CAPITALS,
	NEUTRAL_ENDINGS,
	OUTCOME_QUALIFIERS,
	PASSWORD_ENDINGS,
	PASSWORD_ENDINGS_OTHER_SCRIPTS,
	PASSWORD_NAMES,
	PASSWORD_STEMS,
	PERSONAL_TOKEN_OWNERS,
	PHRASE_OWNERS,
	SECRET_ENDINGS,
	SECRET_ENDINGS_OTHER_SCRIPTS,
	SECRET_KEY_QUALIFIERS,
	SECRET_NAMES,
	WEAK_NAMES,
	WEAK_STEMS,
} from "./words/word-lists.ts";

/**
 * How much a name says about its value.
 * `password`: any value is a secret. `secret`: a value with some substance is one.
 * `weak`: only a value that was clearly generated is one.
 */
export type KeyClass = "password" | "secret" | "weak" | "none";

const LONGEST_BEGINNING = 24;
/** Matches a word that ends in one of these, after letters that may be glued to its front. */
const toEndingPattern = (endings: ReadonlySet<string>): RegExp =>
	new RegExp(`^[a-z]{0,${LONGEST_BEGINNING}}(?:${[...endings].join("|")})s?$`);
const PASSWORD_ENDING = toEndingPattern(PASSWORD_ENDINGS);
const SECRET_ENDING = toEndingPattern(SECRET_ENDINGS);

const MAXIMUM_WORDS = 8;
const MAXIMUM_KEY_LENGTH = 120;

export function classifyKey(key: string): KeyClass {
	if (key.length > MAXIMUM_KEY_LENGTH) return "none";
	const words = splitKey(key);
	const end = lastMeaningfulWord(words);
	const last = words[end];
	if (last === undefined) return "none";
	const before = words[end - 1] ?? "";
	if (isPasswordName(last, before)) return "password";
	if (isHarmlessName(last, before) || (before === "key" && words[end - 2] === "public")) return "none";
	if (isSecretName(last, before) || (isShouted(key) && NAMES_STRONG_IN_CAPITALS.has(last) && before !== ""))
		return "secret";
	return WEAK_NAMES.has(last) ||
		hasStem(last, WEAK_STEMS) ||
		(last === "connection" && words[end + 1] === "string") ||
		containsSecretWord(words)
		? "weak"
		: "none";
}

function isShouted(key: string): boolean {
	return /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(key);
}

function isPasswordName(last: string, before: string): boolean {
	if (last === "pass") return !OUTCOME_QUALIFIERS.has(before);
	if (last === "word") return before === "pass";
	// What Windows calls the password of a wireless network.
	if (
		last === "key" &&
		(before === "preshared" || before === "wpa" || before === "wifi" || before === "wlan")
	)
		return true;
	if (last === "material" || last === "content") return before === "key";
	if (last === "phrase") return PHRASE_OWNERS.has(before);
	return (
		isPasswordWord(last) || endsInOneOf(last, PASSWORD_ENDINGS_OTHER_SCRIPTS) || hasStem(last, PASSWORD_STEMS)
	);
}

function isPasswordWord(word: string): boolean {
	return PASSWORD_NAMES.has(word) || PASSWORD_NAMES.has(word.replace(/s$/, "")) || PASSWORD_ENDING.test(word);
}

function isSecretName(last: string, before: string): boolean {
	if (last === "key") return SECRET_KEY_QUALIFIERS.has(before);
	if (last === "keys") return before === "unseal";
	if (last === "seed") return before === "secret";
	if (last === "code") return before === "device" || before === "authorization";
	if (last === "id") return before === "secret";
	if (last === "pat") return PERSONAL_TOKEN_OWNERS.has(before);
	if (last === "auth") return AUTH_OWNERS.has(before);
	return isSecretWord(last) || endsInOneOf(last, SECRET_ENDINGS_OTHER_SCRIPTS);
}

/** `secrets` and `tokens` are as likely a collection, so that the plural does not count. */
function isSecretWord(word: string): boolean {
	return SECRET_NAMES.has(word) || (SECRET_ENDING.test(word) && !word.endsWith("s"));
}

function endsInOneOf(word: string, endings: ReadonlySet<string>): boolean {
	return /[\u0080-\uffff]$/.test(word) && [...endings].some((ending) => word.endsWith(ending));
}

const LONGEST_INFLECTION = 6;

/** `parolası`, `паролем`, `הסיסמה`. Other scripts may put an article before it. */
function hasStem(word: string, stems: ReadonlySet<string>): boolean {
	for (const stem of stems) {
		const at = word.indexOf(stem);
		if (at === -1 || word.length - stem.length > LONGEST_INFLECTION) continue;
		if (at === 0 || /^[\u0370-\uffff]/.test(word)) return true;
	}
	return false;
}

function isHarmlessName(last: string, before: string): boolean {
	if (before === "public" || before === "pub") return true;
	if (last === "key" && HARMLESS_KEY_QUALIFIERS.has(before)) return true;
	return /^(?:tokens?|keys?|code|hash)$/.test(last) && HARMLESS_QUALIFIERS.has(before);
}

function lastMeaningfulWord(words: readonly string[]): number {
	let end = words.length - 1;
	while (end > 0 && isNeutralEnding(words[end] ?? "")) end -= 1;
	return end;
}

function isNeutralEnding(word: string): boolean {
	return NEUTRAL_ENDINGS.has(word) || /^(?:v\d|\d{1,4})$/.test(word);
}

/** Upper-case names such as `TOKEN_GITHUB` or `SECRET_FOR_CI` put the word first. Others end in what the value is. */
function containsSecretWord(words: readonly string[]): boolean {
	if (HARMLESS_ENDINGS.has(words.at(-1) ?? "")) return false;
	return words.some((word) => isPasswordWord(word) || isSecretWord(word));
}

/**
 * `dbPassword`, `DB_PASSWORD`, `db.password` and `db password` are all `db`, `password`; `password2` is `password`, `2`.
 * A shorter word with a number is as likely something else, such as `pass2` of a compiler.
 */
function splitKey(key: string): readonly string[] {
	return key
		.replace(/([a-z0-9])([A-Z])/g, "$1 $2")
		.replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
		.replace(/(?<=[a-z]{5}|key)\d{1,4}$/i, " $&")
		.toLowerCase()
		.replace(/pre[ _.-]shared/, "preshared")
		.split(/[^a-z0-9\u0080-\uffff]+/)
		.filter((word) => word !== "")
		.slice(-MAXIMUM_WORDS);
}
