import { isChosenByPerson, isChosenWord, isCommonPassword, isWordChain } from "./check-chosen-words.ts";
import {
	isChosenName,
	isDottedName,
	isDottedSentence,
	isIdentifierWithNumber,
	isKebabName,
	isMixedByChance,
	isNameOfPassword,
	isPathOfNames,
	isSpokenWithDots,
	isWordWithNumber,
	mentionsSecret,
} from "./check-name-form.ts";
import { isSecretPhrase } from "./check-phrase.ts";
import {
	countMatches,
	distinctCharacters,
	hasRandomLetters,
	looksLikeRandomLetters,
	shannonEntropy,
} from "./check-randomness.ts";
import type { KeyClass } from "./classify-key.ts";
import { isHarmlessValue, type WrittenAs } from "./reject-value.ts";
import type { ValueContext } from "./value-context.ts";

const MAXIMUM_EXAMINED = 256;
/** After a weak name only what was clearly generated counts. */
export const SHORTEST_GENERATED = 20;
export const LONGEST_WITHOUT_DIGITS = 100;

export function isSecretValue(
	raw: string,
	key: KeyClass,
	context: ValueContext,
	form: WrittenAs = "bare",
): boolean {
	const value = raw.slice(0, MAXIMUM_EXAMINED);
	if (key === "none" || value.length < 4) return false;
	// Cheap refusals first: a text of names alone would otherwise pay for every check at each of them.
	if (key === "weak")
		return (
			value.length >= SHORTEST_GENERATED &&
			(isGeneratedValue(value) || isSerialNumber(value)) &&
			!isHarmlessValue(value, form)
		);
	if (value.length > LONGEST_WITHOUT_DIGITS && !/\d/.test(value)) return false;
	if (isHarmlessValue(value, form)) return false;
	if (/\s/.test(value)) return isSecretPhrase(value, key, context, form);
	if (isSpokenWithDots(value) && (context !== "code" || form === "literal")) return true;
	if (context === "certain") return isCertainValue(value, key);
	return key === "password" ? isPasswordValue(value, context, form) : isSecretTextValue(value, context, form);
}

function isStated(context: ValueContext): boolean {
	return context === "stated" || context === "quoted";
}

function isCertainValue(value: string, key: KeyClass): boolean {
	if (key === "password") return DEFIANT_NAME.test(value) || !isNameOfPassword(value);
	if (isChosenByPerson(value)) return true;
	if (value.length < 8) return isShortMixedWord(value);
	if (/^\d{1,9}$/.test(value)) return false;
	if (isSerialNumber(value)) return true;
	return (
		!(isKebabName(value) && (mentionsSecret(value) || !/\d/.test(value)) && !/[-_]\d{3,}$/.test(value)) &&
		!isDottedName(value)
	);
}

function isPasswordValue(value: string, context: ValueContext, form: WrittenAs): boolean {
	if (/^\d+$/.test(value)) return value.length >= 6;
	if (value.length < 5) return false;
	const hasLetter = /\p{L}/u.test(value);
	if (!/[\d]/.test(value)) return hasLetter && isPasswordWithoutDigits(value, context);
	if (!hasLetter) return /[^\w.,:/-]/.test(value) || isSerialNumber(value);
	if (context === "code" && (isWordWithNumber(value) || isDottedSentence(value))) return true;
	if (context === "code" && form === "bare") return !isIdentifierWithNumber(value) && !isDottedName(value);
	if (context === "code") return !isIdentifierWithNumber(value) && !isPathOfNames(value, false);
	return !isNameOfPassword(value) && !isPathOfNames(value, context === "quoted");
}

function isPasswordWithoutDigits(value: string, context: ValueContext): boolean {
	if (DEFIANT_NAME.test(value)) return context !== "code" && value.length >= 8;
	if (isCommonPassword(value)) return context !== "code";
	if (context === "quoted" && isChosenWord(value)) return true;
	if (/^[A-Za-z]+$/.test(value)) return isLettersPassword(value, context);
	if (/^\p{L}[\p{L}_$.-]*$/u.test(value)) return isJoinedPassword(value, context);
	if (mentionsSecret(value) && /^[\w .:;,'-]+$/.test(value)) return false;
	if (context === "quoted" && /^(?:\p{Lu}\p{Ll}{2,15}[.-]){1,3}\p{Lu}\p{Ll}{2,15}!$/u.test(value))
		return !mentionsSecret(value);
	return (
		/[!@#$%^&*+=~|?]/.test(value) &&
		!/^[\w.-]+[?!.:]$/.test(value) &&
		!/[<>{}[\];]/.test(value) &&
		(!/[()]/.test(value) || (context === "quoted" && hasRandomLetters(value))) &&
		value.length >= 6
	);
}

/** Words with dashes between them are no code, and with three of them no name of a thing. */
function isJoinedPassword(value: string, context: ValueContext): boolean {
	if (!isStated(context)) return /^[a-z-]+$/.test(value) && isWordChain(value, 3);
	return isWordChain(value, context === "quoted" ? 2 : value.includes("_") ? 4 : 3) || isMixedByChance(value);
}

/** `supersecretpassword`: a name as often as a chosen password; a password where only values can be. */
const DEFIANT_NAME =
	/^(?:super|top|very|ultra|my|so)?[-_]?(?:secret|secure|safe|strong)[-_]?(?:secret|password|passphrase|pass|pw|key|phrase)$/i;

function isLettersPassword(value: string, context: ValueContext): boolean {
	if (looksLikeRandomLetters(value)) return value.length >= (isStated(context) ? 8 : 16);
	return isStated(context) && /^[a-z]{18,}$/.test(value) && !mentionsSecret(value);
}

function isSecretTextValue(value: string, context: ValueContext, form: WrittenAs): boolean {
	if (isStated(context) && (isChosenByPerson(value) || isShortMixedWord(value))) return true;
	if (value.length < 8) return false;
	if (/^[0-9a-f]{32,}$/i.test(value)) return true;
	return isGeneratedText(value, context, form);
}

function isGeneratedText(value: string, context: ValueContext, form: WrittenAs): boolean {
	if (isSerialNumber(value)) return true;
	if (/^[A-Za-z]+$/.test(value))
		return value.length >= (isStated(context) ? 8 : 20) && looksLikeRandomLetters(value);
	if (isStated(context) && form === "literal" && isChosenName(value) && !mentionsSecret(value)) return true;
	if (isKebabName(value)) return isStated(context) && /[-_]\d{3,}$/.test(value) && mentionsSecret(value);
	if (isDottedName(value) || isIdentifierWithNumber(value) || !/[A-Za-z]/.test(value)) return false;
	if (!/\d/.test(value))
		return isSpecialWithoutDigits(value) || (isStated(context) && isMixedByChance(value));
	return distinctCharacters(value) >= 5 && !(/[<>(){}]/.test(value) && !isDense(value, context, form));
}

/** `7KQ2M-X9TRA-…`: groups of one length, letters and digits mixed; or many groups of digits, as disks are unlocked with. */
function isSerialNumber(value: string): boolean {
	const groups = value.split("-");
	if (/^\d{5,6}(?:-\d{5,6}){5,9}$/.test(value)) return true;
	return (
		groups.length >= 3 &&
		groups.every((group) => /^[A-Z0-9]{4,8}$/.test(group) && group.length === groups[0]?.length) &&
		countMatches(value, /\d/g) >= 3 &&
		countMatches(value, /[A-Z]/g) >= 3
	);
}

/** `s3cr3t`, but not `oauth2x`. */
function isShortMixedWord(value: string): boolean {
	return (
		value.length >= 6 &&
		value.length < 8 &&
		/[a-z]\d+[a-z]/i.test(value) &&
		!/^(?:oauth|base|sha|utf|ipv|http|md)\d/i.test(value)
	);
}

/** Brackets are a sign of code, unless everything else is a sign of chance. */
function isDense(value: string, context: ValueContext, form: WrittenAs): boolean {
	if (form === "literal" && !/[<>{}]/.test(value)) return value.length >= 10 && shannonEntropy(value) >= 3;
	return isStated(context) && value.length >= 20 && shannonEntropy(value) >= 4;
}

function isSpecialWithoutDigits(value: string): boolean {
	if (/[\s<>(){}[\]'"`;,]/.test(value)) return false;
	if (/^[A-Za-z][\w.:/-]*$/.test(value))
		return (
			value.length >= 24 &&
			value.split(/[-_.:/]/).some((part) => part.length >= 16 && looksLikeRandomLetters(part))
		);
	return (
		/[!@#$%^&*+=~]/.test(value) &&
		distinctCharacters(value) >= 6 &&
		shannonEntropy(value) > 2.5 &&
		!/^[\w-]+[!?]$/.test(value)
	);
}

/** For weak names: long, mixed, and no plain digest, identifier or number. */
export function isGeneratedValue(value: string): boolean {
	if (value.length < SHORTEST_GENERATED || !/\d/.test(value) || !/^[A-Za-z0-9+/=_.~%:-]+$/.test(value))
		return false;
	if (/^[0-9a-f-]+$/i.test(value)) return false;
	if (isKebabName(value) || isDottedName(value) || value.includes("//")) return false;
	if (countMatches(value, /\d/g) < 2) return false;
	return (
		/[a-z]/.test(value) && /[A-Z]/.test(value) && shannonEntropy(value) >= 3.6 && mixesWithinParts(value)
	);
}

function mixesWithinParts(value: string): boolean {
	return value.split(/[^A-Za-z0-9]/).some(
		(part) =>
			// A digest with its own name (`key: Linux-node-1f3a…`) says nothing.
			!/^[0-9a-f]{32,}$/.test(part) &&
			countMatches(part, /[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z])/g) >= 3,
	);
}
