import { looksGenerated } from "../judgement/check-randomness.ts";
import { isHarmlessValue } from "../judgement/reject-value.ts";
import type { ContextRule } from "./context-rule.ts";

export const URL_RULES: readonly ContextRule[] = [
	{
		kind: "url-password",
		literals: ["://"],
		pattern: /:\/\/(?<user>[^\s:@/?#"'`<>\\,]{0,100}):(?<secret>[^\s/"'`<>\\]{1,200})@(?=[\w.[$-])/y,
		accept: (secret, match) => isUrlPassword(secret, match.groups?.["user"] ?? ""),
	},
	{
		kind: "database-url-password",
		literals: ["://"],
		pattern:
			/(?<=postgres|postgresql|mysql|mariadb|mongodb|\+srv|redis|rediss|amqps?|ftps?|smtps?)(?::\/\/)(?<user>[^\s:@/?#"'`<>\\,]{1,100}):(?<secret>[^\s"'`<>\\@]{1,200})@(?=[\w.[$-])/y,
		accept: (secret, match) => isUrlPassword(secret, match.groups?.["user"] ?? ""),
	},
	{
		kind: "url-token",
		literals: ["://"],
		pattern: /:\/\/(?<secret>[A-Za-z0-9_.~%-]{16,400})@(?=[\w.-]{3})/y,
		accept: (secret) => !isHarmlessValue(secret) && looksGenerated(secret),
	},
	{
		kind: "url-token-as-user",
		literals: ["://"],
		pattern: /:\/\/(?<secret>[A-Za-z0-9_.~%-]{16,400}):(?:x-oauth-basic|x)?@(?=[\w.[])/y,
		accept: (secret) => !isHarmlessValue(secret) && looksGenerated(secret),
	},
	{
		kind: "encoded-url-password",
		literals: ["%3a%2f%2f"],
		pattern:
			/%3A%2F%2F(?<user>[\w.-]{1,60})%3A(?<secret>[^\s%&"'<>]{1,80}(?:%(?!40)[0-9A-Fa-f]{2}[^\s%&"'<>]{0,40}){0,8})%40/iy,
		accept: (secret, match) => isUrlPassword(secret, match.groups?.["user"] ?? ""),
	},
	{
		kind: "driver-address",
		literals: ["@tcp(", "@unix(", "@protocol("],
		pattern: /(?<=(?<![\w.-])[\w.-]{1,40}:(?<secret>[^\s:"'`/]{1,120}))@(?:tcp|unix|protocol)\(/y,
		accept: (secret) => isUrlPassword(secret, "user"),
	},
	{
		kind: "oracle-address",
		literals: ["thin:", "sqlplus"],
		pattern:
			/(?:thin:|sqlplus(?: -[A-Za-z]){0,3} ["']?)(?<user>[\w$#]{1,40})\/(?<secret>[^\s@"'/]{3,100})@/iy,
		accept: (secret) => !isHarmlessValue(secret),
	},
];

const DOCUMENTED =
	/^(?:password|passwd|pass|pwd|pw|secret|token|key|pword|passw|pass_?word|my-?pass(?:word)?|user-?pass(?:word)?|1234|p4ss)$/i;

function isUrlPassword(secret: string, user: string): boolean {
	const value = secret.replace(/%24/g, "$");
	if (value.length < 4 || value === "x-oauth-basic" || DOCUMENTED.test(value)) return false;
	// `guest:guest`, `postgres:postgres`: what a program comes with.
	if (value === user && /^[a-z]{3,16}$/i.test(value)) return false;
	if (/[{}()]|^\$[A-Z_]|\$\{|^[[%]|^<|^:/.test(value)) return false;
	if (/^\d{1,5}$/.test(value) && !/\w/.test(user)) return false;
	return !isMaskOrPlaceholder(value);
}

function isMaskOrPlaceholder(value: string): boolean {
	return (
		/^[*.xX_-]+$/.test(value) ||
		/^(?:your|my[-_]|change[-_]?(?:me|it|this)$|replace|example|placeholder|redacted|some)/i.test(value) ||
		/^[A-Z]{2,}_[A-Z_]+$/.test(value) ||
		/^(?:PASSWORD|PASS|TOKEN|SECRET|KEY)$/.test(value)
	);
}
