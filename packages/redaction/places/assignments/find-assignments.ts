import { matchAt } from "@deputize/ground";
import { type Detector, type Hits, inAnyCase } from "../../detector.ts";
import { isQuerySecret, isSignatureName } from "../../judgement/check-query-value.ts";
import { looksMixed } from "../../judgement/check-randomness.ts";
import { isSecretValue, SHORTEST_GENERATED } from "../../judgement/check-value.ts";
import { classifyKey, type KeyClass } from "../../judgement/classify-key.ts";
import { bareStyle, isUnspeakable, judgePlace, lineBefore } from "../../judgement/judge-place.ts";
import type { Place } from "../../judgement/place.ts";
import type { Deadline, Span } from "../../spans.ts";
import { findTold } from "./find-told.ts";
import { readConcatenation, readContinuation } from "./read-continuation.ts";
import {
	isGuarded,
	isPartOfName,
	type Key,
	MAXIMUM_KEY_REACH,
	mayBeVerb,
	readKey,
	rememberClasses,
} from "./read-key.ts";
import { readSeparator, type Separator } from "./read-separator.ts";
import {
	BARE_CHOSEN_PHRASE,
	type BareStyle,
	createValueReader,
	type ValueReader,
	type ValueSpan,
} from "./read-value.ts";

/** Part of every name of a possible secret. Found first; only the text around it is examined. */
const NAME_PARTS =
	"pass pwd psw secret token key auth cred cookie sess sid jwt psk csrf xsrf mnemonic phrase bearer salt pepper otp seed " +
	"dsn hmac licen assertion unseal kennwort contrase senha wachtwoord parola mdp heslo clave lozinka salasana senord adgangskode jelsz parool ifre connectionstring bindpw " +
	"passord haslo sandi jeton chave chiave sleutel nyckel klucz schl\u00fcssel cl\u00e9 totp keymaterial";
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
	/密码|密碼|口令|密钥|密鑰|金鑰|令牌|парол|токен|секрет|ключ|パスワード|暗証番号|トークン|秘密鍵|APIキー|비밀번호|암호|토큰|시크릿|κωδικ|κλειδί|סיסמ|מפתח|المرور|كلمة السر|رمز عبور|مفتاح|पासवर्ड|รหัสผ่าน|mật khẩu|hasł/gi;
const LEAVES_LATIN =
	/[\u0142\u0370-\u06ff\u0900-\u097f\u0e00-\u0e7f\u1ea0-\u1ef9\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;

/** Values after a name that says what they are: `.env`, JSON, YAML, headers, options, tables, prose. */
export const ASSIGNMENTS: Detector = {
	literals: inAnyCase(PARTS.map(({ literal }) => literal)),
	find: findAssignments,
	mayOpen: (text, index, literal) =>
		readKey(text, index, index + (PARTS[literal]?.length ?? 0), classifyKey).class !== "none",
};

function findAssignments(text: string, hits: Hits, deadline: Deadline): Span[] {
	const spans: Span[] = [];
	const readAt = createAssignmentReader(text, deadline, spans);
	hits.indexes.forEach((index, hit) => {
		readAt(index, index + (PARTS[hits.literals[hit] ?? 0]?.length ?? 0));
	});
	if (!leavesLatin(text)) return spans;
	const readOtherAt = createAssignmentReader(text, deadline, spans);
	const other = new RegExp(SECRET_NAME_PART_OTHER_SCRIPTS.source, "gi");
	for (let part = other.exec(text); part !== null; part = other.exec(text)) {
		readOtherAt(part.index, other.lastIndex);
	}
	return spans;
}

const CHUNK = 1 << 12;

/** Whether a chunk is ASCII is known a hundred times sooner than what a pattern finds in it. */
function leavesLatin(text: string): boolean {
	for (let from = 0; from < text.length; from += CHUNK) {
		const chunk = text.slice(from, from + CHUNK);
		if (Buffer.byteLength(chunk) > chunk.length && LEAVES_LATIN.test(chunk)) return true;
	}
	return false;
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
		if (partStart < resumeAt || reader.isDull(partStart)) return;
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

function findValuesOrAnnounced(text: string, key: Key, reader: ValueReader): Span[] {
	const values = findValues(text, key, reader);
	if (values.length > 0) return values;
	const announced = key.class === "password" && !mayBeVerb(key) ? findAnnounced(text, key) : [];
	return announced.length > 0 ? announced : findTold(text, key);
}

/** `A temporary password is generated for root@localhost: …`, where the line ends with it. */
export const ANNOUNCEMENT = /[ \t][^\n:]{4,90}:[ \t]{1,2}([^\s"'`]{8,200})(?=[ \t]{0,4}(?:\r?\n|$))/y;
/** `Enter passphrase for key …: two old foxes`, `Wachtwoord voor de wifi: "…"`. */
export const ANNOUNCED_PHRASE =
	/[ \t][^\n:"`]{2,90}:[ \t]{1,2}(?:["\u201e\u201c\u00ab][ \u00a0]?([^\n"\u201c\u201d\u00bb]{6,100})(?=["\u201c\u201d\u00bb])|([\p{L}\d][^\n"`=:;|<>{}()[\]]{5,100})(?=\r?\n|$))/uy;

function findAnnounced(text: string, key: Key): Span[] {
	const match = matchAt(ANNOUNCEMENT, text, key.end) ?? matchAt(ANNOUNCED_PHRASE, text, key.end);
	const content = match?.[1] ?? match?.[2];
	if (match === null || content === undefined) return [];
	const end = key.end + match[0].length;
	const isTold = isUnspeakable(content) || looksMixed(content) || isMixture(content) || /\s/.test(content);
	return isTold && isSecretValue(content, "password", "stated") ? [{ start: end - content.length, end }] : [];
}

/** Letters, digits and a sign that neither names nor addresses have. */
function isMixture(content: string): boolean {
	return /\d/.test(content) && /[A-Za-z]/.test(content) && /[^\w.,:/@=?-]/.test(content);
}

function findValues(text: string, key: Key, reader: ValueReader): Span[] {
	const separator = readSeparator(text, key.start, key.end);
	if (separator === undefined) return [];
	const line = lineBefore(text, key.start);
	const style = bareStyle(text, key, separator, line);
	const mayBePhrase = key.class === "password" && !mayBeVerb(key) && endsSetting(text, separator);
	const at = separator.valueStart;
	const judge = (value: ValueSpan | undefined): Span[] =>
		value === undefined
			? []
			: findJudged(
					{ text, key, separator, line, value, content: text.slice(value.start, value.end) },
					style,
					reader,
				);
	const plain = mayBePhrase && separator.kind === "assign" ? reader.readPhrase(at) : undefined;
	const found = judge(plain ?? reader.readValue(at, style));
	if (plain !== undefined || !mayBePhrase) return found;
	// `winter fox 12`: the first word alone may be a password that everybody uses.
	if (found.length > 0 && !/^[^=]\p{L}+ $/u.test(text.slice(at - 1, (found[0]?.end ?? at) + 1))) return found;
	const enclosed = text[key.end] === "=" ? reader.readEnclosed(key.start - 1, at) : undefined;
	const phrase = judge(enclosed ?? reader.readPhrase(at, BARE_CHOSEN_PHRASE));
	return phrase.length > 0 ? phrase : found;
}

/** `password: `, `The passphrase is: `: what follows is all of it. Without a gap the next word may be a command: `PGPASSWORD=x psql`. */
function endsSetting(text: string, { kind, valueStart }: Separator): boolean {
	if (kind === "assign") return true;
	const gap = text.slice(valueStart - 2, valueStart);
	return (kind === "prose" && gap === ": ") || (kind === "column" && gap === "  ");
}

function findJudged(place: Place, style: BareStyle, reader: ValueReader): Span[] {
	const { text, key, value } = place;
	if (value.end - value.start < 4 || repeatsName(place)) return [];
	if (style === "element" && !/^\s{0,40}(?:<|&lt;|\]\])/.test(text.slice(value.end, value.end + 42)))
		return [];
	const pieces = readConcatenation(text, value);
	// Cheapest first, for texts that are nothing but names.
	const isTooShort = key.class === "weak" && value.end - value.start < SHORTEST_GENERATED;
	if (isTooShort && style !== "query" && pieces.length === 0) return [];
	if (!isSecret(place, style, [value, ...pieces])) return [];
	const whole = reader.readWholeValue(value, style);
	return [
		{ start: whole.start, end: whole.end },
		...pieces,
		...readContinuation(text, pieces.at(-1) ?? whole),
		...nextValues(text, whole, key.class, reader),
	].sort((left, right) => left.start - right.start);
}

function isSecret(place: Place, style: BareStyle, parts: readonly Span[]): boolean {
	const { text, key, separator, line, value } = place;
	const content = parts.map(({ start, end }) => text.slice(start, end)).join("");
	if (style === "query") return isQuerySecret(content, key.name, line);
	if (/seed$/i.test(key.name) && /^(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{128})$/i.test(content)) return true;
	// In code and shells a command; in a table or a sentence the same marks only set a value off.
	const isCommand = separator.kind === "assign" && value.quote === "`" && /\s/.test(content);
	if (isSignatureName(key.name) || isCommand) return false;
	// ODBC puts braces around a value that may have a semicolon in it.
	const braced = style === "connection" ? /^\{([^{}]{6,200})\}$/.exec(content)?.[1] : undefined;
	if (braced !== undefined) return isSecretValue(braced, key.class, "stated", "literal");
	const context = judgePlace(place);
	const form = value.quote !== undefined || style === "element" ? "literal" : "bare";
	return isSecretValue(
		content,
		context === undefined ? "weak" : valueClass(key, content),
		context ?? "code",
		form,
	);
}

/** Several words after the name of a secret are a phrase that somebody chose; after that of a token they are a message. */
function valueClass(key: Key, content: string): KeyClass {
	const isPhrase = key.class === "secret" && /\s/.test(content) && /secret|auth_?key$/i.test(key.name);
	return isPhrase ? "password" : key.class;
}

/** `token = tokens[0]`, `Password$ = Password$`: a value that only says its name again. */
function repeatsName({ key, value, content }: Place): boolean {
	if (value.quote !== undefined && content.length > 2 * key.name.length) return false;
	if (content.length > MAXIMUM_KEY_REACH) return false;
	const letters = (name: string) => name.replace(/[^A-Za-z]/g, "").toLowerCase();
	const name = letters(key.name);
	if (name.length < 3 || !letters(content).includes(name)) return false;
	return content.toLowerCase().endsWith(key.name.toLowerCase()) || !/\d\D*\d/.test(content);
}

/** A plan shows the old and the new value (`"a" -> "b"`); a list has several. */
export const NEXT_VALUE = /\\?["'`]?(?:[ \t]{1,4}(?:->|=>)[ \t]{1,4}|,\s{0,40}(?=\\?["']))/y;

function nextValues(text: string, first: ValueSpan, key: KeyClass, reader: ValueReader): Span[] {
	const spans: Span[] = [];
	let previous = first;
	while (previous.quote !== undefined) {
		const between = matchAt(NEXT_VALUE, text, previous.end);
		if (between === null) break;
		const value = reader.readValue(previous.end + between[0].length, "list");
		if (value?.quote === undefined) break;
		if (/^\\?["'`]\s{0,4}(?:=>|:|=)/.test(text.slice(value.end, value.end + 12))) break;
		const strength = between[0].includes(",") ? "weak" : key;
		if (!isSecretValue(text.slice(value.start, value.end), strength, "stated", "literal")) break;
		spans.push({ start: value.start, end: value.end });
		previous = value;
	}
	return spans;
}
