import { looksGenerated } from "./check-randomness.ts";
import type { ContextRule } from "./context-rule.ts";
import { isHarmlessValue } from "./reject-value.ts";

export const URL_RULES: readonly ContextRule[] = [
	{
		kind: "url-password",
		literals: ["://"],
		pattern: /:\/\/(?<user>[^\s:@/?#"'`<>\\,]{0,100}):(?<secret>[^\s/"'`<>\\]{1,200})@(?=[\w.[$-])/dg,
		accept: (secret, match) => isUrlPassword(secret, match.groups?.["user"] ?? ""),
	},
	{
		kind: "url-password-with-slash",
		literals: ["://"],
		pattern:
			/(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|ftp|smtp)s?:\/\/(?<user>[^\s:@/?#"'`<>\\,]{1,100}):(?<secret>[^\s"'`<>\\@]{1,200})@(?=[\w.[$-])/dg,
		accept: (secret, match) => isUrlPassword(secret, match.groups?.["user"] ?? ""),
	},
	{
		kind: "url-token",
		literals: ["://"],
		pattern: /:\/\/(?<secret>[A-Za-z0-9_.~%-]{16,400})@(?<host>[\w.-]{3,100})/dg,
		accept: (secret, match) =>
			!/sentry|ingest/.test(match.groups?.["host"] ?? "") &&
			!isHarmlessValue(secret) &&
			looksGenerated(secret),
	},
	{
		kind: "encoded-url-password",
		literals: ["%3a%2f%2f"],
		pattern:
			/%3A%2F%2F(?<user>[\w.-]{1,60})%3A(?<secret>[^\s%&"'<>]{1,80}(?:%(?!40)[0-9A-Fa-f]{2}[^\s%&"'<>]{0,40}){0,8})%40/dgi,
		accept: (secret, match) => isUrlPassword(secret, match.groups?.["user"] ?? ""),
	},
	{
		kind: "driver-address",
		literals: ["@tcp(", "@unix(", "@protocol("],
		pattern: /(?<![\w.-])(?<user>[\w.-]{1,40}):(?<secret>[^\s:"'`/]{1,120})@(?:tcp|unix|protocol)\(/dg,
		accept: (secret, match) => isUrlPassword(secret, match.groups?.["user"] ?? ""),
	},
	{
		kind: "oracle-address",
		literals: ["thin:", "sqlplus"],
		pattern:
			/(?:thin:|sqlplus(?: -[A-Za-z]){0,3} ["']?)(?<user>[\w$#]{1,40})\/(?<secret>[^\s@"'/]{3,100})@/dgi,
		accept: (secret) => !isHarmlessValue(secret),
	},
	{
		kind: "signed-url",
		literals: ["sig=", "signature=", "policy=", "code=", "key=", "token="],
		pattern:
			/[?&;](?:amp;)?(?:sig|signature|x-amz-signature|x-goog-signature|x-amz-security-token|x-amz-credential|code|key|hmac|st|oauth_signature|oauth_token|hash|auth|sign|ticket|session|sid|secret|password|pwd|pass|apikey|api-key|api_key|[\w.-]{0,30}token)=(?<secret>[^\s&"'`<>#\\)\]}]{8,4096})/dgi,
		accept: (secret, match) =>
			isQuerySecret(secret, /[?&;](?:amp;)?([\w.-]+)=/.exec(match[0])?.[1]?.toLowerCase() ?? ""),
	},
];

const DOCUMENTED =
	/^(?:password|passwd|pass|pwd|pw|secret|token|key|p|pword|passw|pass_?word|my-?pass(?:word)?|user-?pass(?:word)?|1234|xxx+|\*+|p4ss|foo|bar|baz|b|c)$/i;

function isUrlPassword(secret: string, user: string): boolean {
	const value = secret.replace(/%24/g, "$");
	if (DOCUMENTED.test(value) || /[{}()]|^\$|\$\{|\[|\]|^%\w+%?$|^<|^:/.test(value)) return false;
	if (/^\d{1,5}$/.test(value) && !/\w/.test(user)) return false;
	return value.length >= 3 && !isMaskOrPlaceholder(value);
}

function isMaskOrPlaceholder(value: string): boolean {
	return (
		value.length < 200 &&
		(/^[*.xX_-]+$/.test(value) ||
			/^(?:your|my|change|replace|example|placeholder|redacted)/i.test(value) ||
			/^[A-Z][A-Z_]{3,}$/.test(value) ||
			value.startsWith("[REDACTED]"))
	);
}

/** Names such as `sig`, `code` or `key` are common in addresses, so their value must look made. */
function isQuerySecret(secret: string, name: string): boolean {
	if (isHarmlessValue(secret) || /[$(){]/.test(secret)) return false;
	if (/^(?:hash|session|sid|st|code|key|auth|sign|ticket|signature|sig)$/.test(name))
		return isMadeValue(secret, name);
	if (/page|next|continuation|cursor/.test(name)) return false;
	return /\d/.test(secret) && /[a-z]/i.test(secret);
}

function isMadeValue(secret: string, name: string): boolean {
	if (/sig/.test(name)) return secret.length >= 16 && (/\d/.test(secret) || /%|=/.test(secret));
	if (name === "hash" || name === "st") return false;
	return secret.length >= 20 && /\d/.test(secret) && /[a-zA-Z]/.test(secret) && looksGenerated(secret);
}
