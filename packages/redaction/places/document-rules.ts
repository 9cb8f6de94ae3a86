import { isMadeUpWord } from "../judgement/check-name-form.ts";
import { hasRandomLetters, isPlaceholderToken, looksMixed } from "../judgement/check-randomness.ts";
import { isSecretValue } from "../judgement/check-value.ts";
import { classifyKey } from "../judgement/classify-key.ts";
import { isHarmlessValue } from "../judgement/reject-value.ts";
import type { ContextRule } from "./context-rule.ts";
import { isCookieSecret } from "./find-cookies.ts";
import { decodesToCredentials } from "./header-rules.ts";

/** Credential files and pairs of an identifier and its secret. */
export const DOCUMENT_RULES: readonly ContextRule[] = [
	{
		kind: "registry-login",
		literals: ['"auth"', "_auth", "'auth'", 'auth\\"', "identitytoken", "registrytoken"],
		pattern:
			/\\?["']?_?(?:auth|identitytoken|registrytoken)\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?(?<secret>[A-Za-z0-9+/_.-]{8,4096}={0,2})/iy,
		accept: decodesToCredentials,
	},
	{
		kind: "encoded-password",
		literals: [":_password"],
		pattern: /:_password[ \t]{0,2}=[ \t]{0,2}["']?(?<secret>[A-Za-z0-9+/]{6,400}={0,2})/y,
		accept: (secret) => !isHarmlessValue(secret),
	},
	{
		kind: "aws-secret-near-id",
		literals: ["akia", "asia", "aws"],
		pattern:
			/(?:A[KS]IA[A-Z0-9]{16}|aws|AWS)(?=[^A-Za-z0-9+/])[^\n]{0,100}?[^A-Za-z0-9+/=\n](?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/y,
		// The name of a role or a policy may have the length of a key.
		accept: (secret) => looksMixed(secret) && hasRandomLetters(secret) && !isPlaceholderToken(secret),
	},
	{
		kind: "aws-secret-next-line",
		literals: ["akia", "asia"],
		pattern:
			/A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9+/])[^\n]{0,80}\n(?:[ \t]{0,20}\r?\n)?[^\n]{0,60}?(?<![A-Za-z0-9+/=])(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/y,
		accept: (secret) => looksMixed(secret) && hasRandomLetters(secret),
	},
	{
		kind: "postgres-password-file",
		literals: [":543", ":6432:", ":*:", ":26257:"],
		pattern:
			/(?<=(?<![^\n\r])[\w*-][\w.*-]{0,100}):(?:543\d|6432|26257|\*):[\w*-]{1,64}:[\w*.@-]{1,64}:(?<secret>[^\s:]{3,200})(?![^\n\r])/y,
		accept: (secret) => !isHarmlessValue(secret),
	},
	{
		kind: "private-web-key",
		literals: ['"d"', '"p"', '"q"', '"dp"', '"dq"', '"qi"', '"k"'],
		pattern: /"(?:d|p|q|dp|dq|qi|k)"[ \t]{0,2}:\s{0,4}"(?<secret>[A-Za-z0-9_-]{20,4096})"/y,
		accept: (_, { input, index }) => /"kty"/.test(input.slice(Math.max(0, index - 1500), index + 1500)),
	},
	{
		kind: "login-secrets",
		literals: ['" * "'],
		pattern: /(?<="[\w.@-]{1,60})" \* "(?<secret>[^"\n]{4,200})"(?=[ \t]{1,8}[*\d"])/y,
		accept: (secret) => isSecretValue(secret, "password", "stated"),
	},
	{
		kind: "password-list",
		literals: ["chpasswd"],
		pattern:
			/chpasswd:\s{0,4}\n(?:[ \t]{1,12}expire:[^\n]{0,20}\n)?[ \t]{1,12}list:[ \t]{0,2}\|?\n[ \t]{1,16}(?:- )?[\w.-]{1,40}:(?<secret>\S{4,200})(?:\n[ \t]{1,16}(?:- )?[\w.-]{1,40}:(?<secret2>\S{4,200}))?/y,
		accept: (secret) => isSecretValue(secret, "password", "certain"),
	},
	{
		kind: "cookie-file",
		literals: ["\ttrue\t", "\tfalse\t"],
		pattern: /\t(?:TRUE|FALSE)\t\d{1,12}\t(?<name>[^\t\n]{1,80})\t(?<secret>[^\s]{6,4096})/y,
		accept: (secret, match) => isCookieSecret(match.groups?.["name"] ?? "", secret),
	},
	{
		kind: "session-cookie",
		literals: [
			"sessionid=",
			"session_id=",
			"sessid=",
			".sid=",
			"_session=",
			"csrftoken=",
			"xsrf-token=",
			"remember_token=",
			"auth_token=",
		],
		// As one of several, as `document.cookie` and logs have them.
		pattern:
			/(?<name>[\w.-]{4,20})=(?<secret>[^\s"'`;,&<>()]{16,4096})(?<next>;[ ]?[A-Za-z_][\w.-]{0,40}(?:[=;\s]|$))?/iy,
		accept: (secret, { input, index, groups }) =>
			(groups?.["next"] !== undefined ||
				/;[ ]?[\w.-]{0,40}$/.test(input.slice(Math.max(0, index - 44), index))) &&
			/\d.*\d.*\d/.test(secret) &&
			isCookieSecret(groups?.["name"] ?? "", secret),
	},
	{
		kind: "wireless-key",
		literals: ["wlan", "wifi", "wi-fi", "ssid"],
		pattern:
			/(?:wlan|wi-?fi|ssid)[^\n]{0,60}(?:\r?\n|[/,|])[ \t]{0,20}(?:key|code|schl\u00fcssel|cl\u00e9|clave|chave|chiave|sleutel|nyckel|klucz)[ \t]{0,2}[:=][ \t]{0,2}["'`]?(?<secret>[^\s"'`]{8,63})/iy,
		accept: isMadeUpWord,
	},
	{
		kind: "wireless-option",
		literals: ["option key "],
		pattern:
			/(?<=(?:ssid|psk|sae|encryption)[^\n]{0,40}\n[ \t]{0,8})option key ["'](?<secret>[^"'\n]{8,63})["']/y,
		accept: (secret) => !isHarmlessValue(secret),
	},
	{
		kind: "basic-login",
		literals: ["basic auth", "basic-auth"],
		pattern:
			/basic[ -]auth(?:entication)?(?: is|:|,)?[ \t]["'`]?[\w.@-]{2,40}:(?<secret>[^\s"'`,;/]{6,200})/iy,
		accept: isMixedPassword,
	},
	{
		kind: "usual-user-slash",
		literals: ["admin / ", "root / ", "demo / ", "guest / "],
		pattern: /(?:admin|root|demo|guest) \/ ["'`]?(?<secret>[^\s"'`,;/()]{6,200})/iy,
		accept: isMixedPassword,
	},
	{
		kind: "login-slash",
		literals: ["login ", "creds "],
		pattern: /(?<!\w)(?:login|creds)[ \t][\w.@+-]{2,64}[ ]?\/[ ]?(?<secret>[^\s"'`,;/]{6,200})/iy,
		accept: isMixedPassword,
	},
	{
		kind: "login-spaced-slash",
		literals: [
			"login:",
			"login with",
			"log in with",
			"creds",
			"credentials",
			"account:",
			"account (",
			"zugang:",
			"htaccess:",
			"zugangsdaten",
			"identifiants",
			"anmeldedaten",
			"credenciales",
			"credenziali",
			"user:",
			"user `",
		],
		pattern:
			/(?:log[ -]?in|creds|credentials|account|user|htaccess|identifiants|zugang|zugangsdaten|anmeldedaten|credenciales|credenziali)[ \t]{0,2}[:=(]?[ \t]?(?:(?:with|as|is|mit|avec|con)[ \t])?["'`]?[\w.@+-]{2,64}["'`]? [/|] ["'`]?(?<secret>[^\s"'`,;/()]{6,200})/iy,
		accept: isMixedPassword,
	},
	{
		kind: "wifi-code",
		literals: ["wifi:"],
		pattern: /WIFI:(?:[TSH]:[^;\n]{0,80};){1,3}P:(?<secret>[^;\n]{4,100});/y,
		accept: (secret) => !isHarmlessValue(secret),
	},
	{
		kind: "seed-phrase",
		literals: [
			"mnemonic",
			...["seed", "recovery", "secret", "backup"].flatMap((owner) =>
				[" phrase", "_phrase", "phrase", " words"].map((ending) => `${owner}${ending}`),
			),
		],
		// A note may follow the name, and the words may be on the lines below it, several on each or numbered.
		pattern:
			/(?:mnemonic|(?:seed|recovery|secret|backup)(?:[ _]?phrase| words))(?:["']?[ \t]{0,4}is:?|[^\n:=]{0,60}[:=])[ \t]{0,4}(?:\r?\n[ \t]{0,12}){0,2}["'`]?(?<secret>(?:(?:\d{1,2}[.):]? )?[a-z]{3,8}(?: {1,4}|[ \t]{0,4}\r?\n[ \t]{0,12})){11,23}(?:\d{1,2}[.):]? )?[a-z]{3,8})(?![a-z])/iy,
		accept: (secret) => !/(?<![a-z])(?:the|and|for|your|are|with|from|not|was|which)(?![a-z])/i.test(secret),
	},
	{
		kind: "wallet-key",
		literals: ["wif"],
		pattern:
			/(?<![A-Za-z])WIF(?:[ \t]{0,2}[:=][ \t]{0,2}["']?|[ \t])(?<secret>[5KLc9][1-9A-HJ-NP-Za-km-z0OIl]{50,51})(?![A-Za-z0-9])/iy,
		accept: looksMixed,
	},
	{
		kind: "listed-wallet-keys",
		literals: ["private keys"],
		pattern:
			/private keys:?\r?\n[=-]{0,60}\r?\n?(?:\r?\n)?[ \t]{0,8}(?:\(\d{1,3}\)|\d{1,3}[.:)]) (?<secret>(?:0x)?[0-9a-f]{64}(?:\r?\n[ \t]{0,8}(?:\(\d{1,3}\)|\d{1,3}[.:)]) (?:0x)?[0-9a-f]{64}){0,99})/iy,
	},
	{
		kind: "setup-key",
		literals: ["setup key", "setup code", "secret key", "authenticator", "totp"],
		pattern:
			/(?:setup key|setup code|secret key|authenticator|totp)[^\n:]{0,60}:[ \t]{0,4}["'`]?(?<secret>(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{1,4}|(?:[a-z2-7]{4} ){7}[a-z2-7]{4})(?![A-Za-z0-9])/y,
		accept: (secret) => /[2-7]/.test(secret),
	},
	{
		kind: "grouped-key",
		literals: ["recovery key", "security key", "unlock key", "restore key", "backup key"],
		pattern:
			/(?:recovery|security|unlock|restore|backup) key[^\n:]{0,40}:[ \t]{0,4}(?:\r?\n[ \t]{0,8})?["'`]?(?<secret>(?:[A-Za-z0-9]{4}[ -]){3,15}[A-Za-z0-9]{4})(?![A-Za-z0-9])/iy,
		accept: (secret) => /\d/.test(secret) && /[A-Za-z]/.test(secret),
	},
	{
		kind: "told-before-its-name",
		literals: ["as", "is"].flatMap((verb) =>
			["the", "my", "your", "our"].flatMap((owner) =>
				["password", "passphrase", "root password", "admin password"].map(
					(name) => `${verb} ${owner} ${name}`,
				),
			),
		),
		pattern:
			/(?<=["'`](?<secret>[^"'`\n]{6,80})["'`] |(?<=[\s(])(?<secret2>[^\s"'`]{6,80}) )(?:as|is) (?:the|my|your|our) (?:root |admin )?pass(?:word|phrase)(?![\w-])(?! (?:for|of) the )/iy,
		accept: (secret) =>
			/\s/.test(secret) ? isSecretValue(secret, "password", "quoted") : isMixedPassword(secret),
	},
	{
		kind: "answered-question",
		literals: ["password?", "passphrase?", "passwd?", "passwort?", " pw?", "pass?"],
		pattern:
			/(?:password|passphrase|passwd|passwort| pw|pass)\?[\s>"'`*-]{1,12}(?:[\w@. -]{1,30}[:>] ?)?(?:(?:it'?s|it is|that'?s|try|use|should be|ist|sure[,:]?|yes[,:]?) ){0,2}["'`]?(?<secret>[^\s"'`,;()]{6,80})/iy,
		accept: isMixedPassword,
	},
	{
		kind: "mail-relay",
		literals: ["]:25", "]:46", "]:58"],
		pattern: /(?<=\[[\w.-]{4,80})\]:\d{2,5}[ \t]{1,8}[\w.@+-]{2,80}:(?<secret>[^\s:]{4,200})/y,
		accept: (secret) => isSecretValue(secret, "password", "quoted"),
	},
	{
		kind: "account-key",
		literals: ['"username"', "'crypt'", '"github-oauth"', '"gitlab-token"', '"bearer"'],
		pattern:
			/(?:"username"[ \t]{0,4}:[ \t]{0,4}"[^"\n]{1,60}",\s{0,20}"key"|'crypt' => \[\s{0,20}'key'|"(?:github-oauth|gitlab-token|bearer)"[ \t]{0,4}:[ \t]{0,4}\{\s{0,40}"[\w.-]{3,80}")[ \t]{0,4}(?::|=>)[ \t]{0,4}["'](?<secret>[A-Za-z0-9_-]{16,200})["']/y,
		accept: (secret) => /\d/.test(secret) && !isHarmlessValue(secret),
	},
	{
		kind: "dial-in-secret",
		literals: ["\t*\t"],
		pattern: /(?<=(?<![^\n])["']?[\w.@-]{1,60}["']?)\t\*\t["']?(?<secret>[^\s"']{4,200})/y,
		accept: (secret) => isSecretValue(secret, "password", "stated"),
	},
	{
		kind: "registry-identity",
		literals: ["authident"],
		pattern: /authident["']?[ \t]{0,4}[:=][ \t]{0,4}["']?[\w.@-]{1,60}:(?<secret>[^\s"']{4,200})/iy,
		accept: (secret) => !isHarmlessValue(secret),
	},
	{
		kind: "hashed-in-template",
		literals: ["| password_hash"],
		pattern: /(?<=["'](?<secret>[^"'\n{}]{4,200})["'] ?)\| password_hash/y,
		accept: (secret) => !isHarmlessValue(secret),
	},
	{
		kind: "generated-password",
		literals: ["random_password", "random_string"],
		pattern:
			/random_(?:password|string)"[\s\S]{0,600}?"result"[ \t]{0,4}:[ \t]{0,4}"(?<secret>[^"\n]{4,400})"/y,
		accept: (secret) => !isHarmlessValue(secret),
	},
	{
		kind: "cookies-of-call",
		literals: ["cookies=", "cookies =", "cookies:", 'cookies":', "cookies':"],
		pattern:
			/cookies["']?[ \t]{0,2}[:=][ \t]{0,2}(?:dict\(|\{[ \t]{0,2}["'])(?<name>[\w.-]{2,60})["']?[ \t]{0,2}[:=][ \t]{0,2}["'](?<secret>[^"'\n]{6,4096})["']/iy,
		accept: (secret, match) => isCookieSecret(match.groups?.["name"] ?? "", secret),
	},
	{
		kind: "device-login",
		literals: ['device_code"', 'devicecode"'],
		pattern: /device_?code"[ \t]{0,2}:[ \t]{0,2}"(?<secret>[^"\s]{16,400})"/iy,
		accept: (secret) => !isHarmlessValue(secret),
	},
	{
		kind: "windows-hash",
		literals: [":::"],
		pattern: /(?<=:\d{3,7}:[0-9a-f]{32}:(?<secret>[0-9a-f]{32})):::/y,
	},
	{
		kind: "key-as-numbers",
		literals: ["id.json", "keypair", "secretkey", "secret_key", "uint8array"],
		pattern:
			/(?:id\.json|keypair|secret_?key|uint8array)[^\n[]{0,60}\r?\n?[^\n[]{0,40}\[(?<secret>(?:\s{0,8}\d{1,3}\s{0,4},){63}\s{0,8}\d{1,3})\s{0,8}\]/iy,
		accept: (secret) => new Set(secret.match(/\d{1,3}/g)).size > 40,
	},
	{
		kind: "directory-login",
		literals: ["@10.", "@192.", "@172.", "@localhost"],
		pattern:
			/(?<=(?:[A-Z][\w.-]{1,30}\/[\w.-]{1,40}|mysqlsh [\w.-]{1,40}):(?<secret>[^\s:@/"'`]{4,100}))@(?:\d{1,3}\.\d|localhost)/y,
		accept: (secret) => isSecretValue(secret, "password", "stated"),
	},
	{
		kind: "password-input",
		literals: ['type="password"', "type='password'"],
		pattern: /type=["']password["'][^<>\n]{0,200}?\bvalue=["'](?<secret>[^"'<>\n]{3,200})["']/iy,
		accept: (secret) => isSecretValue(secret, "password", "certain"),
	},
	{
		kind: "form-part",
		literals: ["form-data; name="],
		pattern:
			/form-data; name="(?<name>[\w.[\]-]{1,60})"\r?\n(?:[\w-]{1,40}:[^\r\n]{0,100}\r?\n){0,4}\r?\n(?<secret>[^\r\n]{4,2048})/iy,
		accept: (secret, match) => isSecretValue(secret, classifyKey(match.groups?.["name"] ?? ""), "certain"),
	},
	{
		kind: "login-pair",
		literals: ["credentials", "creds", "login", "user/pass", "username/pass"],
		pattern:
			/(?<!\w)(?:credentials|creds|user(?:name)?\/pass(?:word)?|login)(?:["']?[ \t]{0,2}[:=]|[ \t]are:?)[ \t]{0,2}["'`]?[\w.@+-]{2,64}[ ]?[/:][ ]?(?<secret>[^\s"'`,;]{6,200})/iy,
		accept: (secret) =>
			isSecretValue(secret, "password", "quoted") && /\d/.test(secret) && !secret.startsWith("//"),
	},
];

/** More than a word with a number: the names of pages and roles are written so, too. */
function isMixedPassword(secret: string): boolean {
	return (
		isMadeUpWord(secret) && !/^[A-Za-z]+\d+$/.test(secret) && isSecretValue(secret, "password", "stated")
	);
}
