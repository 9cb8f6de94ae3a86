import { countMatches, hasRandomLetters, isUnlikeWords, looksLikeRandomLetters } from "./check-randomness.ts";
import { MESSAGE_WORDS, TRANSLATED_NAMES } from "./words/word-lists.ts";

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

/**
 * Whether a value with dots is a path of identifiers rather than a password. Where only a value can be (`isLiteral`), a path
 * is told by what it names or where it begins, or by having many plain words; elsewhere everything is one but what no
 * program has.
 */
export function isPathOfNames(value: string, isLiteral: boolean): boolean {
	if (!isDottedName(value)) return false;
	if (PATH_START.test(value) || NAMES_SECRET.test(value)) return true;
	return isLiteral ? /^[a-z]\w*(?:\.[a-z]\w*){2,}$/.test(value) : !isChosenPair(value);
}

const PATH_START =
	/^(?:this|self|config|conf|cfg|settings?|args?|opts|options|env|process|req|request|res|params?|props|ctx|context|data|app|state|form|body|values?|vars?|local|module|each|item|model|errors?|com|org|net|io|www)\d{0,2}\./i;
/** Where a word begins: `monkey` and `bypass` name nothing. */
const NAMES_SECRET =
	/(?<![A-Za-z])(?:pass|pwd|secret|token|key|auth|cred|login|user)|(?:Pass|Pwd|Secret|Token|Key|Auth|Cred|Login|User)/;

/** `P4ss.w0rd`, `hunter2.Winter`, `marmalade.thunder802`, `Foggy.Meadow8`, `Thunder.road1`, `Tango.in.the.rain4`. */
function isChosenPair(value: string): boolean {
	return (
		(WORDS_AND_NUMBER.test(value) && !TYPE_WITH_NUMBER.test(value)) ||
		(CAPITALS_AND_NUMBER.test(value) && !TYPE_WITH_NUMBER.test(value)) ||
		isDottedSentence(value) ||
		value.split(".").filter(mixesAll).length > 1 ||
		/[A-Za-z][04][a-z]/.test(value) ||
		(/^[a-z]{4,16}\d\.[A-Z][a-z]{2,16}$/.test(value) && !isMethodName(value)) ||
		value.split(".").some(isWordWithNumber)
	);
}

const CAPITALS_AND_NUMBER = /^[A-Z][a-z]{2,15}(?:[.-][A-Z][a-z]{1,15}){1,2}[._-]?\d{1,4}[!?]?$/;
/** `xK7.pL2.mN9`: one such part may be a name. */
function mixesAll(part: string): boolean {
	return /\d/.test(part) && /[A-Z]/.test(part) && /[a-z]/.test(part);
}

const WORDS_AND_NUMBER = /^[A-Z][a-z]{2,15}\.[a-z]{3,15}\d{1,4}[!?]?$/;
const TYPE_WITH_NUMBER =
	/(?:Int|Uint|Float|Utf|Sha|Md|Base|Http|Version|Field|Step|Test|Item|Input|Page|Level|Type|Option|Value|Name|Param|Arg|Id|Case|Row|Column|Line|Node|Part)\d+$/i;

/** `Tango.in.the.rain4`. What programs name so begins in lower case, or has more capitals. */
export function isDottedSentence(value: string): boolean {
	return /^[A-Z][a-z]{0,15}(?:\.[a-z]{1,15}){2,6}\.?\d{1,6}[!?]?$/.test(value);
}

/**
 * `Cherry.pie.9`, `moon.over.water`: no name of a program ends in a number of its own, or has the small words of a sentence.
 * Files and versions do (`libssl.so.3`, `app.log.1`), and keys of messages name what they are about.
 */
export function isSpokenWithDots(value: string): boolean {
	if (!/^[A-Za-z]{1,16}(?:\.[A-Za-z]{1,16}){1,8}\.?\d{0,6}[!?]?$/.test(value) || mentionsSecret(value))
		return false;
	const words = value.toLowerCase().split(".");
	if (words.length < 3 || PATH_START.test(value) || words.some((word) => MESSAGE_WORDS.has(word)))
		return false;
	const isNumbered = /^\d{1,6}[!?]?$/.test(words.at(-1) ?? "");
	if (isNumbered)
		return !FILE_ENDINGS.has(words.at(-2) ?? "") && words.slice(0, -1).every((word) => word.length > 1);
	return words.slice(1, -1).some((word) => SMALL_WORDS.has(word)) && (words.at(-1) ?? "").length > 2;
}

const FILE_ENDINGS = new Set([
	"so",
	"log",
	"txt",
	"gz",
	"bak",
	"old",
	"dylib",
	"man",
	"conf",
	"json",
	"version",
	"release",
	"rc",
	"beta",
	"alpha",
]);
const SMALL_WORDS = new Set([
	"the",
	"and",
	"on",
	"in",
	"over",
	"under",
	"of",
	"an",
	"at",
	"with",
	"my",
	"no",
	"for",
]);

/** `falcon36`: what people choose. Identifiers rarely end in two digits, and those that do name a size or a standard. */
export function isWordWithNumber(value: string): boolean {
	return (
		/^[a-z]{4,16}\d{2,6}$/i.test(value) &&
		!mentionsSecret(value) &&
		!/^(?:sha|utf|int|uint|float|base|aes|hmac|char|str|vec|mat|step|test|item|node|line|page|value|field|input|param|index|version|oauth|tls|ssl)\d/i.test(
			value,
		)
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
	if (isChosenName(value) || isSpokenWithDots(value) || (isChosenPair(value) && !isPathOfNames(value, false)))
		return true;
	if (!/\d/.test(value) || isMethodName(value) || isKebabName(value) || isDottedName(value)) return false;
	return !isIdentifierWithNumber(value) || /^[A-Za-z]{4,24}\d{2,6}$/.test(value);
}

/** `Tiger-River-64`, `falcon_Violet9926`: capitals and two digits at the end. */
export function isChosenName(value: string): boolean {
	return (
		/^(?:[A-Za-z]{3,16}[-_.]){1,3}(?:[A-Za-z]{2,16})?\d{2,6}$/.test(value) &&
		/(?:^|[-_.])[A-Z][a-z]/.test(value) &&
		!/^[A-Z-_.\d]+$/.test(value) &&
		!isMethodName(value)
	);
}
