import type { Key } from "../places/assignments/read-key.ts";
import type { Separator } from "../places/assignments/read-separator.ts";
import type { BareStyle, ValueSpan } from "../places/assignments/read-value.ts";
import { isToldWord, isWordPhrase } from "./check-chosen-words.ts";
import { isMadeUpWord } from "./check-name-form.ts";
import { looksGenerated } from "./check-randomness.ts";
import { SHORTEST_GENERATED, type ValueContext } from "./check-value.ts";
import { DESCRIBING_WORDS } from "./words/word-lists.ts";

const LONGEST_LEAD = 80;
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

export function lineBefore(text: string, index: number): string {
	const floor = Math.max(0, index - LONGEST_LEAD);
	let start = index;
	while (start > floor) {
		const code = text.charCodeAt(start - 1);
		if (code === LINE_FEED || code === CARRIAGE_RETURN) break;
		start -= 1;
	}
	return text.slice(start, index);
}

/** Nothing but what may lead a setting: indentation, a list mark, a diff mark, a shell word, a quote. */
export const LEADS_SETTING =
	/^(?:\d{1,6}[:|\t ]\s{0,4}|\[?\d{4}-\d\d-\d\d[T ][\d:.,+Z-]{5,20}\]?[ \t]{1,4})?[-+~>*|#$[ \t"'`/]{0,24}(?:(?:export|set|setx|declare -x|ENV|ARG|env|local|readonly|-e|--env|SET|Environment=|typeset -x)[ \t]{1,4}["']?)?(?:[\w.-]{1,40}[ \t]{1,20}\|[ \t])?$/;

export function bareStyle(text: string, key: Key, separator: Separator, line: string): BareStyle {
	if (separator.kind === "element") return "element";
	const before = text[key.start - 1];
	if (before === "?" || before === "&" || line.endsWith("&amp;")) return "query";
	if (before === ";") return "connection";
	if (text.slice(separator.valueStart - 3, separator.valueStart).startsWith("%")) return "encoded";
	if (separator.kind === "option") return "line";
	const ownLine = separator.kind === "assign" && LEADS_SETTING.test(line) && !/^\s{0,40}["'`{]/.test(line);
	return ownLine && !isFormBody(text, separator) ? "line" : "list";
}

/** `token=…&scope=read` at the start of a line. */
function isFormBody(text: string, separator: Separator): boolean {
	return (
		!separator.spaced &&
		/^[^\s&"']{1,400}&[\w.[\]-]{1,40}=/.test(text.slice(separator.valueStart, separator.valueStart + 450))
	);
}

export function valueContext(
	text: string,
	key: Key,
	separator: Separator,
	line: string,
	value: ValueSpan,
): ValueContext | undefined {
	if (separator.kind === "option") return "certain";
	if (separator.kind === "column") return columnContext(text, key, line, value);
	if (separator.kind === "sentence") return sentenceContext(text, key, separator, value);
	// A sentence without gaps between its words goes on: `パスワードは8文字以上`.
	if (
		separator.kind === "prose" &&
		value.quote === undefined &&
		GLUED_WORDS.test(text.slice(value.start, value.end))
	)
		return undefined;
	if (separator.kind === "assign") return assignContext(key, separator, line, value);
	if (/^pass$/i.test(key.name) && separator.kind === "prose")
		return isUnspeakable(text, value) || isQuotedMixture(text, value) ? "stated" : undefined;
	const short = value.end - value.start < SHORTEST_ASIDE;
	return separator.kind === "aside" && key.class !== "password" && short ? undefined : "stated";
}

function assignContext(key: Key, separator: Separator, line: string, value: ValueSpan): ValueContext {
	if (separator.wrapped) return "code";
	if (key.name.startsWith("-")) return "certain";
	const shouting = /^_?[A-Z][A-Z0-9_]*$/.test(key.name);
	if (shouting && !separator.spaced) return "certain";
	if (shouting && value.endsLine && LEADS_SETTING.test(line) && key.class === "password") return "certain";
	if (value.quote !== undefined || !separator.spaced) return attachedContext(key, separator, line, value);
	return value.endsLine && (LEADS_SETTING.test(line) || SIBLING_PAIR.test(line)) ? "stated" : "code";
}

function sentenceContext(
	text: string,
	key: Key,
	separator: Separator,
	value: ValueSpan,
): ValueContext | undefined {
	if (/^pass$/i.test(key.name) || isDescribed(text, key, separator)) return undefined;
	const content = text.slice(value.start, value.end);
	const phrase = value.quote !== undefined && key.class === "password" && isWordPhrase(content, 4);
	return phrase || isMadeUpWord(content) ? "stated" : undefined;
}

/** `the key fingerprint is …`, `the token type is …`. */
function isDescribed(text: string, key: Key, separator: Separator): boolean {
	return text
		.slice(key.end, separator.valueStart)
		.split(/[ \t]/)
		.some((word) => DESCRIBING_WORDS.has(word.toLowerCase()));
}

const GLUED_WORDS = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;

/** Text in parentheses after a token's name is just as likely a name. */
const SHORTEST_ASIDE = 16;

/** `db.password=letmein` on its own line is a properties file; elsewhere bare words are code. */
function attachedContext(key: Key, separator: Separator, line: string, value: ValueSpan): ValueContext {
	const ownLine = !separator.spaced && value.endsLine && /^\s{0,8}$/.test(line);
	return ownLine && key.class === "password" && key.name.length >= 8 ? "certain" : "stated";
}

/** Words with nothing between them are prose, unless the name is a constant or the two are alone on their line. */
function columnContext(text: string, key: Key, line: string, value: ValueSpan): ValueContext | undefined {
	if (/^pass$/i.test(key.name))
		return value.quote === "`" && isUnspeakable(text, value) ? "stated" : undefined;
	if (value.quote !== undefined) return "stated";
	if (isFingerprint(line, text.slice(value.start, value.end))) return undefined;
	if (/^[A-Z][A-Z0-9]{0,20}_[A-Z0-9_]{2,60}$/.test(key.name)) return "stated";
	if (!value.endsLine) return undefined;
	if (key.class === "password" && isUnspeakable(text, value)) return "stated";
	if (key.class !== "weak" && isMadeToken(text, value)) return "stated";
	if (!LEADS_SETTING.test(line)) return undefined;
	return key.class === "password" ? "stated" : "code";
}

/** `using RSA key 9F86…`: what names a public key. */
function isFingerprint(line: string, value: string): boolean {
	return (
		/(?<![A-Za-z])(?:RSA|(?:EC|ED)?DSA|ECDH|ELG|ED25519) $/i.test(line) &&
		/^(?:[0-9A-F]{8}|[0-9A-F]{16}|[0-9A-F]{40}|[0-9A-F]{64})$/i.test(value)
	);
}

/** Long enough, and mixed enough, that a sentence could only mean the thing itself. */
function isMadeToken(text: string, value: ValueSpan): boolean {
	return value.end - value.start >= SHORTEST_GENERATED && looksGenerated(text.slice(value.start, value.end));
}

function isQuotedMixture(text: string, value: ValueSpan): boolean {
	return (
		value.quote !== undefined &&
		/^(?=.{0,40}\d)(?=.{0,40}[a-z])[\w!@#$%^&*?-]{8,40}$/i.test(text.slice(value.start, value.end))
	);
}

/** Neither a sentence nor an argument has these; "pass" is also a verb. */
export function isUnspeakable(text: string, value: ValueSpan): boolean {
	const content = text.slice(value.start, value.end);
	return (
		/\d/.test(content) &&
		/[A-Za-z]/.test(content) &&
		/[!@#%^&*?]/.test(content) &&
		!/[=(){}[\]]/.test(content)
	);
}

/** A place where even a plain word can only be a value. */
export function withProof(
	context: ValueContext | undefined,
	text: string,
	key: Key,
	separator: Separator,
	value: ValueSpan,
): ValueContext | undefined {
	if (context !== "stated" || key.class !== "password") return context;
	if (value.quote !== undefined) return isListOfWords(key, separator, value) ? context : "quoted";
	if (separator.kind === "element") return "quoted";
	if (isAnnounced(text, separator)) return endsSentence(text, value) ? "quoted" : context;
	if (separator.kind === "prose" && isTold(text, key, separator, value)) return "quoted";
	if (separator.kind !== "assign") return context;
	return separator.spaced ? ownLineContext(text, key, value) : pairContext(text, key, value);
}

/** `password: zeppelin` alone on its line, as in YAML. The last property of an object in code has a bracket after it. */
function ownLineContext(text: string, key: Key, value: ValueSpan): ValueContext {
	const lead = lineBefore(text, key.start);
	if (SIBLING_PAIR.test(lead)) return "quoted";
	const colon = text.startsWith(": ", key.end);
	if (!colon || !value.endsLine || !/^[ ]{0,40}$/.test(lead)) return "stated";
	return /^[^\n]{0,80}\n\s{0,40}[})\]]/.test(text.slice(value.end, value.end + 122)) ? "stated" : "quoted";
}

function pairContext(text: string, key: Key, value: ValueSpan): ValueContext {
	const before = text.slice(Math.max(0, key.start - MAXIMUM_SIBLING), key.start);
	const after = text.slice(value.end, value.end + 40);
	return SIBLING_PAIR.test(before) || /^;[A-Za-z][A-Za-z ]{1,30}=/.test(after) ? "quoted" : "stated";
}

function endsSentence(text: string, value: ValueSpan): boolean {
	return /^["'`)]?[.,;!]?(?:[ \t]{0,4}(?:[\r\n]|$)|(?<=[.,;!]) )/.test(text.slice(value.end, value.end + 8));
}

/** `The password is: …` */
function isAnnounced(text: string, separator: Separator): boolean {
	return separator.kind === "prose" && text.startsWith(": ", separator.valueStart - 2);
}

/** `The password is zeppelin.`, `I changed the password to zeppelin`: a word where a sentence ends. */
function isTold(text: string, key: Key, separator: Separator, value: ValueSpan): boolean {
	const verb = text.slice(key.end, separator.valueStart);
	const told = /(?:is|was|ist|lautet|est|es)(?: now| set to| reset to)?[ \t]$/.test(verb);
	const changed = verb === " to " && CHANGED.test(lineBefore(text, key.start));
	return (
		(told || changed) &&
		/^[.!]?[ \t]{0,4}(?:[\r\n]|$|(?<=[.!] )[A-Z])/.test(text.slice(value.end, value.end + 8)) &&
		isToldWord(text.slice(value.start, value.end))
	);
}

const CHANGED = /(?:changed?|reset|updated?|set|rotated?)[^.\n]{0,40}$/i;

/** `('default', 'password', 'invisible')` has a quoted name and a quoted value, and neither is one. */
function isListOfWords(key: Key, separator: Separator, value: ValueSpan): boolean {
	if (separator.kind === "column" || (value.quote === "`" && /^pass$/i.test(key.name))) return true;
	return separator.kind === "pair" && !/^[A-Z][A-Z0-9_]+$|(?:^|\.)set_?[A-Zp]/.test(key.name);
}

const MAXIMUM_SIBLING = 120;
/** `user=app password=…`, `User Id=sa;Password=…`, or the like on the line before. Arguments of a call have commas. */
export const SIBLING_PAIR =
	/(?:user|username|login|host|server|id|database|dbname|db|uid|port|email|name)(?:=[^\s,;()"'=]{1,60}(?:[ ;]|\r?\n)|:[ \t]{1,4}[^\s,;()"'=]{1,60}[ \t]{2,8})$/i;
