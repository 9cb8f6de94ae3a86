import type { Key } from "../places/assignments/read-key.ts";
import type { Place } from "./place.ts";
import type { ValueContext } from "./value-context.ts";

/** Several words are a label as often as a phrase: what is around them decides. */
export function judgePhrase(place: Place): ValueContext {
	const { text, key, separator, line, value } = place;
	if (HAS_MESSAGES.test(`${line}${key.name}`)) return "code";
	if (NEVER_LABEL.test(key.name)) return "certain";
	if (separator.kind === "assign" && (SETTING_NAME.test(key.name) || isOneOfPairs(place))) return "certain";
	if (OWNED_NAME.test(key.name) || isInRecord(place)) return "quoted";
	const isVariable = value.quote !== undefined && ASSIGNED.test(text.slice(key.end, key.end + 12));
	return isVariable || isGiven(place) ? "quoted" : "stated";
}

/** To a program: an element of a file, an argument of a command or a setter, an answer to a prompt. */
function isGiven({ text, key, separator, line }: Place): boolean {
	if (separator.kind === "element") return /[<:]$/.test(line) || text.startsWith("</", key.end);
	if (separator.kind === "column") return STORES.test(line);
	if (separator.kind === "pair") return text[key.end] === "(" && /(?:^|\.)(?:set|with)/i.test(key.name);
	return /^(?:Enter|New|Retype|Repeat|Confirm|Verify) /.test(line) && isPrompt(text, key, line);
}

/** Of networks and programs, never of a page. */
const NEVER_LABEL =
	/(?:^|[._-])(?:psk|wpa[-_]?(?:passphrase|psk)|requirepass|bind_?pw|storepass|ansible_(?:become_|ssh_)?pass(?:word)?)$/i;
/** `mysql_root_password`, `wifi_password`: of a system, where pages have passwords of users. */
const OWNED_NAME =
	/(?:^|[._-])(?:db|database|mysql|mariadb|postgres|pg|redis|mongo|rabbitmq|smtp|imap|mail|wifi|wlan|mqtt|root|ftp|sftp|ldap|vpn|ssh|svc|service|master|keystore|truststore)[._-](?:\w{1,12}[._-])?(?:pass|password|passwd|pwd|passphrase)$/i;
/** `consul kv put db/password "…"`. */
const STORES =
	/(?:^|[$#>] )[a-z][a-z-]{1,20} (?:[\w.-]{1,20} ){0,2}(?:put|set|add|create|write|store)[ \t][\w./-]{0,60}$/;

/** `DB_PASSWORD`: nobody gives a label such a name. */
const SETTING_NAME = /^[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{1,60}$/;
export const ASSIGNED = /^(?:["']?\])?[ \t]{0,4}:?=(?![=>])/;
const HAS_MESSAGES =
	/(?:error|message|msg|label|text|hint|title|string|translation|caption|description|prompt|tooltip|help)s?[.[_"'-]{1,3}[\w.]{0,40}$/i;

const MAXIMUM_RECORD = 200;
/** `"user": "app"`, `username: app`, `host=db1`: a value of one word in lower case. In a list of labels it would have a capital or several words. */
export const SIBLING_VALUE =
	/(?:[uU]ser(?:_?[nN]ame)?|USER(?:NAME)?|[lL]ogin|LOGIN|[eE]-?[mM]ail|[hH]ost(?:name)?|HOST|[sS]erver|[bB]roker|[dD]atabase|[dD]b_?[nN]ame|[aA]ccount|[uU]id|UID|[uU]ser [iI]d|[sS]sid|SSID|[bB]enutzer(?:name)?|[uU]suario|[uU]tente|[iI]dentifiant|[uU]tilisateur|[uU]ser [nN]ame|[dD]omain|- name)\\{0,3}["']?(?:[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}|>|[ \t]{2,20})\\{0,3}["']?(?!(?:string|text|invalid|missing|required|taken|unknown|none|null|true|false)(?!\w))[a-z\d][\w.@+-]{1,60}(?:\\{0,3}["']|(?=[,;&<})\]]|[ \t]{0,4}(?:\r?\n|$)|[ \t]\w{1,30}=))/;

/** `user eva` on its own line. */
export const SIBLING_LINE =
	/(?:^|\n)[ \t]{0,8}(?:user|username|login)[ \t]\w[\w.@-]{1,60}[ \t]{0,4}(?:\r?\n|$)/;
/** `[mail]` and its first settings. */
const SECTION = /(?:^|\n)\[[\w.:-]{1,40}\]\r?\n(?:[\w.-]{1,40} ?= ?[^\n]{0,60}\r?\n){0,4}$/;
const BLANK_LINE = /\n[ \t]{0,20}\r?\n/;

/** Next to a user, a host or the like that is somebody's. */
export function isInRecord({ text, key, value }: Place): boolean {
	const before =
		text
			.slice(Math.max(0, key.start - MAXIMUM_RECORD), key.start)
			.split(BLANK_LINE)
			.at(-1) ?? "";
	const after = text.slice(value.end, value.end + MAXIMUM_RECORD).split(BLANK_LINE, 1)[0] ?? "";
	const lines = [before, after.slice(/\n|$/.exec(after)?.index)];
	return (
		SECTION.test(before) ||
		[before, after].some((part) => SIBLING_VALUE.test(part)) ||
		lines.some((part) => SIBLING_LINE.test(part))
	);
}

export function isOneOfPairs({ text, key, value }: Place): boolean {
	const before = text.slice(Math.max(0, key.start - MAXIMUM_SIBLING), key.start);
	return (
		SIBLING_PAIR.test(before) || /^;[A-Za-z][A-Za-z ]{1,30}=/.test(text.slice(value.end, value.end + 40))
	);
}

const MAXIMUM_SIBLING = 120;
/** `user=app password=…`, `User Id=sa;Password=…`, `User: app / Pass: …`, or the like on the line before. Arguments of a call have commas. */
export const SIBLING_PAIR =
	/(?:user|username|login|host|server|id|database|dbname|db|uid|port|email|name)(?:=[^\s,;()"'=]{1,60}(?:[ ;]|\r?\n)|:[ \t]{1,4}[^\s,;()"'=]{1,60}(?:[ \t]{2,8}|[ \t][/|][ \t]))$/i;

/** `Initial admin password: …`, `Enter passphrase: …`, `Ihr Passwort: …`: a few words, and a colon after the name. */
export function isPrompt(text: string, key: Key, line: string): boolean {
	return /^\p{Lu}\p{L}{1,12} (?:\p{Ll}{2,12} ){0,3}$/u.test(line) && text.startsWith(": ", key.end);
}
