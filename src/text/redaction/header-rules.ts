import { countMatches, looksLikeRandomLetters } from "./check-randomness.ts";
import { isGeneratedValue } from "./check-value.ts";
import type { ContextRule } from "./context-rule.ts";
import { isHarmlessValue } from "./reject-value.ts";

/** Between a header's name and its value: quotes and separators of HTTP, JSON, YAML, code and shells. */
const SEPARATOR = String.raw`(?:\\{0,2}["'\`]|%22|&quot;|\])?[ \t]{0,4}(?::|=>?|,|%3A)[ \t]{0,4}(?:\\{0,2}["'\`]|%22|&quot;|f["'])?(?:%20|[ \t]){0,2}`;

export const HEADER_RULES: readonly ContextRule[] = [
	{
		kind: "authorization-header",
		literals: ["authorization"],
		pattern: new RegExp(
			String.raw`authorization${SEPARATOR}(?:(?<scheme>[A-Za-z][\w-]{1,30})(?:[ \t+]|%20){1,3})?(?<secret>[^\s"'\`<>\\][^\n\r"'\`<>\\]{3,4096})`,
			"gid",
		),
		accept: (secret, match) => isHeaderCredential(secret, match.groups?.["scheme"]),
	},
	{
		kind: "digest-header",
		literals: ["digest username="],
		pattern: /digest username=(?<secret>["'][^\n\r]{10,1000})/dgi,
		accept: () => true,
	},
	{
		kind: "bearer-token",
		literals: ["bearer"],
		pattern: /bearer(?:[ \t:=]|%20|\\?["'`]){1,4}(?<secret>[A-Za-z0-9_\-.~+/=|:]{8,4096})/dgi,
		accept: (secret) => secret.length >= 10 && isBareCredential(secret),
	},
	{
		kind: "basic-credentials",
		literals: ["basic"],
		pattern: /basic(?:[ \t]|%20){1,3}(?<secret>[A-Za-z0-9+/_-]{6,2048}(?:={1,2}|%3D)?)/dgi,
		accept: (secret) => decodesToCredentials(secret),
	},
	{
		kind: "named-header-scheme",
		literals: ["ssws ", "geniekey ", "bot ", "apikey ", "token token="],
		pattern:
			/\b(?:SSWS|GenieKey|Bot|ApiKey|Token token=)[ \t]{0,2}["']?(?<secret>[A-Za-z0-9_\-.=+/]{20,256})/dg,
		accept: (secret) => isBareCredential(secret),
	},
	{
		kind: "cookie",
		literals: ["cookie"],
		pattern: new RegExp(String.raw`cookie2?${SEPARATOR}(?<secret>[^\n\r"'\`]{4,8192})`, "gid"),
		accept: () => false,
	},
	{
		kind: "session-cookie",
		literals: ["sess", "sid=", "auth", "token", "remember"],
		pattern:
			/(?<![\w-])(?:[\w.-]{0,40}(?:sess(?:ion)?(?:_?id)?|sessid|\bsid|connect\.sid|auth(?:_?token)?|remember_?(?:me|token|user_token)?|jwt|aspxauth|access_?token)[\w.-]{0,10})=(?<secret>[^\s;,"'`<>&]{12,4096})/dgi,
		accept: (secret) => isCookieValue(secret),
	},
];

function isHeaderCredential(secret: string, scheme: string | undefined): boolean {
	const first = secret.split(/[\s,;]/)[0] ?? "";
	if (isHarmlessValue(first) || /[{}()[\]]|\$\w/.test(first)) return false;
	if (scheme === undefined) return isBareCredential(first) && first.length >= 16;
	if (
		/^(?:bearer|basic|token|digest|negotiate|ntlm|apikey|api-key|key|bot|ssws|jwt|oauth|hmac|aws4-hmac-sha256|aws|geniekey|sharedkey|sharedkeylite|splunk|basicauth|private-token|signature|hawk|discogs|mac|client-id|goog4-rsa-sha256|credential)$/i.test(
			scheme,
		)
	) {
		return (
			/\d/.test(secret) ||
			/^[A-Za-z0-9+/_-]{16,}={0,2}$/.test(first) ||
			decodesToCredentials(first) ||
			/[+/=]/.test(first)
		);
	}
	return isBareCredential(first) && first.length >= 20 && !/\s\w{1,20}\s\w/.test(secret);
}

/** Mixed enough that it is no word: `Bearer authentication` and `bearer token-based` are prose. */
function isBareCredential(secret: string): boolean {
	if (isHarmlessValue(secret)) return false;
	const digits = countMatches(secret, /\d/g);
	if (digits === 0) return secret.length >= 20 && looksLikeRandomLetters(secret.replace(/[^A-Za-z]/g, ""));
	return (
		/[A-Za-z]/.test(secret) &&
		!/^[a-z]+[-_.]?\d{1,2}$/i.test(secret) &&
		!/^[a-z]+(?:[-_.][a-z]+)+\d?$/i.test(secret)
	);
}

function isCookieValue(secret: string): boolean {
	return (
		!isHarmlessValue(secret) &&
		(isGeneratedValue(secret) ||
			(/\d/.test(secret) && /[a-z]/i.test(secret) && secret.length >= 16 && !/[(){}[\]$]/.test(secret)))
	);
}

/** Basic authentication and registry logins are `user:password` in base64. */
export function decodesToCredentials(encoded: string): boolean {
	if (encoded.length < 6 || /^[a-z]+$/.test(encoded)) return false;
	const decoded = Buffer.from(encoded.replace(/%3D/gi, "="), "base64").toString("latin1");
	return /^[\x20-\x7e]{1,200}:[\x20-\x7e]{0,2000}$/.test(decoded);
}
