import { isToldWord } from "./check-chosen-words.ts";
import { isQuerySecret, isSignatureName } from "./check-query-value.ts";
import { looksGenerated, looksMixed } from "./check-randomness.ts";
import { isSecretValue, SHORTEST_GENERATED, type ValueContext } from "./check-value.ts";
import { classifyKey, type KeyClass } from "./classify-key.ts";
import { type Detector, type Hits, inAnyCase } from "./detector.ts";
import { readConcatenation, readContinuation } from "./read-continuation.ts";
import { readSeparator, type Separator } from "./read-separator.ts";
import { type BareStyle, createValueReader, type ValueReader, type ValueSpan } from "./read-value.ts";
import type { Deadline, Span } from "./spans.ts";

/** Part of every name that may hold a secret. Found first; only there is the text around it looked at. */
const NAME_PARTS =
	"pass pwd psw secret token key auth cred cookie sess sid jwt psk csrf xsrf mnemonic phrase bearer salt pepper otp seed " +
	"dsn hmac licen assertion unseal kennwort contrase senha wachtwoord parola mdp heslo clave lozinka salasana senord adgangskode jelsz parool sifre connectionstring bindpw";
/** Parts of many other words, so that what follows counts. It is not part of the name. */
const PARTS_BEFORE = [
	"pw=",
	"pw:",
	"pw ",
	'pw"',
	"pw'",
	"sig=",
	"signature=",
	"code=",
	"pat=",
	"pat:",
	'pat"',
	"pat'",
	"pat ",
	"pat\\",
];
const SPACED_PARTS = ["connection string", "connection-string", "connection_string", "connection.string"];
const PARTS: readonly { readonly literal: string; readonly length: number }[] = [
	...[...NAME_PARTS.split(" "), ...SPACED_PARTS].map((part) => ({ literal: part, length: part.length })),
	...PARTS_BEFORE.map((part) => ({ literal: part, length: part.length - 1 })),
];

/** The same in other scripts. Looked for only where a text leaves Latin. */
export const SECRET_NAME_PART_OTHER_SCRIPTS =
	/密码|密碼|口令|密钥|密鑰|金鑰|令牌|пароль|токен|секрет|パスワード|暗証番号|トークン|秘密鍵|비밀번호|암호|토큰|시크릿/gi;
const LEAVES_LATIN = /[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;

const KEY_CHARACTER = /[\w.$\u00c0-\u1fff\u3040-\ud7ff-]/;
/** Written without gaps, so that what follows a name may be a verb. */
const GLUED_SCRIPT = /[\u3040-\u30ff\u4e00-\u9fff]/;
const MAXIMUM_KEY_REACH = 60;

/** Values after a name that says what they are: `.env`, JSON, YAML, headers, options, tables, prose. */
export const ASSIGNMENTS: Detector = {
	literals: inAnyCase(PARTS.map(({ literal }) => literal)),
	find: findAssignments,
};

function findAssignments(text: string, hits: Hits, deadline: Deadline): Span[] {
	const spans: Span[] = [];
	const readAt = createAssignmentReader(text, deadline, spans);
	hits.indexes.forEach((index, hit) => {
		readAt(index, index + (PARTS[hits.literals[hit] ?? 0]?.length ?? 0));
	});
	if (!LEAVES_LATIN.test(text)) return spans;
	const readOtherAt = createAssignmentReader(text, deadline, spans);
	const other = new RegExp(SECRET_NAME_PART_OTHER_SCRIPTS.source, "gi");
	for (let part = other.exec(text); part !== null; part = other.exec(text)) {
		readOtherAt(part.index, other.lastIndex);
	}
	return spans;
}

/** Takes the parts of names in the order of the text, and adds what it finds after them to `spans`. */
function createAssignmentReader(
	text: string,
	deadline: Deadline,
	spans: Span[],
): (partStart: number, partEnd: number) => void {
	const classify = rememberClasses();
	const reader = createValueReader(text);
	let resumeAt = 0;
	return (partStart, partEnd) => {
		if (partStart < resumeAt) return;
		deadline.check();
		const key = readKey(text, partStart, partEnd, classify);
		const values =
			key.class === "none" || isPartOfName(text, key) || isGuarded(text, key)
				? []
				: findValuesOrAnnounced(text, key, reader);
		for (const value of values) spans.push(value);
		resumeAt = values.at(-1)?.end ?? Math.max(key.end, partStart + 1);
	};
}

interface Key {
	readonly start: number;
	readonly end: number;
	readonly name: string;
	readonly class: KeyClass;
}

function readKey(
	text: string,
	partStart: number,
	partEnd: number,
	classify: (name: string) => KeyClass,
): Key {
	let start = partStart;
	while (start > 0 && partStart - start < MAXIMUM_KEY_REACH && KEY_CHARACTER.test(text.charAt(start - 1)))
		start -= 1;
	let end = partEnd;
	const glued = GLUED_SCRIPT.test(text.charAt(partEnd - 1));
	while (
		!glued &&
		end < text.length &&
		end - partEnd < MAXIMUM_KEY_REACH &&
		KEY_CHARACTER.test(text.charAt(end))
	)
		end += 1;
	while (end > partEnd && /[.-]/.test(text.charAt(end - 1))) end -= 1;
	start += writtenEscape(text, start, partStart);
	const name = text.slice(start, end);
	return { start, end, name, class: classify(withWordBefore(text, start, name)) };
}

/** `AWS::IAM::AccessKey`, `arn:aws:secretsmanager:…:secret:name`: a part of something longer, joined by colons. */
function isPartOfName(text: string, key: Key): boolean {
	if (text[key.start - 1] !== ":" || !/[\w:\])}+*|]/.test(text.charAt(key.start - 2))) return false;
	return text[key.start - 2] === ":" || (text[key.end] === ":" && /\S/.test(text.charAt(key.end + 1)));
}

/** `${TOKEN:?not set}`: a message, not a value. */
function isGuarded(text: string, key: Key): boolean {
	return text.startsWith("${", key.start - 2) && /^:?[?+]/.test(text.slice(key.end, key.end + 2));
}

const MAXIMUM_REMEMBERED = 2000;

/** A text uses few names many times. */
function rememberClasses(): (name: string) => KeyClass {
	const known = new Map<string, KeyClass>();
	return (name) => {
		const remembered = known.get(name);
		if (remembered !== undefined) return remembered;
		const keyClass = classifyKey(name);
		if (known.size < MAXIMUM_REMEMBERED) known.set(name, keyClass);
		return keyClass;
	};
}

/** Letters before a name that belong to a written-out escape: `\\nTOKEN`, `%22token`. */
function writtenEscape(text: string, start: number, partStart: number): number {
	const length =
		text[start - 1] === "%" ? 2 : text[start - 1] === "\\" && /[nrt]/.test(text.charAt(start)) ? 1 : 0;
	return start + length <= partStart ? length : 0;
}

/** `API key` and `Secret Access Key` carry their meaning in the word before. */
function withWordBefore(text: string, start: number, name: string): string {
	if (!/^(?:keys?|string|phrase|code|id)$/i.test(name) || text[start - 1] !== " ") return name;
	const before = /([A-Za-z0-9]{2,20}) $/.exec(text.slice(Math.max(0, start - 21), start));
	return before === null ? name : `${before[1]} ${name}`;
}

function findValuesOrAnnounced(text: string, key: Key, reader: ValueReader): Span[] {
	const values = findValues(text, key, reader);
	return values.length > 0 || key.class !== "password" ? values : findAnnounced(text, key);
}

/** `A temporary password is generated for root@localhost: …`, where the line ends with it. */
export const ANNOUNCEMENT = /[ \t][^\n:]{4,90}:[ \t]{1,2}([^\s"'`]{8,200})(?=[ \t]{0,4}(?:\r?\n|$))/y;

function findAnnounced(text: string, key: Key): Span[] {
	ANNOUNCEMENT.lastIndex = key.end;
	const match = ANNOUNCEMENT.exec(text);
	const content = match?.[1];
	if (match === null || content === undefined) return [];
	const end = key.end + match[0].length;
	const value = { start: end - content.length, end, endsLine: true };
	const told = isUnspeakable(text, value) || looksMixed(content);
	return told && isSecretValue(content, "password", "stated") ? [value] : [];
}

function findValues(text: string, key: Key, reader: ValueReader): Span[] {
	const separator = readSeparator(text, key.start, key.end);
	if (separator === undefined) return [];
	const line = lineBefore(text, key.start);
	const style = bareStyle(text, key, separator, line);
	const phrase =
		key.class === "password" && separator.kind === "assign"
			? reader.readPhrase(separator.valueStart)
			: undefined;
	const value = phrase ?? reader.readValue(separator.valueStart, style);
	if (value === undefined || value.end - value.start < 4 || repeatsName(text, key, value)) return [];
	if (style === "element" && !/^\s{0,40}(?:<|\]\])/.test(text.slice(value.end, value.end + 42))) return [];
	const pieces = readConcatenation(text, value);
	// Cheapest first, for texts that are nothing but names.
	if (key.class === "weak" && style !== "query" && pieces.length === 0 && isTooShortForWeak(value)) return [];
	const content = [value, ...pieces].map(({ start, end }) => text.slice(start, end)).join("");
	if (!isSecret(text, key, separator, style, line, value, content)) return [];
	const whole = reader.readWholeValue(value, style);
	return [
		{ start: whole.start, end: whole.end },
		...pieces,
		...readContinuation(text, pieces.at(-1) ?? whole),
		...nextValues(text, whole, key.class, reader),
	].sort((left, right) => left.start - right.start);
}

function isTooShortForWeak(value: ValueSpan): boolean {
	return value.end - value.start < SHORTEST_GENERATED;
}

function isSecret(
	text: string,
	key: Key,
	separator: Separator,
	style: BareStyle,
	line: string,
	value: ValueSpan,
	content: string,
): boolean {
	if (style === "query") return isQuerySecret(content, key.name, line);
	if (isSignatureName(key.name) || isCommandSubstitution(content, separator, value)) return false;
	const context = withProof(valueContext(text, key, separator, line, value), text, key, separator, value);
	return isSecretValue(content, context === undefined ? "weak" : key.class, context ?? "code");
}

/** A place where even a plain word can only be a value. */
function withProof(
	context: ValueContext | undefined,
	text: string,
	key: Key,
	separator: Separator,
	value: ValueSpan,
): ValueContext | undefined {
	if (context !== "stated" || key.class !== "password") return context;
	if (value.quote !== undefined) return isListOfWords(key, separator, value) ? context : "quoted";
	if (separator.kind === "element" || isAnnounced(text, separator)) return "quoted";
	if (separator.kind === "prose" && isTold(text, key, separator, value)) return "quoted";
	if (separator.kind !== "assign") return context;
	return separator.spaced ? ownLineContext(text, key, value) : pairContext(text, key, value);
}

/** `password: zeppelin` alone on its line, as in YAML. The last property of an object in code has a bracket after it. */
function ownLineContext(text: string, key: Key, value: ValueSpan): ValueContext {
	const lead = lineBefore(text, key.start);
	const colon = text.startsWith(": ", key.end);
	if (!colon || !value.endsLine || !/^[ ]{0,40}$/.test(lead)) return "stated";
	return /^[^\n]{0,80}\n\s{0,40}[})\]]/.test(text.slice(value.end, value.end + 122)) ? "stated" : "quoted";
}

function pairContext(text: string, key: Key, value: ValueSpan): ValueContext {
	const before = text.slice(Math.max(0, key.start - MAXIMUM_SIBLING), key.start);
	const after = text.slice(value.end, value.end + 40);
	return SIBLING_PAIR.test(before) || /^;[A-Za-z][A-Za-z ]{1,30}=/.test(after) ? "quoted" : "stated";
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
	/(?:user|username|login|host|server|id|database|dbname|db|uid|port|email|name)=[^\s,;()"'=]{1,60}(?:[ ;]|\r?\n)$/i;

/** In code and shells; in a table or a sentence the same marks only set a value off. */
function isCommandSubstitution(content: string, separator: Separator, value: ValueSpan): boolean {
	return separator.kind === "assign" && value.quote === "`" && /\s/.test(content);
}

/** `token = tokens[0]`, `Password$ = Password$`: a value that only says its name again. */
function repeatsName(text: string, key: Key, value: ValueSpan): boolean {
	if (value.quote !== undefined && value.end - value.start > 2 * key.name.length) return false;
	if (value.end - value.start > MAXIMUM_KEY_REACH) return false;
	const letters = (name: string) => name.replace(/[^A-Za-z]/g, "").toLowerCase();
	const name = letters(key.name);
	const content = text.slice(value.start, value.end);
	if (name.length < 3 || !letters(content).includes(name)) return false;
	return content.toLowerCase().endsWith(key.name.toLowerCase()) || !/\d\D*\d/.test(content);
}

/** A plan shows the old and the new value (`"a" -> "b"`); a list has several. */
export const NEXT_VALUE = /\\?["'`]?(?:[ \t]{1,4}(?:->|=>)[ \t]{1,4}|,\s{0,40}(?=\\?["']))/y;
const MAXIMUM_NEXT_VALUES = 50;

function nextValues(text: string, first: ValueSpan, key: KeyClass, reader: ValueReader): Span[] {
	const spans: Span[] = [];
	let previous = first;
	while (previous.quote !== undefined && spans.length < MAXIMUM_NEXT_VALUES) {
		NEXT_VALUE.lastIndex = previous.end;
		const between = NEXT_VALUE.exec(text);
		if (between === null) break;
		const value = reader.readValue(previous.end + between[0].length, "list");
		if (value?.quote === undefined) break;
		if (/^\\?["'`]\s{0,4}(?:=>|:|=)/.test(text.slice(value.end, value.end + 12))) break;
		const strength = between[0].includes(",") ? "weak" : key;
		if (!isSecretValue(text.slice(value.start, value.end), strength, "stated")) break;
		spans.push({ start: value.start, end: value.end });
		previous = value;
	}
	return spans;
}

const LONGEST_LEAD = 80;
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

function lineBefore(text: string, index: number): string {
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

function bareStyle(text: string, key: Key, separator: Separator, line: string): BareStyle {
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

function valueContext(
	text: string,
	key: Key,
	separator: Separator,
	line: string,
	value: ValueSpan,
): ValueContext | undefined {
	if (separator.kind === "option") return "certain";
	if (separator.kind === "column") return columnContext(text, key, line, value);
	if (separator.kind === "assign") return assignContext(key, separator, line, value);
	if (/^pass$/i.test(key.name) && separator.kind === "prose") return undefined;
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
	return value.endsLine && LEADS_SETTING.test(line) ? "stated" : "code";
}

/** What stands in parentheses after a token's name is as likely a name. */
const SHORTEST_ASIDE = 16;

/** `db.password=letmein` on a line of its own is a properties file; elsewhere bare words are code. */
function attachedContext(key: Key, separator: Separator, line: string, value: ValueSpan): ValueContext {
	const ownLine = !separator.spaced && value.endsLine && /^\s{0,8}$/.test(line);
	return ownLine && key.class === "password" && key.name.length >= 8 ? "certain" : "stated";
}

/** Words with nothing between them are prose, unless the name is a constant or the two are alone on their line. */
function columnContext(text: string, key: Key, line: string, value: ValueSpan): ValueContext | undefined {
	if (/^pass$/i.test(key.name))
		return value.quote === "`" && isUnspeakable(text, value) ? "stated" : undefined;
	if (value.quote !== undefined) return "stated";
	if (/^[A-Z][A-Z0-9]{0,20}_[A-Z0-9_]{2,60}$/.test(key.name)) return "stated";
	if (!value.endsLine) return undefined;
	if (key.class === "password" && isUnspeakable(text, value)) return "stated";
	if (key.class !== "weak" && isMadeToken(text, value)) return "stated";
	if (!LEADS_SETTING.test(line)) return undefined;
	return key.class === "password" ? "stated" : "code";
}

/** Long enough, and mixed enough, that a sentence could only mean the thing itself. */
function isMadeToken(text: string, value: ValueSpan): boolean {
	return value.end - value.start >= SHORTEST_GENERATED && looksGenerated(text.slice(value.start, value.end));
}

/** What neither a sentence nor an argument has: "pass" is also what one does with one. */
function isUnspeakable(text: string, value: ValueSpan): boolean {
	const content = text.slice(value.start, value.end);
	return (
		/\d/.test(content) &&
		/[A-Za-z]/.test(content) &&
		/[!@#%^&*?]/.test(content) &&
		!/[=(){}[\]]/.test(content)
	);
}
