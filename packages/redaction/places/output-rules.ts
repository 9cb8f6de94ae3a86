import { escapePattern } from "@deputize/ground";
import { isSecretValue } from "../judgement/check-value.ts";
import { isHarmlessValue } from "../judgement/reject-value.ts";
import type { ContextRule } from "./context-rule.ts";

/** Commands that print a secret and nothing else: generators, stores of passwords, files that contain one. */
const COMMANDS: readonly (readonly [literal: string, pattern: string])[] = [
	["genkey", String.raw`wg genkey|genkey`],
	["dumpprivkey", String.raw`(?:bitcoin|litecoin|dogecoin|dash)-cli [^\n]{0,60}dumpprivkey`],
	["genpsk", String.raw`wg genpsk`],
	["openssl rand", String.raw`openssl rand`],
	["pwgen", String.raw`pwgen`],
	["rails secret", String.raw`(?:bin/|bundle exec )?rails secret`],
	["rake secret", String.raw`rake secret`],
	["token_", String.raw`python[\d.]{0,4} -c [^\n]{0,80}secrets\.token_`],
	["get_random_secret_key", String.raw`python[\d.]{0,4} [^\n]{0,80}get_random_secret_key`],
	["randombytes(", String.raw`node -[ep][^\n]{0,60}randomBytes`],
	["pass show", String.raw`(?:go)?pass(?: show)?`],
	["gopass ", String.raw`gopass(?: show)?`],
	["keygen", String.raw`age-keygen|php artisan key:generate --show`],
	["fernet.generate", String.raw`python[\d.]{0,4} [^\n]{0,80}Fernet\.generate_key`],
	["get-login-password", String.raw`aws ecr(?:-public)? get-login-password`],
	[
		"$ cat ",
		String.raw`(?:sudo )?(?:cat|head(?: -\d{1,2})?|tail|less|more|type|bat)[ \t](?=[^\n]{0,120}(?:master\.key|\.erlang\.cookie|\.google_authenticator|auth\.txt|\.vault[-_]?(?:token|pass)|passw(?:or)?d|secret|token|credentials|api[-_]?key|\.pass\b|passphrase))`,
	],
	[
		"$ head ",
		String.raw`(?:sudo )?head(?: -n? ?\d{1,2})?[ \t](?=[^\n]{0,120}(?:\.key\b|cookie|authenticator|passw(?:or)?d|secret|token))`,
	],
];

const PROMPT = String.raw`(?<=(?:^|\n)[ \t]{0,8}(?:[\w@:~.\\/-]{0,40}[$#>%][ ]{1,2})?)`;

/** What is printed below such a command. */
export const OUTPUT_RULES: readonly ContextRule[] = [
	{
		kind: "printed-secret",
		literals: [...COMMANDS.map(([literal]) => literal), "# cat ", "> type "],
		pattern: new RegExp(
			String.raw`(?:${COMMANDS.map(([literal]) => escapePattern(literal)).join("|")}|# cat |> type )[^\n]{0,160}\r?\n(?:[\w.@-]{2,30}\r?\n)?(?<secret>[^\s"']{8,400})[ \t]{0,4}(?=\r?\n|$)`,
			"iy",
		),
		accept: isPrintedSecret,
	},
	{
		kind: "printed-password",
		literals: [
			"printenv ",
			"echo $",
			'echo "$',
			"terraform output ",
			"gcloud secrets ",
			"az keyvault ",
			"kubectl ",
			"vault kv get ",
			"heroku config:get ",
			"pass ",
			"gopass ",
			"op read ",
			"op item get ",
			"bw get password ",
			"lpass show ",
			"security find-",
			"secret-tool lookup ",
			"keyring get ",
		],
		pattern:
			/(?<=(?:^|\n)[^\n]{0,40}[$#>%] )(?:(?:go)?pass (?:show )?(?:-[\w-]{1,12} )?(?=[\w.@-]{1,40}\/|\w{3})(?!insert|generate|edit|git|rm|mv|cp|ls|find|init|grep|config)|op (?:read|item get) |bw get password |lpass show |security find-(?:generic|internet)-password |secret-tool lookup |keyring get |printenv \w{0,40}(?:PASS|PWD|SECRET)|echo "?\$\{?\w{0,40}(?:PASS|PWD|SECRET)|terraform output -raw \w{0,40}(?:pass|secret)|gcloud secrets versions access |az keyvault secret show [^\n]{0,120}tsv|kubectl [^\n]{0,60}get secret [^\n]{0,120}\|[ \t]?base64 |vault kv get -field|heroku config:get )[^\n|>]{0,160}\r?\n(?:[\w.@-]{1,40},)?(?<secret>[^\n]{4,200})(?=\r?\n|$)/y,
		accept: (secret) =>
			!/^(?:\[|error|usage|no |unknown|[\w ]{2,30}: )/i.test(secret) &&
			isSecretValue(secret.trim(), "password", "quoted"),
	},
];

const LEADS = new RegExp(`${PROMPT}(?:${COMMANDS.map(([, pattern]) => pattern).join("|")})`, "i");

function isPrintedSecret(secret: string, { input, index, 0: whole }: RegExpExecArray): boolean {
	const start = input.lastIndexOf("\n", index) + 1;
	if (index - start > 120 || !LEADS.test(input.slice(start, index + whole.indexOf("\n")))) return false;
	return !isHarmlessValue(secret) && !/[:=<>{}]./.test(secret) && isSecretValue(secret, "password", "stated");
}
