import { isWordPhrase } from "./check-chosen-words.ts";
import { countMatches, shannonEntropy } from "./check-randomness.ts";
import type { KeyClass } from "./classify-key.ts";
import type { WrittenAs } from "./reject-value.ts";
import type { ValueContext } from "./value-context.ts";
import { ASKING_STEMS, MESSAGE_STEMS, MESSAGE_WORDS, PROSE_WORDS } from "./words/word-lists.ts";

/**
 * Several words after a secret's name: a phrase somebody chose, an application password (`abcd efgh ijkl mnop`), or what a page
 * or a message says. A label speaks about the secret, so it is known by its words; where the context is certain there are no
 * labels, and only words that ask for a secret count.
 */
export function isSecretPhrase(
	value: string,
	key: KeyClass,
	context: ValueContext,
	form: WrittenAs,
): boolean {
	if (key === "weak") return false;
	if (/^(?:[a-z]{4} ){3}[a-z]{4}$/.test(value) || isSaltLine(value)) return true;
	if (key !== "password") return context === "certain" && isUnlikeProse(value);
	if (context === "code") return false;
	return (
		isWordPhrase(value, context === "quoted" ? 3 : 4) ||
		hasUnspeakableWord(value) ||
		isChosenPhrase(value, context, form)
	);
}

function isUnlikeProse(value: string): boolean {
	return !toWords(value).some((word) => PROSE_WORDS.has(word)) && !/^[A-Z][a-z]/.test(value);
}

const ASKS = startingWith(ASKING_STEMS);
const SPEAKS_ABOUT = startingWith(MESSAGE_STEMS);

function startingWith(stems: ReadonlySet<string>): RegExp {
	return new RegExp(`^(?:${[...stems].join("|")})`);
}

const MOST_WORDS = 12;
/** Letters, digits, and what people put between and after them; code, markup and alternatives have other signs. */
const SPOKEN = /^[\p{L}\d][\p{L}\d'\u2019&.,!?#@%+*_ -]*$/u;

/**
 * `Zwei Vögel auf dem Dach`, `keyboard giraffe 91 pancakes`. Where it is only stated, a capital at the beginning and no digit
 * anywhere is how labels are written, unless it is a sentence of its own in quotes or an element, and about something else.
 */
function isChosenPhrase(value: string, context: ValueContext, form: WrittenAs): boolean {
	const words = toWords(value);
	if (words.length < 2 || words.length > MOST_WORDS || words.some((word) => ASKS.test(word))) return false;
	const ofMessages = words.filter((word) => MESSAGE_WORDS.has(word) || SPEAKS_ABOUT.test(word)).length;
	const isMessage = ofMessages * WORDS_FOR_ONE_OF_MESSAGES > words.length;
	if (context === "certain")
		return (ofMessages < 2 || !isMessage) && !/[<>{}|$]/.test(value) && /\p{L}{2}/u.test(value);
	if (!SPOKEN.test(value) || /[:\u2026]$/.test(value)) return false;
	const isWhole = form === "literal" && ofMessages === 0 && words.length > 3;
	if (/[.?]$/.test(value)) return isWhole;
	if (context === "quoted") return !isMessage;
	return (
		ofMessages === 0 && (/\d/.test(value) || (words.length > 2 && (isWhole || !/^\p{Lu}|!$/u.test(value))))
	);
}

/** `the owl hoots twice`: one word of a message among four is chance. */
const WORDS_FOR_ONE_OF_MESSAGES = 4;

function toWords(value: string): readonly string[] {
	return value
		.trim()
		.toLowerCase()
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.split(/\s+/)
		.map((word) => word.replace(/^\p{P}+|\p{P}+$/gu, ""));
}

/** `my dog Rex42! runs`: a sentence has no such word. */
function hasUnspeakableWord(value: string): boolean {
	return value
		.split(" ")
		.some(
			(word) =>
				/[a-z]/i.test(word) && /\d/.test(word) && /[!@#$%^&*?]/.test(word) && !/[()<>{}[\]="']/.test(word),
		);
}

/** Keys of some frameworks are lines of random punctuation, spaces included. */
function isSaltLine(value: string): boolean {
	return (
		value.length >= 48 &&
		shannonEntropy(value) >= 4.8 &&
		countMatches(value, /[^\w\s.,'"]/g) >= value.length / 5
	);
}
