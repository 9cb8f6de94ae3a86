import { isMadeUpWord } from "../judgement/check-name-form.ts";
import { looksMixed } from "../judgement/check-randomness.ts";
import { isSecretValue } from "../judgement/check-value.ts";
import { isHarmlessValue } from "../judgement/reject-value.ts";
import type { ContextRule } from "./context-rule.ts";

/** A signing key, or a phrase that somebody chose for one. */
const isSigningKey = (secret: string): boolean =>
	/\s/.test(secret) ? isSecretValue(secret, "password", "quoted") : isSecretValue(secret, "secret", "stated");
const isQuoted = (secret: string): boolean => secret.length >= 3 && !isHarmlessValue(secret);

/** `Ampel=gelb;bremsen`: words, and between them what no name has. */
const JOINED_BY_SIGNS = /^(?=.{8,80}$)[\p{L}\d]+(?:[.=;!?*+#%&~]+[\p{L}\d]+)*[=;!?*+#%&~]+[\p{L}\d]+$/u;

/** Statements that set a password, and calls that take a user and a password in turn. */
export const SQL_RULES: readonly ContextRule[] = [
	{
		kind: "sql-identified",
		literals: ["identified"],
		pattern:
			/identified\s{1,4}(?:with\s{1,4}["'`]?\w{1,40}["'`]?\s{1,4})?(?:by|as)\s{1,4}(?:(?:password|values?)\s{1,4})?\\?["'](?<secret>[^"'\n]{2,400})/iy,
		accept: isQuoted,
	},
	{
		kind: "sql-identified-bare",
		literals: ["identified by "],
		pattern:
			/(?<=(?:USER|ROLE|user|role)\s{1,4}[\w."`]{1,60}\s{1,4})identified by (?<secret>[^\s"';]{4,200})/iy,
		accept: isQuoted,
	},
	{
		kind: "sql-password",
		literals: ["password"],
		pattern: /(?<![\w-])password[ \t]{1,3}(?:=[ \t]{0,2})?(?:PASSWORD\()?'(?<secret>(?:[^'\n]|''){3,400})'/iy,
		accept: (secret, match) =>
			isQuoted(secret) &&
			(/\s/.test(secret)
				? isStatement(match) && isSecretValue(secret, "password", "certain")
				: /[^a-z]/.test(secret) || secret.length >= 8),
	},
	{
		kind: "sql-password-function",
		literals: ["password("],
		pattern: /(?<!\w)PASSWORD\(["'](?<secret>[^"'\n]{3,400})["']\)/y,
		accept: isQuoted,
	},
	{
		kind: "sql-crypt",
		literals: ["crypt('"],
		pattern: /crypt\('(?<secret>[^'\n]{3,200})',/iy,
		accept: (secret) => isSecretValue(secret, "password", "stated"),
	},
	{
		kind: "sql-procedure",
		literals: ["sp_addlogin", "sp_password", "sp_addlinkedsrvlogin", "sp_addapprole", "sp_setapprole"],
		pattern:
			/sp_(?:(?:addlogin|password|addapprole|setapprole)\s{1,4}|addlinkedsrvlogin\s{1,4}(?:N?(?:'[^'\n]{0,100}'|\w{1,60}),\s{0,4}){3})N?(?:'[^'\n]{0,100}'|\w{1,60}),\s{0,4}N?'(?<secret>[^'\n]{4,200})'/iy,
		accept: (secret) => isSecretValue(secret, "password", "quoted"),
	},
	{
		kind: "call-with-credentials",
		literals: [
			"auth",
			"networkcredential",
			"passwordcredential",
			"usernamepasswordcredentials",
			".login",
			"getconnection",
			"credentials",
			"set_password",
		],
		pattern:
			/(?:auth|basic_?auth|networkcredential|passwordcredential|usernamepasswordcredentials?|passwordauthentication|authentication|\.login|getconnection|credentials|set_password)[ \t]{0,2}(?:=[ \t]{0,2})?[([]\s{0,40}(?:["'][^"'\n]{1,100}["'],\s{0,40}){1,3}["'](?<secret>[^"'\n]{4,200})["']/iy,
		accept: (secret) => isSecretValue(secret, "password", "stated") || JOINED_BY_SIGNS.test(secret),
	},
	{
		kind: "database-call",
		literals: [
			"mysqli",
			"pdo(",
			"sequelize(",
			"dbi->connect(",
			"mysqldb.connect(",
			"pymysql.connect(",
			"create_superuser(",
			"set_password(",
		],
		pattern:
			/(?:mysqli(?:_(?:real_)?connect)?|PDO|Sequelize|DBI->connect|(?:MySQLdb|pymysql)\.connect|create_superuser|(?:keyring\.)?set_password)\([ \t]{0,2}(?:(?:["'][^"'\n]{0,120}["']|[\w$.>-]{1,60}),[ \t]{0,2}){2}["'](?<secret>[^"'\n]{4,200})["']/iy,
		accept: (secret) => isSecretValue(secret, "password", "stated"),
	},
	{
		kind: "database-call-short",
		literals: ["cx_oracle.connect(", "oracledb.connect(", "algoliasearch(", "basic_auth("],
		pattern:
			/(?:(?:cx_Oracle|oracledb)\.connect|algoliasearch|basic_auth)\([ \t]{0,2}["'][^"'\n]{1,120}["'],[ \t]{0,2}(?:Some\()?["'](?<secret>[^"'\n]{4,200})["']/iy,
		accept: (secret) => isSecretValue(secret, "password", "stated"),
	},
	{
		kind: "client-call",
		literals: ['client("', "client('"],
		pattern: /client\(["'](?<secret>[A-Za-z0-9_-]{32,200})["']\)/iy,
		accept: (secret) => /^[0-9a-f]{32,64}$/.test(secret) || looksMixed(secret),
	},
	{
		kind: "characters-of-password",
		literals: ['".tochararray('],
		pattern: /(?<="(?<secret>[^"\n\\]{6,100}))"\.toCharArray\(/y,
		accept: (secret) => isMadeUpWord(secret) && isSecretValue(secret, "password", "quoted"),
	},
	{
		kind: "cipher-call",
		literals: ["createcipheriv(", "createdecipheriv(", "aes.new(", "aesgcm(", "secretkeyspec("],
		pattern:
			/(?:createCipheriv|createDecipheriv|AES\.new|AESGCM|SecretKeySpec)\([ \t]{0,2}(?:["'][\w-]{3,30}["'],[ \t]{0,2})?(?:Buffer\.from\(|bytes\.fromhex\(|b)?["'](?<secret>[^"'\n]{16,200})["']/iy,
		accept: (secret) => isSecretValue(secret, "secret", "stated"),
	},
	{
		kind: "value-before-name",
		literals: ["assertequals(", "assert_equal", "where '", "areequal(", '=> "'],
		pattern:
			/(?:assert_?[eE]quals?\(?|AreEqual\(|where |=> )[ \t]{0,2}["'](?<secret>[^"'\n]{8,400})["'](?:,| =|[ \t]{1,4}#)[^\n]{0,60}?(?:password|passwd|secret|token|api_?key)(?![A-Za-z_-])/iy,
		accept: (secret) => isSecretValue(secret, "secret", "stated"),
	},
	{
		kind: "sql-set-password",
		literals: ["set password"],
		pattern:
			/set password(?: for [^=\n]{1,80})?[ \t]{0,4}=[ \t]{0,4}(?:PASSWORD\()?["'](?<secret>[^"'\n]{3,200})["']/iy,
		accept: isQuoted,
	},
	{
		kind: "graph-password",
		literals: ["set password from"],
		pattern: /set password from ["'](?<secret>[^"'\n]{3,200})["'] to ["'](?<secret2>[^"'\n]{3,200})["']/iy,
		accept: isQuoted,
	},
	{
		kind: "driver-connection",
		literals: ["getconnection("],
		pattern:
			/getconnection\([ \t]{0,2}[\w.]{1,60},[ \t]{0,2}["'][^"'\n]{1,100}["'],[ \t]{0,2}["'](?<secret>[^"'\n]{3,200})["']/iy,
		accept: isQuoted,
	},
	{
		kind: "login-with-token",
		literals: [".login(", ".start(", "set_token("],
		pattern: /\.?(?:login|start|set_token)\([ \t]{0,2}["'](?<secret>[A-Za-z0-9_.-]{40,100})["']/y,
		accept: (secret) => isSecretValue(secret, "weak", "stated"),
	},
	{
		kind: "listed-key",
		literals: ['"value"'],
		pattern: /"value"[ \t]{0,4}:[ \t]{0,4}"(?<secret>[A-Za-z0-9+/]{86}==)"/y,
	},
	{
		kind: "keyed-call",
		literals: ["hmac.new(", "cookieparser(", "fernet(", "signer(", "serializer("],
		pattern:
			/(?:hmac\.new|cookieparser|fernet|signer|serializer)\([ \t]{0,2}(?:key=|secret_key=)?[bru]?["'](?<secret>[^"'\n]{6,200})["']/iy,
		accept: isSigningKey,
	},
	{
		kind: "cookie-keys",
		literals: ["cookiesession("],
		pattern: /cookieSession\([^()\n]{0,200}?keys:[ \t]{0,2}\[[ \t]{0,2}["'](?<secret>[^"'\n]{6,200})["']/iy,
		accept: isSigningKey,
	},
	{
		kind: "signing-call",
		literals: ["jwt.sign(", "jwt.verify(", "createhmac(", "jwt.encode(", "jwt.decode("],
		pattern:
			/(?:jwt\.(?:sign|verify|encode|decode)|createHmac)\((?:[^"'()\n]{0,60}|["']sha-?\d{1,3}["']),[ \t]{0,2}["'](?<secret>[^"'\n]{6,200})["']/iy,
		accept: isSigningKey,
	},
];

/** `ALTER ROLE app WITH PASSWORD '…'`: no label is part of a statement. */
function isStatement({ input, index }: RegExpExecArray): boolean {
	return /(?:create|alter)\s{1,4}(?:user|role|login)\s[^;]{0,200}$/i.test(
		input.slice(Math.max(0, index - 240), index),
	);
}
