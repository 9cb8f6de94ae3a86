import { isPlaceholderToken, looksMixed } from "./check-randomness.ts";
import { isSecretValue } from "./check-value.ts";
import type { ContextRule } from "./context-rule.ts";
import { decodesToCredentials } from "./header-rules.ts";
import { isHarmlessValue } from "./reject-value.ts";

/** Credential files and the few token forms that have neither a fixed part nor a name of their own. */
export const DOCUMENT_RULES: readonly ContextRule[] = [
	{
		kind: "registry-login",
		literals: ["auth"],
		pattern:
			/(?:"auth"|_auth|'auth'|\\"auth\\"|identitytoken"|"registrytoken")[ \t]{0,4}[:=][ \t]{0,4}\\?["']?(?<secret>[A-Za-z0-9+/_.-]{8,4096}={0,2})/dg,
		accept: (secret) => decodesToCredentials(secret),
	},
	{
		kind: "encoded-password",
		literals: ["_password"],
		pattern: /:_password[ \t]{0,2}=[ \t]{0,2}["']?(?<secret>[A-Za-z0-9+/]{6,400}={0,2})/dg,
		accept: (secret) => !isHarmlessValue(secret),
	},
	{
		kind: "aws-secret-near-id",
		literals: ["akia", "asia", "aws"],
		pattern:
			/(?:A[KS]IA[A-Z0-9]{16}|\baws\b|AWS)[^A-Za-z0-9+/][^\n]{0,100}?[^A-Za-z0-9+/=\n](?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/dg,
		accept: (secret) => looksMixed(secret) && !isPlaceholderToken(secret),
	},
	{
		kind: "aws-secret-next-line",
		literals: ["akia", "asia"],
		pattern:
			/A[KS]IA[A-Z0-9]{16}[^A-Za-z0-9+/][^\n]{0,80}\n[^\n]{0,60}?(?<![A-Za-z0-9+/=])(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/dg,
		accept: (secret) => looksMixed(secret),
	},
	{
		kind: "postgres-password-file",
		literals: [":5432:", ":5433:", ":6432:", ":*:", ":26257:", ":5439:"],
		pattern:
			/(?<![^\n\r])(?:[\w*-][\w.*-]{0,100}):(?:543\d|6432|26257|\*):[\w*-]{1,64}:[\w*.@-]{1,64}:(?<secret>[^\s:]{3,200})(?![^\n\r])/dg,
		accept: (secret) => !isHarmlessValue(secret),
	},
	{
		kind: "wifi-code",
		literals: ["wifi:"],
		pattern: /WIFI:(?:[TSH]:[^;\n]{0,80};){1,3}P:(?<secret>[^;\n]{4,100});/dg,
		accept: (secret) => !isHarmlessValue(secret),
	},
	{
		kind: "discord-bot",
		literals: ["."],
		pattern:
			/(?<![\w.-])(?<secret>[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})(?![\w-])/dg,
		accept: (secret) => looksMixed(secret),
	},
	{
		kind: "mailgun-new",
		literals: ["mailgun", "api"],
		pattern: /(?<![0-9a-f-])(?<secret>[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?![0-9a-f-])/dg,
		accept: () => true,
	},
	{
		kind: "ghost-admin",
		literals: [":"],
		pattern: /(?<![0-9a-f:])(?<secret>[0-9a-f]{24}:[0-9a-f]{64})(?![0-9a-f])/dg,
		accept: () => true,
	},
	{
		kind: "facebook-app",
		literals: ["|"],
		pattern: /(?<!\d)(?<secret>\d{15,16}\|[A-Za-z0-9_-]{27})(?![\w-])/dg,
		accept: (secret) => looksMixed(secret),
	},
	{
		kind: "cloudinary-pair",
		literals: ["ac"],
		pattern: /\bAC[0-9a-f]{32}["']?[:,][ \t]{0,2}["']?(?<secret>[0-9a-f]{32})(?![0-9a-f])/dg,
		accept: () => true,
	},
	{
		kind: "password-input",
		literals: ['type="password"', "type='password'"],
		pattern: /type=["']password["'][^<>\n]{0,200}?\bvalue=["'](?<secret>[^"'<>\n]{3,200})["']/dg,
		accept: (secret) => isSecretValue(secret, "password", "certain"),
	},
	{
		kind: "login-pair",
		literals: ["credentials", "creds", "login", "user"],
		pattern:
			/\b(?:[cC]redentials|[cC]reds|CREDENTIALS|[uU]ser(?:name)?\/[pP]ass(?:word)?|[lL]ogin)["']?[ \t]{0,2}[:=][ \t]{0,2}["'`]?[\w.@+-]{2,64}[/:](?<secret>[^\s"'`,;]{6,200})/dg,
		accept: (secret) =>
			isSecretValue(secret, "password", "stated") && /\d/.test(secret) && !/^\/\//.test(secret),
	},
];
