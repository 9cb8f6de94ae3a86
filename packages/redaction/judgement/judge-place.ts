import { type Key, mayBeVerb } from "../places/assignments/read-key.ts";
import type { Separator } from "../places/assignments/read-separator.ts";
import type { BareStyle } from "../places/assignments/read-value.ts";
import { isToldWord } from "./check-chosen-words.ts";
import { isMadeUpWord, isSpokenWithDots } from "./check-name-form.ts";
import { looksGenerated } from "./check-randomness.ts";
import { SHORTEST_GENERATED } from "./check-value.ts";
import { isInRecord, isOneOfPairs, isPrompt, judgePhrase, SIBLING_PAIR } from "./judge-phrase.ts";
import type { Place } from "./place.ts";
import type { ValueContext } from "./value-context.ts";
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
	// A parameter of a path: `/home;jsessionid=…`.
	if (before === ";") return /\/[^\s;=]{1,80};$/.test(line) ? "query" : "connection";
	if (text.slice(separator.valueStart - 3, separator.valueStart).startsWith("%")) return "encoded";
	if (separator.kind === "option") return "line";
	if (
		separator.kind === "assign" &&
		!separator.spaced &&
		FIRST_OF_PAIRS.test(text.slice(separator.valueStart, separator.valueStart + 240))
	)
		return "connection";
	const leads = LEADS_SETTING.test(line) || isPrompt(text, key, line);
	const ownLine = separator.kind === "assign" && leads && !/^\s{0,40}["'`{]/.test(line);
	return ownLine && !isFormBody(text, separator) ? "line" : "list";
}

/** `Password=Every cloud;Encrypt=true`. */
const FIRST_OF_PAIRS = /^[^;\n"'`=&]{1,160};[ ]?[A-Z][A-Za-z ]{1,30}=/;

/** `token=…&scope=read` at the start of a line. */
function isFormBody(text: string, separator: Separator): boolean {
	return (
		!separator.spaced &&
		/^[^\s&"']{1,400}&[\w.[\]-]{1,40}=/.test(text.slice(separator.valueStart, separator.valueStart + 450))
	);
}

/** How strongly a place suggests its value; undefined where only a value that was clearly generated counts. */
export function judgePlace(place: Place): ValueContext | undefined {
	const { key, separator, value } = place;
	const context = findContext(place);
	if (context === "stated" && /\s/.test(place.content)) return judgePhrase(place);
	if (context !== "stated" || key.class !== "password") return context;
	// Only where it may matter: what has a digit and no dot counts wherever it is stated.
	if (!/\d[^.]*$/.test(place.content) && isInRecord(place)) return "quoted";
	// From here on: a place where even a plain word can only be a value.
	if (value.quote !== undefined) return isListOfWords(place) ? context : "quoted";
	if (separator.kind === "element") return "quoted";
	if (separator.kind === "prose") return endsAnnouncement(place) || isTold(place) ? "quoted" : context;
	if (separator.kind !== "assign") return context;
	return (separator.spaced ? isOwnLine(place) : isOneOfPairs(place)) ? "quoted" : context;
}

function findContext(place: Place): ValueContext | undefined {
	const { key, separator, value, content } = place;
	if (separator.kind === "option") return "certain";
	if (separator.kind === "column") return columnContext(place);
	if (separator.kind === "sentence") return sentenceContext(place);
	if (separator.kind === "assign") return assignContext(place);
	if (separator.kind === "prose") {
		// A sentence without gaps between its words goes on: `パスワードは8文字以上`.
		if (value.quote === undefined && GLUED_WORDS.test(content)) return undefined;
		const isNoun = !mayBeVerb(key) || (NOUN_BEFORE.test(place.line) && isMadeUpWord(content));
		if (!isNoun && !isUnspeakable(content) && !isQuotedMixture(place)) return undefined;
	}
	const isShort = content.length < SHORTEST_ASIDE;
	return separator.kind === "aside" && key.class !== "password" && isShort ? undefined : "stated";
}

const GLUED_WORDS = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;

/** Text in parentheses after a token's name is just as likely a name. */
const SHORTEST_ASIDE = 16;

/** `X-Api-Key: …` */
const HEADER_NAME = /^x-(?:\w{1,20}-){0,3}(?:key|token|secret|password)$/i;

function assignContext({ text, key, separator, line, value, content }: Place): ValueContext {
	if (separator.wrapped) return "code";
	if (key.name.startsWith("-")) return "certain";
	if (HEADER_NAME.test(key.name) && /\d/.test(content)) return "certain";
	const shouting = /^_?[A-Z][A-Z0-9_]*$/.test(key.name);
	if (shouting && !separator.spaced) return "certain";
	if (shouting && value.endsLine && LEADS_SETTING.test(line) && key.class === "password") return "certain";
	// `db.password=letmein` on its own line is a properties file; elsewhere bare words are code.
	const ownLine = !separator.spaced && value.endsLine && /^\s{0,8}$/.test(line);
	if (ownLine && key.class === "password" && key.name.length >= 8) return "certain";
	if (value.quote !== undefined || !separator.spaced) return "stated";
	const leads = LEADS_SETTING.test(line) || SIBLING_PAIR.test(line) || isPrompt(text, key, line);
	return value.endsLine && leads ? "stated" : "code";
}

/** `the db pass is …`: what is somebody's is no verb. */
const NOUN_BEFORE =
	/(?<!\w)(?:the|my|our|your|his|her|their)(?: (?!first|second|third|last|next|each|single)[\w-]{1,20}){0,2} $/i;

function sentenceContext({ text, key, separator, line, value, content }: Place): ValueContext | undefined {
	const words = text.slice(key.end, separator.valueStart).split(/[ \t]/);
	// `the key fingerprint is …`, `the token type is …`.
	const isDescribed = words.some((word) => DESCRIBING_WORDS.has(word.toLowerCase()));
	if ((mayBeVerb(key) && !NOUN_BEFORE.test(line)) || isDescribed) return undefined;
	const phrase = value.quote !== undefined && key.class === "password" && /\s/.test(content);
	return phrase || isMadeUpWord(content) ? "stated" : undefined;
}

/** Words with nothing between them are prose, unless the name is a constant or the two are alone on their line. */
function columnContext({ key, line, value, content }: Place): ValueContext | undefined {
	// `pass Free.coffee.2`, and in the middle of a sentence too.
	if (key.class === "password" && isSpokenWithDots(content)) return "stated";
	if (mayBeVerb(key)) return value.quote === "`" && isUnspeakable(content) ? "stated" : undefined;
	if (value.quote !== undefined) return "stated";
	if (isFingerprint(line, content)) return undefined;
	if (/^[A-Z][A-Z0-9]{0,20}_[A-Z0-9_]{2,60}$/.test(key.name)) return "stated";
	if (!value.endsLine) return undefined;
	if (key.class === "password" && isUnspeakable(content)) return "stated";
	if (key.class !== "weak" && isMadeToken(content)) return "stated";
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
function isMadeToken(content: string): boolean {
	return content.length >= SHORTEST_GENERATED && looksGenerated(content);
}

function isQuotedMixture({ value, content }: Place): boolean {
	return value.quote !== undefined && /^(?=.{0,40}\d)(?=.{0,40}[a-z])[\w!@#$%^&*?-]{8,40}$/i.test(content);
}

/** Neither a sentence nor an argument has these; "pass" is also a verb. */
export function isUnspeakable(content: string): boolean {
	return (
		/\d/.test(content) &&
		/[A-Za-z]/.test(content) &&
		/[!@#%^&*?]/.test(content) &&
		!/[=(){}[\]]/.test(content)
	);
}

/** `password: zeppelin` alone on its line, as in YAML. The last property of an object in code has a bracket after it. */
function isOwnLine({ text, key, line, value }: Place): boolean {
	if (SIBLING_PAIR.test(line)) return true;
	if (value.endsLine && isPrompt(text, key, line)) return /[.-]/.test(text.slice(value.start, value.end));
	return (
		/^(?: \([^()\n]{1,30}\))? {0,30}:(?:\*\*)? /.test(text.slice(key.end, key.end + 67)) &&
		value.endsLine &&
		/^[ ]{0,40}(?:\*\*)?$/.test(line) &&
		!/^[^\n]{0,80}\n\s{0,40}[})\]]/.test(text.slice(value.end, value.end + 122))
	);
}

/** `The password is: zeppelin.`: a colon before it, and after it the end of a sentence or of a part of one. */
function endsAnnouncement({ text, separator, value }: Place): boolean {
	return (
		text.startsWith(": ", separator.valueStart - 2) &&
		/^["'`)]?[.,;!]?(?:[ \t]{0,4}(?:[\r\n]|$)|(?<=[.,;!]) )/.test(text.slice(value.end, value.end + 8))
	);
}

/** `The password is zeppelin.`, `I changed the password to zeppelin`: a word where a sentence ends. */
function isTold({ text, key, separator, line, value, content }: Place): boolean {
	const verb = text.slice(key.end, separator.valueStart);
	const told = /(?:is|was|ist|lautet|est|es)(?: now| set to| reset to)?[ \t]$/.test(verb);
	return (
		(told || (verb === " to " && CHANGED.test(line))) &&
		/^[.!]?[ \t]{0,4}(?:[\r\n]|$|(?<=[.!] )[A-Z])/.test(text.slice(value.end, value.end + 8)) &&
		isToldWord(content)
	);
}

const CHANGED = /(?:changed?|reset|updated?|set|rotated?)[^.\n]{0,40}$/i;

/** `('default', 'password', 'invisible')` has a quoted name and a quoted value, and neither is one. */
function isListOfWords({ key, separator, value }: Place): boolean {
	if (separator.kind === "column" || (value.quote === "`" && mayBeVerb(key))) return true;
	return separator.kind === "pair" && !/^[A-Z][A-Z0-9_]+$|(?:^|\.)set_?[A-Zp]/.test(key.name);
}
