import { hasRandomLetters } from "../judgement/check-randomness.ts";
import { isHarmlessValue } from "../judgement/reject-value.ts";
import { HEADER_SCHEMES } from "../judgement/words/word-lists.ts";
import type { ContextRule } from "./context-rule.ts";

/** Between a header's name and its value: quotes and separators of HTTP, JSON, YAML, code and shells. */
const SEPARATOR = String.raw`(?:\\{0,2}["'\`]|%22|&quot;|\])?[ \t]{0,4}(?::|=>?|,|%3A)[ \t]{0,4}(?:\\{0,2}["'\`]|%22|&quot;|[fb]["'])?(?:%20|[ \t]){0,2}`;

export const HEADER_RULES: readonly ContextRule[] = [
	{
		kind: "authorization-header",
		literals: ["authorization"],
		pattern: new RegExp(
			// Glued to a long word it is the name of something else: `AggregationAuthorization`.
			String.raw`(?<![A-Za-z]{8})authorization${SEPARATOR}(?:(?<scheme>[A-Za-z][\w-]{1,30})(?:[ \t+]|%20){1,3})?(?<secret>[^\s"'\`<>\\]{4,2048}(?:[ \t][^\n\r"'\`<>\\]{1,400})?)`,
			"iy",
		),
		accept: isHeaderCredential,
	},
	{
		kind: "digest-header",
		literals: ["digest username="],
		pattern: /digest username=(?<secret>["'][^\n\r]{10,1000})/iy,
		accept: (secret) => /response=["']?[0-9a-f]{16}/i.test(secret),
	},
	{
		kind: "bearer-token",
		literals: ["bearer"],
		pattern: /bearer(?:[ \t:=.]|%20|\\?["'`]){1,4}(?<secret>[A-Za-z0-9_\-.~+/=|:]{8,2048})/iy,
		accept: (secret) => secret.length >= 10 && isBareCredential(secret),
	},
	{
		kind: "basic-credentials",
		literals: ["basic"],
		pattern: /basic(?:[ \t]|%20){1,3}(?<secret>[A-Za-z0-9+/_-]{6,2048}(?:={1,2}|%3D)?)/iy,
		accept: decodesToCredentials,
	},
	{
		kind: "named-header-scheme",
		literals: ["ssws ", "geniekey ", "bot ", "apikey ", "token token="],
		pattern:
			/(?<!\w)(?:SSWS|GenieKey|Bot|ApiKey|Token token=)[ \t]{0,2}["']?(?<secret>[A-Za-z0-9_\-.=+/]{20,256})/y,
		accept: isBareCredential,
	},
];

/** After `Authorization:` everything is a credential but a reference to one, a placeholder, code and a sentence. */
function isHeaderCredential(secret: string, match: RegExpExecArray): boolean {
	const scheme = match.groups?.["scheme"];
	const first = /^[^\s,;]{0,2048}/.exec(secret)?.[0] ?? "";
	// A digest has its own rule, which reads past the quotes.
	if (/^username=/i.test(first) || isHarmlessValue(first) || /[{}()[\]]|\$\w/.test(first)) return false;
	if (scheme === undefined && HEADER_SCHEMES.has(first.toLowerCase())) return false;
	if (isBareCredential(first) && first.length >= 16) return true;
	if (
		scheme !== undefined &&
		HEADER_SCHEMES.has(scheme.toLowerCase()) &&
		hasCredential(secret, first, scheme)
	)
		return true;
	return isHeaderLine(match) && !isSentence(scheme, secret);
}

function hasCredential(secret: string, first: string, scheme: string): boolean {
	const parameters = /^(?:aws|hawk|signature|hmac|oauth|mac|digest|goog4)/i.test(scheme);
	return (
		/\d/.test(parameters ? secret : first) ||
		/^[A-Za-z0-9+/]{8,}={1,2}$/.test(first) ||
		decodesToCredentials(first)
	);
}

/** A header has nothing before its name but what quotes and logs put there, and nothing after its value. */
function isHeaderLine({ 0: whole, input, index }: RegExpExecArray): boolean {
	const before = input.slice(Math.max(0, index - 60), index);
	const line = before.slice(before.lastIndexOf("\n") + 1);
	const quoted = /["'`]$/.test(line);
	const after = input.slice(index + whole.length, index + whole.length + 3);
	// In a list of headers the next one follows; in a call the value does.
	if (/^authorization.{0,3},/i.test(whole)) return /\(["'`]$/.test(line) && /^["'`]\)/.test(after);
	if (quoted) return /^\\?["'`]/.test(after) || /^[ \t]{0,2}(?:\r?\n|$)/.test(after);
	return (
		/^(?:\s{0,8}[<>*|#+-]{0,2}\s{0,4}|\S{1,30}[ \t]{1,4})?$/.test(line) &&
		/^[ \t]{0,2}(?:\\?["'`]|\\[nr]|\r?\n|$)/.test(after) &&
		!/[,;]$/.test(whole) &&
		!/^\s{0,40}[})\]]/.test(input.slice(index + whole.length, index + whole.length + 42))
	);
}

/** Several words, of which the first is no scheme, or more than a scheme and its credential. */
function isSentence(scheme: string | undefined, secret: string): boolean {
	const words = secret.trim().split(/\s+/).length;
	return (
		words > 2 ||
		(words === 2 && !/[=,]/.test(secret)) ||
		(scheme !== undefined && /^(?:the|a|an|is|was|for|of|to|by|not|no|and|or)$/i.test(scheme))
	);
}

/** Mixed enough that it is no word: `Bearer authentication` and `bearer token-based` are prose. */
function isBareCredential(secret: string): boolean {
	if (isHarmlessValue(secret)) return false;
	if (!/\d/.test(secret)) return secret.length >= 20 && hasRandomLetters(secret);
	return (
		/[A-Za-z]/.test(secret) &&
		!/^[a-z]+[-_.]?\d{1,2}$/i.test(secret) &&
		!/^[a-z]+(?:[-_.:][a-z]+)+\d?$/i.test(secret)
	);
}

/** Basic authentication and registry logins are `user:password` in base64. */
export function decodesToCredentials(encoded: string): boolean {
	if (encoded.length < 6 || /^[a-z]+$/.test(encoded)) return false;
	const decoded = Buffer.from(encoded.replace(/%3D/gi, "="), "base64").toString("latin1");
	return /^[\x20-\x7e]{1,200}:[\x20-\x7e]{0,2000}$/.test(decoded);
}
