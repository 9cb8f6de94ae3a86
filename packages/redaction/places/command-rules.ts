import { isMadeUpWord } from "../judgement/check-name-form.ts";
import { isSecretValue } from "../judgement/check-value.ts";
import { isHarmlessValue } from "../judgement/reject-value.ts";
import type { ContextRule } from "./context-rule.ts";

const isArgument = (secret: string): boolean =>
	secret.length >= 3 &&
	!isHarmlessValue(secret) &&
	!/^[-$]/.test(secret) &&
	!/^\d{1,5}(?::\d{1,5})?$/.test(secret);
const isPassword = (secret: string): boolean => isSecretValue(secret, "password", "stated");

/** One-letter options mean something else in every program, so the program's name comes first on the line. */
const OPTIONS = String.raw`\b(?:[^\n\\|]|\\[^]){0,300}?[ \t]`;

/** `before` starts with one of the literals and ends where the value begins: quoted or bare. */
function command(
	kind: string,
	literals: readonly string[],
	before: string,
	accept: (secret: string) => boolean = isArgument,
): ContextRule {
	const value = String.raw`(?:\\?["'](?<secret>[^"'\n\\]{2,4096})|(?<secret2>[^\s"'|&;<>\`)][^\s"'|&;<>\`)]{1,4096}))`;
	const option = before.split(OPTIONS)[1];
	return {
		kind,
		literals,
		pattern: new RegExp(`(?<![\\w-])(?:${before})${value}`, "y"),
		accept,
		...(option === undefined ? {} : { follows: new RegExp(`[ \\t]${option}`, "g") }),
	};
}

/**
 * The same where the literals are what `before` starts with, spelled out: the name of a program or some words, or a group
 * of them. It ends in a space where other white space does not count.
 */
function program(kind: string, before: string, accept?: (secret: string) => boolean): ContextRule {
	const names = /^\(\?:([^()]+)\)/.exec(before)?.[1]?.split("|") ?? [before];
	return command(kind, names.map(toLiteral), before, accept);
}

/** The part of a pattern that is spelled out; a short name needs the space after it to be found by. */
function toLiteral(pattern: string): string {
	const text = /^[\w ./:=$-]*/.exec(pattern)?.[0].toLowerCase() ?? "";
	return text.length < 4 ? `${text} ` : text;
}

export const COMMAND_RULES: readonly ContextRule[] = [
	command(
		"curl-user",
		["curl", "wget", "http ", "https ", "xh ", "etcdctl"],
		String.raw`(?:curl|wget|https?|xh|etcdctl)${OPTIONS}(?:-u|--user|--proxy-user|-U|-a|--auth)[ \t=]{0,3}["']?[\w.@+%{}-]{0,64}["']?:(?=\S)`,
		(secret) => isArgument(secret) && secret.length >= 4 && !/^(?:\/\/|\s)/.test(secret),
	),
	command(
		"curl-token-as-user",
		["curl", "wget", "http ", "https "],
		String.raw`(?:curl|wget|https?)${OPTIONS}(?:-u|--user|-a)[ \t=]{0,3}(?=["']?[\w.!~+-]{10,200}:[xX]?["' \t])`,
		(secret) => /\d/.test(secret) && isArgument(secret.replace(/:[xX]?$/, "")),
	),
	program(
		"container-login",
		String.raw`(?:docker|podman|helm|nerdctl|buildah|skopeo|oras|az|oc|cf|ibmcloud)[ \t](?:[\w-]{1,20}[ \t]){0,2}login\b[^\n|;]{0,200}?[ \t]-p[ \t=]`,
	),
	program(
		"mysql-password",
		String.raw`(?:mysql\w{0,10}|mariadb[\w-]{0,10}|mycli)${OPTIONS}-p`,
		(secret) => isArgument(secret) && !/^(?:assword|ort|rotocol|lugin)/.test(secret),
	),
	program("proxy-login", String.raw`auth [\w.-]{2,40}:(?=\S{6})`, isPassword),
	program("install-password", String.raw`rootpw (?:--(?!iscrypted)[a-z]{3,12}[ \t]){0,3}`, isPassword),
	program("preseed-password", "password password ", isPassword),
	command(
		"device-key",
		[
			"snmp-server ",
			"radius-server ",
			"tacacs-server ",
			"isakmp key ",
			"pre-shared-key ",
			"key-string ",
			"insecure-password ",
			"enable secret ",
			"enable password ",
			"password 7 ",
			"password 0 ",
			"password 5 ",
			"key 7 ",
		],
		String.raw`(?:snmp-server community|(?:radius|tacacs)-server key|isakmp key|pre-shared-key|key-string|insecure-password|enable (?:secret|password)|password(?=[ \t][057][ \t])|key(?=[ \t]7[ \t]))[ \t](?:\d[ \t]|ascii-text[ \t]|local[ \t]|address[ \t])?`,
		isPassword,
	),
	program(
		"expect-send",
		String.raw`expect [^\n]{0,40}[pP]?assword[^\n]{0,40}\n[ \t]{0,20}send(?:[ \t]--)?[ \t](?=")`,
	),
	program(
		"file-transfer-login",
		String.raw`ftp -[^\n]{0,120}\n(?:open[^\n]{0,120}\n)?user[ \t]\S{1,60}[ \t]`,
		isPassword,
	),
	program("keychain", String.raw`security add-(?:generic|internet)-password${OPTIONS}-w[ \t]`),
	program("sshpass", String.raw`sshpass[ \t]{1,4}-p[ \t]?`),
	program("access-list-user-set", String.raw`ACL SETUSER[ \t]\S{1,60}[ \t](?:[\w~+@*&-]{1,20}[ \t]){0,4}>`),
	program("redis-auth", String.raw`redis-cli${OPTIONS}(?:-a|--pass)[ \t]`),
	command(
		"redis-command",
		["auth "],
		String.raw`(?<=^|[>\n\r][ \t]{0,2})AUTH[ \t](?:[\w-]{1,40}[ \t])?`,
		isPassword,
	),
	{
		kind: "user-and-password",
		literals: [" -u ", " --user ", " --username ", " --user=", " --username="],
		pattern:
			/[ ](?:-[uU][ \t]|--user(?:name)?[ =])["']?[\w.@\\/-]{1,64}["']?[ \t](?:[\w./:=@-]{1,60}[ \t]){0,3}?-(?:p|P|pw|w)[ \t](?:["'](?<secret>[^"'\n]{3,200})["']|(?<secret2>[^\s"'|&;<>`)]{3,200}))/y,
		accept: (secret) => isPassword(secret) && isArgument(secret) && !/[/:\\]/.test(secret),
	},
	program("key-passphrase", String.raw`ssh-keygen${OPTIONS}-[NP][ \t]`),
	program("key-new-passphrase", String.raw`ssh-keygen\b[^\n]{0,200}?[ \t]-P[ \t]\S{1,100}[ \t]-N[ \t]`),
	command(
		"typed-answer",
		['send "', 'send -- "', "sendline("],
		String.raw`(?:send (?:-- )?(?=")|\.?sendline\(b?)`,
		(secret) => isMadeUpWord(secret.replace(/\\[rn].*$/, "")),
	),
	program(
		"network-monitor",
		String.raw`snmp\w{2,10}${OPTIONS}-[cAX][ \t]`,
		(secret) => isArgument(secret) && !/^(?:public|private)$/.test(secret),
	),
	program("network-monitor-privacy", String.raw`snmp\w{2,10}\b[^\n]{0,200}?[ \t]-X[ \t]`),
	program("one-time-password-tool", String.raw`oathtool\b(?:[ \t]-{1,2}[\w=-]{1,16}){0,4}[ \t]`),
	program("wallet-import", String.raw`(?:importprivkey|sweepprivkey)[ \t]`),
	program("obscured", String.raw`rclone obscure[ \t]`),
	command(
		"archive-input",
		["input_pw", "owner_pw", "user_pw"],
		String.raw`(?<=pdftk[^\n]{0,200})(?:input|owner|user)_pw[ \t]`,
	),
	program("hash-argument", String.raw`openssl passwd(?:[ \t]-\w{1,10}){0,4}[ \t]`, isPassword),
	command(
		"session-login",
		["identify "],
		String.raw`(?<=(?:NickServ|nickserv)[ \t:]{1,3})(?:IDENTIFY|identify)[ \t](?:[\w-]{1,30}[ \t](?=\S{6}))?`,
	),
	command(
		"mail-login",
		["login "],
		String.raw`(?<=(?:^|\n|C: |> )[A-Za-z]?\d{1,6}[ \t])(?:LOGIN|login)[ \t]["']?[\w.@+-]{1,80}["']?[ \t]`,
	),
	command(
		"transfer-password",
		["pass "],
		String.raw`(?:(?<=(?:^|\n)(?:---> |> |C: |<- |>> ))|(?<=(?:^|\n)(?:USER|\+OK|331)[^\n]{0,120}\n(?:[^\n]{0,120}\n)?)|(?<=["']))PASS[ \t](?=[^\s]{4,100}(?:[ \t]{0,4}(?:\r?\n|$)|\\r))`,
	),
	program("mail-exchange", String.raw`334 UGFzc3dvcmQ6\r?\n(?:C: |> )?`),
	command(
		"stored-value",
		["keyvault secret set", "put-parameter", "create-secret", "put-secret-value", "update-secret"],
		String.raw`(?:keyvault secret set|put-parameter(?=[^\n]{0,300}SecureString)|create-secret|put-secret-value|update-secret)${OPTIONS}--(?:value|secret-string)[ =]`,
		(secret) => isArgument(secret) && !/^(?:file:|\{$)/.test(secret),
	),
	program(
		"stored-value-in-json",
		String.raw`(?:create-secret|put-secret-value|update-secret)${OPTIONS}--secret-string[ =]'\{"[\w-]{1,40}":"[^"\n]{1,80}","[\w-]{1,40}":(?=")`,
	),
	command(
		"literal-of-secret",
		["--from-literal"],
		String.raw`(?<=secret[ \t][^\n]{0,300})--from-literal[ =]["']?(?!(?:user|username|host|port|name|url|email|region|endpoint|database|db)=)[\w.-]{1,80}=`,
		(secret) => isArgument(secret) && (/\d/.test(secret) || isPassword(secret)),
	),
	command(
		"kept-value",
		["vault kv put", "vault kv patch", "vault write"],
		String.raw`vault (?:kv put|kv patch|write)[ \t](?:-\S{1,30}[ \t]){0,3}[\w./-]{1,120}[ \t](?:(?:user|username|host|port|name|url|email|role_id|region|ttl|policies)=[^\s]{1,120}[ \t]){0,4}[\w.-]{1,60}=`,
		(secret) => isArgument(secret) && isSecretValue(secret, "secret", "certain") && !/^@/.test(secret),
	),
	program(
		"registry-value",
		String.raw`reg add${OPTIONS}/v[ \t]["']?[\w.-]{0,60}(?:[pP]ass(?:word|wd)?|PASSWORD|[sS]ecret|SECRET|[tT]oken|TOKEN|[kK]ey|KEY)["']?[ \t](?:/t[ \t]\w{3,20}[ \t])?/d[ \t]`,
	),
	program(
		"package-login",
		String.raw`poetry config (?:http-basic\.[\w-]{1,40}[ \t][\w.@-]{1,60}|pypi-token\.[\w-]{1,40})[ \t]`,
	),
	command(
		"package-token",
		["github-oauth.", "gitlab-oauth.", "gitlab-token.", "bitbucket-oauth.", "bearer."],
		String.raw`(?:github-oauth|gitlab-oauth|gitlab-token|bitbucket-oauth|bearer)\.[\w.-]{3,60}[ \t]`,
		(secret) => /\d/.test(secret) && secret.length >= 16,
	),
	program(
		"gem-login",
		String.raw`bundle config(?: set)?(?: --\w{2,10}){0,2}[ \t][\w./:-]{3,80}[ \t][\w.@-]{1,60}:`,
	),
	program(
		"storage-alias",
		String.raw`(?:mc alias set|mc config host add)[ \t]\S{1,60}[ \t]https?://\S{1,120}[ \t]\S{1,80}[ \t]`,
	),
	command(
		"transfer-settings",
		['user = "', 'user="', '-u "'],
		String.raw`(?<=(?:^|\n)[ \t]{0,4}-{0,2})(?:user ?= ?|-u )(?=")"[\w.@+-]{1,64}:`,
		isPassword,
	),
	program("digest-login", String.raw`(?:addauth digest[ \t]|--wsrep_sst_auth=|wsrep_sst_auth=)[\w.-]{1,40}:`),
	program("mask-log", String.raw`::add-mask::`),
	command(
		"replaced-by",
		["sed -", "sed 's", 'sed "s'],
		String.raw`sed[ \t](?:-\S{1,6}[ \t]){0,3}["']s([/|#,@])[^\n/|#,@]{0,60}(?:PASS(?:WORD|WD)?|password|SECRET|secret|TOKEN|token|API_?KEY|api_?key)[^\n/|#,@]{0,30}\1`,
		(secret) => isPassword(secret.replace(/[/|#,@][gimIe]{0,3}$/, "")),
	),
	command(
		"tunnel-secret",
		[": psk ", ": eap ", ": xauth "],
		String.raw`(?<=[\w%@.* ]{1,80}):[ \t](?:PSK|EAP|XAUTH)[ \t](?=")`,
	),
	program("tool-bearer", String.raw`-A bearer[ \t]-a[ \t]`),
	program(
		"named-user-type",
		String.raw`username \S{1,60}[ \t](?:privilege[ \t]\d{1,2}[ \t])?(?:password|secret)[ \t]\d[ \t]`,
	),
	program(
		"decryption-key",
		"(?:with key |with secret |with the key |using key )",
		(secret) =>
			/^[0-9a-f]{32,}$/i.test(secret) || (secret.length >= 20 && isSecretValue(secret, "weak", "stated")),
	),
	program(
		"login-as",
		String.raw`(?:log in as|login as|sign in as|logged in as) [\w.@-]{1,60} (?:with|using) `,
		isMadeUpWord,
	),
	program("ldap-password", String.raw`ldap\w{2,12}${OPTIONS}-w[ \t]`),
	program(
		"database-password",
		String.raw`(?:mongo\w{0,10}|influx|cqlsh|sqlcmd|bcp|clickhouse-client|mosquitto_[ps]ub|vsql|isql|arangosh|cypher-shell|rabbitmqadmin|twine|psexec|ncftp\w{0,4}|rdesktop|evil-winrm|crackmapexec|netexec|nxc|conan|ipmitool|hydra)${OPTIONS}-[pPw][ \t]?`,
	),
	command(
		"archive-password",
		["7z ", "7za ", "zip ", "unzip ", "rar ", "unrar "],
		String.raw`(?:7za?|unzip|zip|rar|unrar)${OPTIONS}-[pP][ \t]?`,
		(secret) => isPassword(secret) && !/[/\\]|\.\w{2,4}$/.test(secret),
	),
	program(
		"htpasswd",
		String.raw`htpasswd[ \t]-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}[ \t][^\n|;]{0,200}?[\w.@-]{1,64}[ \t](?=[^\s]{2,200}[ \t]{0,4}(?:[\n\r|;&>]|$))`,
	),
	command(
		"openssl-pass",
		["pass:"],
		String.raw`(?<=-(?:pass|passin|passout|password|k|storepass|srcstorepass)[ \t]["']?)pass:`,
	),
	program(
		"openssl-key",
		String.raw`openssl[ \t](?:enc|aes-?\d{3}|des3?|rc4|camellia|chacha20|[a-z]{2,8}-)${OPTIONS}-[kK][ \t]`,
		(secret) => isArgument(secret) && !/^file:/.test(secret),
	),
	command(
		"key-store",
		["keytool", "jarsigner", "apksigner", "gpg ", "gpg2 ", "signtool"],
		String.raw`(?:keytool|jarsigner|apksigner|gpg2?|signtool)${OPTIONS}(?:-storepass|-keypass|-srcstorepass|-deststorepass|-destkeypass|--passphrase|/p)[ \t]`,
	),
	program(
		"samba-user",
		String.raw`(?:smbclient|smbmap|rpcclient|net rpc)${OPTIONS}-U[ \t]["']?[\w.\\/@-]{1,80}%`,
	),
	command(
		"windows-password",
		["/p:", "/pass:", "/password:", "/rp "],
		String.raw`(?<=[ \t])/(?:(?:p|pass|password):|rp )`,
	),
	program(
		"windows-user",
		String.raw`(?:net user[ \t][\w.-]{1,40}|net use[ \t][^\n]{0,120}/user:[\w.\\@-]{1,80})[ \t]`,
		isPassword,
	),
	program(
		"change-password",
		String.raw`echo (?:-n[ \t]|-e[ \t])?(?=[^\n|]{1,200}\|[ \t]{0,2}(?:sudo[ \t])?(?:chpasswd|passwd))["']?(?:[\w.-]{1,40}:)?`,
	),
	program(
		"piped-password",
		String.raw`(?:echo |printf )(?:-n[ \t]|-e[ \t]|["']?%s["']?[ \t])?(?=[^\n|]{1,400}\|[^\n|]{0,80}(?:--password-stdin|--with-token|sudo -S|--stdin|kinit|docker secret create|podman secret create|secret-tool store|(?:go)?pass insert|cryptsetup|secrets? (?:create|put|set|import|add)|versions add|create-secret|smbpasswd|--passphrase-fd|ssh-add|vault (?:login|kv put)|base64 (?:-d|-D|--decode)[^\n]{0,40}\.(?:keytab|p12|pfx|jks|pem|key|kubeconfig)))`,
	),
	program("here-string", String.raw`(?:--with-token|--password-stdin|sudo -S)[ \t]{0,4}<<<[ \t]?`),
	program(
		"queue-user",
		String.raw`rabbitmqctl${OPTIONS}(?:add_user|change_password|authenticate_user)[ \t][\w.@-]{1,64}[ \t]`,
	),
	program("file-transfer-user", String.raw`lftp${OPTIONS}-u[ \t]["']?[\w.@-]{1,64},`),
	program(
		"configure-set",
		String.raw`(?:configure set|config set|secret set|secrets set|variable set|variables set|env set|config:set|secrets:set)[ \t](?:-\S{1,20}[ \t]){0,3}[^\s=]{0,100}(?:[sS]ecret|SECRET|[tT]oken|TOKEN|[pP]assword|PASSWORD|[kK]ey|KEY|_auth|[pP]asswd)[\w.]{0,20}[ \t](?:(?:--body|-b|--value|-v)[ =])?`,
		(secret) => isArgument(secret) && secret.length >= 6,
	),
	command(
		"login-argument",
		["vault login", "doctl auth init", "ngrok ", "auth token", "cargo login"],
		String.raw`(?:vault login|doctl auth init (?:-t|--access-token)|ngrok[ \t](?:config[ \t])?(?:add-)?authtoken|auth token|cargo login)[ \t](?:token=)?`,
		(secret) => /\d/.test(secret) && secret.length >= 16,
	),
	program("secure-string", String.raw`ConvertTo-SecureString[ \t](?:-String[ \t])?`),
	program(
		"netrc",
		String.raw`(?:login |account )[ \t\n]{0,19}[\w.@+-]{1,100}[ \t\n]{1,20}(?:port[ \t]\w{1,10}[ \t\n]{1,20})?password[ \t]{1,20}`,
	),
	program("netrc-machine", String.raw`machine [ \t]{0,7}\S{1,100}[ \t\n]{1,20}password[ \t]{1,20}`),
	program(
		"device-user",
		String.raw`(?:username |user )["']?[\w.@\\/-]{1,60}["']?[ \t](?:privilege[ \t]\d{1,2}[ \t])?(?:there[ \t])?(?:pass|password|secret)[ \t](?:is[ \t])?(?:\d[ \t])?`,
		isPassword,
	),
	program("access-list-user", String.raw`user \S{1,60}[ \t]on[ \t](?:[~+@*\w-]{1,20}[ ]){0,3}>`),
	program("bundle-credentials", String.raw`BUNDLE_[A-Z0-9_]{3,80}__[A-Z]{2,6}(?:=|:[ ]?)`, (secret) =>
		/^[^:\s]{3,}:[^:\s/]{3,}$/.test(secret),
	),
	program("weather-key", "appid=", (secret) => /^[0-9a-f]{32}/.test(secret)),
	program("scanner-login", "sonar.login=", (secret) => /^[0-9a-f]{40}/.test(secret)),
];
