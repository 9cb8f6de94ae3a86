import { looksGenerated } from "../judgement/check-randomness.ts";
import { isHarmlessValue } from "../judgement/reject-value.ts";
import { UUID } from "../shapes/token-shape.ts";
import type { ContextRule } from "./context-rule.ts";

/** Parts of an address after which a part that was made up lets its holder in. */
const SECRET_LINKS = [
	"hooks",
	"hook",
	"webhook",
	"webhooks",
	"invite",
	"invitation",
	"invitations",
	"join",
	"reset",
	"reset-password",
	"password-reset",
	"verify",
	"verify-email",
	"confirm",
	"confirmation",
	"activate",
	"activation",
	"magic",
	"magic-link",
	"magiclink",
	"unsubscribe",
	"signin",
	"callback",
];

/** Most addresses have none. */
const AT_SIGN = /@/g;

export const URL_RULES: readonly ContextRule[] = [
	{
		kind: "url-password",
		literals: ["://"],
		follows: AT_SIGN,
		pattern: /:\/\/(?<user>[^\s:@/?#"'`<>\\,]{0,100}):(?<secret>[^\s/"'`<>\\]{1,200})@(?=[\w.[$-])/y,
		accept: (secret, match) => isUrlPassword(secret, match.groups?.["user"] ?? ""),
	},
	{
		kind: "database-url-password",
		literals: ["://"],
		follows: AT_SIGN,
		pattern:
			/(?<=postgres|postgresql|mysql|mariadb|mongodb|\+srv|redis|rediss|amqps?|ftps?|smtps?)(?::\/\/)(?<user>[^\s:@/?#"'`<>\\,]{1,100}):(?<secret>[^\s"'`<>\\@]{1,200})@(?=[\w.[$-])/y,
		accept: (secret, match) => isUrlPassword(secret, match.groups?.["user"] ?? ""),
	},
	{
		// As the user, with nothing or a fixed word in place of the password.
		kind: "url-token",
		literals: ["://"],
		follows: AT_SIGN,
		pattern: /:\/\/(?<secret>[A-Za-z0-9_.~%-]{16,400})(?::(?:x-oauth-basic|x)?)?@(?=[\w.[-])/y,
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
	{
		// What follows is the only thing that keeps strangers out.
		kind: "secret-link",
		literals: SECRET_LINKS.map((word) => `/${word}/`),
		pattern: new RegExp(
			String.raw`(?<=://[^\s"'<>]{3,200})/(?:${SECRET_LINKS.join("|")})/(?:(?:accept|verify|new|token|password|email|edit|v\d|[A-Za-z0-9]{17})/){0,2}(?<secret>[A-Za-z0-9_.~%=-]{16,400})`,
			"iy",
		),
		accept: (secret, match) =>
			(looksGenerated(secret) || /^[0-9a-f]{24,}$/i.test(secret)) &&
			(/hook/i.test(match[0]) || !UUID_VALUE.test(secret)) &&
			!isHarmlessValue(secret),
	},
	{
		kind: "secret-link-parameter",
		literals: SECRET_LINKS.map((word) => `/${word}?`),
		pattern: new RegExp(
			String.raw`(?<=://[^\s"'<>]{3,200})/(?:${SECRET_LINKS.join("|")})\?(?:[\w.-]{1,20}=[^\s&"'<>]{0,80}&){0,3}[\w.-]{1,12}=(?<secret>[A-Za-z0-9_.~%-]{20,400})`,
			"iy",
		),
		accept: (secret) => looksGenerated(secret) && !UUID_VALUE.test(secret) && !isHarmlessValue(secret),
	},
];

const UUID_VALUE = new RegExp(`^${UUID}$`, "i");

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
