import { isSecretValue } from "./check-value.ts";
import type { ContextRule } from "./context-rule.ts";
import { isHarmlessValue } from "./reject-value.ts";

const isArgument = (secret: string): boolean =>
	secret.length >= 3 && !isHarmlessValue(secret) && !/^[-$]/.test(secret);
const isPasswordArgument = (secret: string): boolean =>
	isArgument(secret) && !/^(?:\d{1,5}(?::\d{1,5})?|rt?|R|f|v)$/.test(secret);

function command(
	kind: string,
	literals: readonly string[],
	before: string,
	accept = isPasswordArgument,
): ContextRule {
	return {
		kind,
		literals,
		pattern: new RegExp(
			`${before}(?:\\\\?["'](?<secret>[^"'\\n\\\\]{2,400})|(?<secret2>[^\\s"'|&;<>\`)][^\\s"'|&;<>\`)]{1,400}))`,
			"gd",
		),
		accept,
	};
}

/** One-letter options mean something else in every program, so the program's name comes first on the line. */
const OPTIONS = String.raw`\b[^\n|;]{0,200}?[ \t]`;

export const COMMAND_RULES: readonly ContextRule[] = [
	command(
		"curl-user",
		["curl", "wget", "http", "xh "],
		String.raw`\b(?:curl|wget|https?|xh|ab|hey|siege|etcdctl)${OPTIONS}(?:-u|--user|--proxy-user|-U|-a|--auth|-A)[ =]?["']?[\w.@+%-]{0,64}:`,
		(secret) => isPasswordArgument(secret) && !/^\/\//.test(secret),
	),
	command(
		"docker-login",
		["login"],
		String.raw`\b(?:docker|podman|helm|nerdctl|buildah|skopeo|oras|az|oc|cf|ibmcloud|heroku)${OPTIONS}?login\b[^\n|;]{0,200}?[ \t]-p[ \t=]`,
	),
	command(
		"mysql-password",
		["mysql", "mariadb"],
		String.raw`\b(?:mysql\w{0,10}|mariadb[\w-]{0,10}|mycli)${OPTIONS}-p`,
	),
	command("sshpass", ["sshpass"], String.raw`\bsshpass[ \t]{1,4}-p[ \t]?`),
	command("redis-auth", ["redis-cli"], String.raw`\bredis-cli${OPTIONS}(?:-a|--pass)[ \t]`),
	command(
		"redis-command",
		["auth "],
		String.raw`(?:^|[>\n\r][ \t]{0,2})AUTH[ \t](?:[\w-]{1,40}[ \t])?`,
		(secret) => isSecretValue(secret, "password", "code"),
	),
	command("ldap-password", ["ldap"], String.raw`\bldap\w{2,12}${OPTIONS}-w[ \t]`),
	command(
		"database-password",
		[
			"mongo",
			"influx",
			"cqlsh",
			"sqlcmd",
			"bcp",
			"clickhouse",
			"mosquitto",
			"vsql",
			"isql",
			"arangosh",
			"neo4j",
			"cypher-shell",
			"snowsql",
		],
		String.raw`\b(?:mongo\w{0,10}|influx|cqlsh|sqlcmd|bcp|clickhouse-client|mosquitto_[ps]ub|vsql|isql|arangosh|cypher-shell|rabbitmqadmin)${OPTIONS}-[pPw][ \t]?`,
	),
	command(
		"archive-password",
		["7z", "zip ", "rar "],
		String.raw`\b(?:7za?|unzip|zip|rar|unrar)${OPTIONS}-[pP][ \t]?`,
		(secret) => isPasswordArgument(secret) && /\d|[^\w./-]/.test(secret) && !/[/\\]|\.\w{2,4}$/.test(secret),
	),
	command(
		"htpasswd",
		["htpasswd"],
		String.raw`\bhtpasswd[ \t]-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}[ \t][^\n|;]{0,200}?[\w.@-]{1,64}[ \t](?=[^\s]{2,200}[ \t]{0,4}(?:[\n\r|;&>]|$))`,
	),
	command(
		"openssl-pass",
		["pass:"],
		String.raw`\b(?:-?pass(?:in|out)?|-password|-k|-srcstorepass|-storepass)[ \t]["']?pass:`,
	),
	command(
		"keytool",
		["keytool", "jarsigner", "apksigner", "openssl", "gpg", "signtool"],
		String.raw`\b(?:keytool|jarsigner|apksigner|gpg|signtool|openssl)${OPTIONS}(?:-storepass|-keypass|-srcstorepass|-deststorepass|-destkeypass|--passphrase|/p)[ \t]`,
	),
	command(
		"samba-user",
		["smb", "rpcclient", "net rpc", "mount.cifs"],
		String.raw`\b(?:smbclient|smbmap|rpcclient|net)${OPTIONS}-U[ \t]["']?[\w.\\/@-]{1,80}%`,
	),
	command("windows-password", ["/p:", "/pass:", "/password:"], String.raw`[ \t]/(?:p|pass|password|rp):`),
	command(
		"windows-user",
		["net user", "net use"],
		String.raw`\bnet[ \t](?:user[ \t][\w.-]{1,40}|use[ \t][^\n]{0,120}/user:[\w.\\@-]{1,80})[ \t]`,
		(secret) => isSecretValue(secret, "password", "stated"),
	),
	command(
		"change-password",
		["chpasswd", "passwd --stdin"],
		String.raw`echo[ \t](?:-n[ \t]|-e[ \t])?(?=[^\n|]{1,200}\|[ \t]{0,2}(?:sudo[ \t])?(?:chpasswd|passwd))["']?(?:[\w.-]{1,40}:)?`,
	),
	command(
		"piped-password",
		["--password-stdin", "--with-token", "login -p"],
		String.raw`(?:echo|printf)[ \t](?:-n[ \t]|-e[ \t]|%s[ \t])?(?=[^\n|]{1,400}\|[^\n|]{1,80}(?:--password-stdin|--with-token|-S\b))`,
	),
	command("here-string", ["<<<"], String.raw`(?:--with-token|--password-stdin|login)[^\n]{0,80}<<<[ \t]?`),
	command(
		"queue-user",
		["rabbitmqctl"],
		String.raw`\brabbitmqctl${OPTIONS}(?:add_user|change_password|authenticate_user)[ \t][\w.@-]{1,64}[ \t]`,
	),
	command("lftp-user", ["lftp"], String.raw`\blftp${OPTIONS}-u[ \t]["']?[\w.@-]{1,64},`),
	command(
		"configure-set",
		["config", "secret", "variable", "env"],
		String.raw`\b(?:configure set|config set|secrets? set|variables? set|env set|config:set|secrets:set)[ \t](?:-\S{1,20}[ \t]){0,3}[^\s=]{0,100}(?:[sS]ecret|SECRET|[tT]oken|TOKEN|[pP]assword|PASSWORD|[kK]ey|KEY|_auth|[pP]asswd)[\w.]{0,20}[ \t](?:(?:--body|-b|--value|-v)[ =])?`,
		(secret) => isArgument(secret) && secret.length >= 6,
	),
	command(
		"login-argument",
		["vault login", "auth login", "auth token", "auth init", "login --token", "ngrok", "authtoken"],
		String.raw`\b(?:vault login|gh auth login --with-token|doctl auth init -t|doctl auth init --access-token|ngrok(?:[ \t]config)?[ \t](?:add-)?authtoken|auth token)[ \t](?:token=)?`,
		(secret) => /\d/.test(secret) && secret.length >= 16,
	),
	command(
		"secure-string",
		["convertto-securestring"],
		String.raw`ConvertTo-SecureString[ \t](?:-String[ \t])?`,
	),
	command(
		"sql-identified",
		["identified"],
		String.raw`(?:IDENTIFIED|identified|Identified)[ \t\n](?:(?:WITH|with)[ \t]["'\`]?\w{1,40}["'\`]?[ \t])?(?:BY|by|By|AS|as)[ \t\n](?:(?:PASSWORD|password|VALUES|values)[ \t])?`,
	),
	command(
		"sql-password",
		["password"],
		String.raw`\b(?:PASSWORD|password|Password)[ \t]{1,3}(?=')`,
		isArgument,
	),
	command("sql-password-function", ["password("], String.raw`\bPASSWORD\((?=')`, isArgument),
	command(
		"netrc",
		["login", "machine"],
		String.raw`\b(?:login|account|user)[ \t\n]{1,20}\S{1,100}[ \t\n]{1,20}password[ \t\n]{1,20}`,
	),
	command(
		"netrc-machine",
		["machine"],
		String.raw`\bmachine[ \t]{1,8}\S{1,100}[ \t\n]{1,20}password[ \t]{1,20}`,
	),
	command(
		"call-with-credentials",
		["auth", "credential", "login", "getconnection"],
		String.raw`(?:[aA]uth|[bB]asicAuth|basic_auth|NetworkCredential|PasswordCredential|UsernamePasswordCredentials|PasswordAuthentication|\.login|getConnection|[cC]redentials)[ \t]{0,2}(?:=[ \t]{0,2})?[([][ \t]{0,2}(?:["'][^"'\n]{1,100}["'],[ \t]{0,2}){1,2}(?=["'])`,
		(secret) => isSecretValue(secret, "password", "stated"),
	),
];
