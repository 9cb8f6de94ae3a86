import { countMatches, hasRandomLetters, isUnlikeWords, looksLikeRandomLetters } from "./check-randomness.ts";
import { TRANSLATED_NAMES } from "./words/word-lists.ts";

/** Whether a value has the form of a name: an identifier, a header, a setting. Code has those where a secret could be. */

export function mentionsSecret(value: string): boolean {
	return /pass|pwd|secret|token|key|auth|cred|login|user/i.test(value);
}

/** `newPassword`, `token_2`, or the word for password in another language. */
export function isNameOfPassword(value: string): boolean {
	return (
		TRANSLATED_NAMES.has(value.toLowerCase()) ||
		/^[A-Za-z_$-]*(?:pass|password|pwd|token|secret|field|input|step|user)[-_]?\d?$/i.test(value)
	);
}

/** `token1`, `apiKeyV2`: a name with a number at its end. */
export function isIdentifierWithNumber(value: string): boolean {
	if (/^[A-Za-z_$]+\d{0,2}$/.test(value)) return !hasRandomLetters(value);
	return /^[A-Za-z_$][\w$]*$/.test(value) && isCamelName(value);
}

/** `OAuth2ClientOptions`, `X509v3_KU_DIGITAL`: words that can be spoken, with a few digits between them. */
function isCamelName(value: string): boolean {
	const letters = value.replace(/[^A-Za-z]/g, "");
	return (
		countMatches(value, /\d/g) <= 3 &&
		letters.length >= 8 &&
		!looksLikeRandomLetters(letters) &&
		/[A-Z]/.test(value) &&
		/[a-z]{4}/.test(value) &&
		countMatches(value, /\d+/g) <= 1
	);
}

/** `config.db2.password`, `com.example.app2`. */
export function isDottedName(value: string): boolean {
	const parts = value.split(".");
	return (
		parts.length >= 2 &&
		parts.every((part) => /^[A-Za-z_$][\w$-]{0,40}$/.test(part) && !/\d[A-Za-z]+\d/.test(part)) &&
		!parts.some((part) => part.length > 24 && (/\d/.test(part) || looksLikeRandomLetters(part))) &&
		!isMixedByChance(value)
	);
}

/** `x-amz-sha256-header`, `access_token_v2`: words and short numbers, joined. */
export function isKebabName(value: string): boolean {
	const parts = value.split(/[-_:./]/);
	return (
		parts.length >= 2 &&
		parts.every(
			(part) =>
				/^(?:[a-z]{0,16}|[A-Z][a-z]{1,15}|[A-Z]{1,12})\d{0,4}$/.test(part) && !isLongUnpronounceable(part),
		)
	);
}

function isLongUnpronounceable(part: string): boolean {
	return part.length >= 8 && looksLikeRandomLetters(part.replace(/\d/g, ""));
}

/** `argon2id`, `sha256WithRSA`: a method, which a sentence about a secret may name. */
export function isMethodName(value: string): boolean {
	return /^(?:argon|pbkdf|scrypt|bcrypt|sha|md|base|utf|aes|rsa|hmac|oauth|http|ipv)[-_]?\d/i.test(value);
}

/** Both cases and joints, in an order that no words have. */
export function isMixedByChance(value: string): boolean {
	return (
		value.length >= 10 &&
		/[a-z]/.test(value) &&
		/[A-Z]/.test(value) &&
		!mentionsSecret(value) &&
		isUnlikeWords(value.replace(/[^A-Za-z]/g, ""))
	);
}

const SHORTEST_TOLD = 8;

/** Letters mixed with digits or signs, and no name of something; or names that only a person would put together so. */
export function isMadeUpWord(value: string): boolean {
	if (value.length < SHORTEST_TOLD || !/\p{L}/u.test(value)) return false;
	if (/[!#$%^&*?+=~](?=.)/.test(value) || (/\d/.test(value) && /[!@#$%^&*?+=~]/.test(value))) return true;
	if (isChosenName(value)) return true;
	if (!/\d/.test(value) || isMethodName(value) || isKebabName(value) || isDottedName(value)) return false;
	return !isIdentifierWithNumber(value) || /^[A-Za-z]{4,24}\d{2,6}$/.test(value);
}

/** `Tiger-River-64`, `falcon_Violet9926`: capitals and two digits at the end. */
function isChosenName(value: string): boolean {
	return (
		/^(?:[A-Za-z]{3,16}[-_.]){1,3}(?:[A-Za-z]{2,16})?\d{2,6}$/.test(value) &&
		/(?:^|[-_.])[A-Z][a-z]/.test(value) &&
		!/^[A-Z-_.\d]+$/.test(value) &&
		!isMethodName(value)
	);
}
