import { isDottedName, isKebabName, isMadeUpWord, isMethodName } from "../../judgement/check-name-form.ts";
import { looksMixed } from "../../judgement/check-randomness.ts";
import { isSecretValue, SHORTEST_GENERATED } from "../../judgement/check-value.ts";
import { DESCRIBING_WORDS, TOLD_MARKS } from "../../judgement/words/word-lists.ts";
import type { Span } from "../../spans.ts";
import { type Key, mayBeVerb } from "./read-key.ts";

const LONGEST_SENTENCE = 140;
const MOST_WORDS = 9;
const SHORTEST_TOLD = 8;

/**
 * A secret told in a sentence, in any language: the name, a few words, and then something that is no word where the
 * sentence has its value. `Hasło do bazy danych to …`, `Пароль от стенда: …`, `the password for staging: it's …`.
 */
export function findTold(text: string, key: Key): Span[] {
	if (!/[ \t\u00a0:\uff1a?]/.test(text.charAt(key.end)) || mayBeVerb(key)) return [];
	if (key.class === "weak" && !SPOKEN_NAME.test(key.name)) return [];
	const foreign = /[\u0370-\uffff]/.test(key.name);
	const rest = text.slice(key.end, key.end + LONGEST_SENTENCE);
	if (!/[\d!#$%^&*@]/.test(rest)) return [];
	const sentence = /^[^\n\r]*/.exec(rest)?.[0] ?? "";
	let introduced = true;
	let words = 0;
	for (const { 0: word, index } of sentence.matchAll(/[^ \t\u00a0\u3000]{1,140}/g)) {
		words += 1;
		const value = trimWord(word);
		if (value.content === "") {
			introduced ||= word !== "(";
			continue;
		}
		if (words > MOST_WORDS || DESCRIBING_WORDS.has(value.content.toLowerCase())) return [];
		const start = key.end + index + value.offset;
		if ((introduced || foreign) && isToldValue(value.content, key, words > 1 || /^[:\uff1a?]/.test(sentence)))
			return [{ start, end: start + value.content.length }];
		if (/[={}<>\\$;|]|\(\)|[a-z]\(/.test(word) && !/^[-=]>$/.test(word)) return [];
		introduced = /[:\uff1a=?]$/.test(word) || TOLD_MARKS.has(word.toLowerCase());
	}
	return [];
}

/** A name that sentences use: of two words, or of another language. The others are names in programs. */
const SPOKEN_NAME = /[ \u0080-\uffff]|^(?:jeton|chave|chiave|sleutel|nyckel|klucz)/i;

const OPENING = /^[\u00ab\u201e\u201c\u2018"'\u300c\u300e`*([:\uff1a]{0,4}/;
const CLOSING = /[\u00bb\u201d\u2019\u201c"'\u300d\u300f`*)\].,;:!?\uff0c\u3002]{0,4}$/;

function trimWord(word: string): { readonly content: string; readonly offset: number } {
	const offset = OPENING.exec(word)?.[0].length ?? 0;
	const rest = word.slice(offset);
	const closing = CLOSING.exec(rest)?.[0] ?? "";
	// An exclamation mark at the end of a password is as likely its own.
	const own = /^[!?]/.test(closing) && /\d$/.test(rest.slice(0, -closing.length)) ? 1 : 0;
	return { content: rest.slice(0, rest.length - closing.length + own), offset };
}

/** ASCII, Latin letters with accents, Greek, Cyrillic. */
const WRITTEN_WITH_GAPS = /^[\x21-\x7e\u00c0-\u024f\u0370-\u04ff\u1e00-\u1eff]+$/;

function isToldValue(value: string, key: Key, marked: boolean): boolean {
	if (value.length < SHORTEST_TOLD || !WRITTEN_WITH_GAPS.test(value) || /[<>{}()"'`\\]/.test(value))
		return false;
	if (key.class !== "password")
		return (
			value.length >= SHORTEST_GENERATED && looksMixed(value) && isSecretValue(value, key.class, "stated")
		);
	return (
		hasDigitOrSign(value) &&
		!/[=|]/.test(value) &&
		(isMadeUpWord(value) || (marked && isMixedWord(value))) &&
		isSecretValue(value, "password", "stated")
	);
}

/** `Ryabina_640tk`: digits within, which names that are put together of words seldom have. */
function isMixedWord(value: string): boolean {
	return (
		/[A-Za-z].*\d.*[A-Za-z]/.test(value) &&
		!isKebabName(value) &&
		!isDottedName(value) &&
		!isMethodName(value)
	);
}

function hasDigitOrSign(value: string): boolean {
	return /\d/.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value) && /\w[!#$%^&*@]\w/.test(value));
}
