import {
	COMMON_PASSWORDS,
	LOGIN_PARTS,
	NAMING_WORDS,
	STATE_ENDINGS,
	STATE_WORDS,
} from "./words/word-lists.ts";

/**
 * Passwords made of words. What a person chose differs from a name, a type or a message by what it is not: it names no
 * secret, no part of a page, no state, no step.
 */

export function isCommonPassword(value: string): boolean {
	return COMMON_PASSWORDS.has(value.toLowerCase());
}

/** `hunter2`, `correct-horse-battery-staple`. */
export function isChosenByPerson(value: string): boolean {
	if (isCommonPassword(value.replace(/\d{1,4}$/, ""))) return /\d/.test(value);
	const words = value.replace(/[-_]\d{2,6}$/, "");
	return isWordChain(words, words === value ? 4 : 3);
}

/** `correct-horse-battery-staple`: words and joints, none of which names something else. */
export function isWordChain(value: string, minimumWords: number): boolean {
	const words = value.split(/[-_.]/);
	return (
		words.length >= minimumWords &&
		words.every((word) => /^(?:\p{Ll}{3,12}|\p{Lu}\p{Ll}{2,11})$/u.test(word) && !isNamingWord(word))
	);
}

/** `correct horse battery staple`. Words in lower case; a sentence has at least one of the small ones. */
export function isWordPhrase(value: string, minimumWords: number): boolean {
	const words = value.split(" ");
	return (
		words.length >= minimumWords &&
		words.length <= 12 &&
		words.every((word) => /^[a-z]{3,10}$/.test(word) && !isNamingWord(word))
	);
}

/** One word after a password's name. In capitals it is as likely a label or a type. */
export function isChosenWord(value: string): boolean {
	return /^[a-z]{6,24}$/.test(value) && !containsNaming(value);
}

/** A word that ends a sentence about a password, and does not say how the password is. */
export function isToldWord(value: string): boolean {
	return (
		/^[a-z]{5,16}$/.test(value) &&
		!STATE_WORDS.has(value) &&
		!STATE_ENDING.test(value) &&
		!containsNaming(value)
	);
}

const STATE_ENDING = new RegExp(`(?:${[...STATE_ENDINGS].join("|")})$`);
const LOGIN_PART = new RegExp([...LOGIN_PARTS].join("|"), "i");

function isNamingWord(word: string): boolean {
	const lower = word.toLowerCase();
	return NAMING_WORDS.has(lower) || lower.startsWith("passw");
}

/** `userpassword`, `nopass`, `keyring`. */
function containsNaming(value: string): boolean {
	return isNamingWord(value) || LOGIN_PART.test(value);
}
