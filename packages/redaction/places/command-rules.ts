import { isMadeUpWord } from "../judgement/check-name-form.ts";
import { isSecretValue } from "../judgement/check-value.ts";
import { isHarmlessValue } from "../judgement/reject-value.ts";
import type { ContextRule } from "./context-rule.ts";

const isArgument = (secret: string): boolean =>
	secret.length >= 3 &&
	!isHarmlessValue(secret) &&
	!/^[-$]/.test(secret) &&
	!/^\d{1,5}(?::\d{1,5})?$/.test(secret);
/** Several words in quotes after an option are no label. */
const isPassword = (secret: string): boolean =>
	isSecretValue(secret, "password", /\s/.test(secret) ? "certain" : "stated");
/** Where a plain word may as well be part of a command. */
const isTypedPassword = (secret: string): boolean =>
	isSecretValue(secret, "password", /[^a-z]/.test(secret) ? "quoted" : "stated");

/** One-letter options mean something else in every program, so the program's name comes first on the line. */
const OPTIONS = String.raw`\b(?:[^\n\\|]|\\[^]){0,300}?[ \t]`;

/** The quote may be before the user: `'app:…'`. */
const VALUE = String.raw`(?:(?:\\?["']|(?<=[ \t=]["'][^"'\s]{1,80}[:%,]))(?<secret>[^"'\n\\]{2,4096})|(?<secret2>[^\s"'|&;<>\`)][^\s"'|&;<>\`)]{1,4096}))`;

interface CommandRow extends Pick<ContextRule, "accept"> {
	/** What a rule begins with: names of programs or words, alone or with a pattern for the rest of the name. */
	readonly programs?: readonly (string | readonly [name: string, rest: string])[];
	/** What is searched for, where that is not what it begins with. */
	readonly literals?: readonly string[];
	/** Comes directly after the program; the value follows, unless there is an option. */
	readonly rest?: string;
	/** Comes later on the line; the value follows. */
	readonly option?: string;
	/** Instead of all of these. */
	readonly pattern?: RegExp;
}

/** By kind. `isArgument` where nothing else says which values count. */
const ROWS: Readonly<Record<string, CommandRow>> = {
	"curl-user": {
		programs: ["curl", "wget", ["http", "s?"], "xh", "etcdctl"],
		literals: ["curl", "wget", "http ", "https ", "xh ", "etcdctl"],
		option: String.raw`(?:-u|--user|--proxy-user|-U|-a|--auth)[ \t=]{0,3}["']?[\w.@+%{}-]{0,64}["']?:(?=\S)`,
		accept: (secret) => isArgument(secret) && secret.length >= 4 && !/^(?:\/\/|\s)/.test(secret),
	},
	"curl-token-as-user": {
		programs: ["curl", "wget", ["http", "s?"]],
		literals: ["curl", "wget", "http ", "https "],
		option: String.raw`(?:-u|--user|-a)[ \t=]{0,3}(?=["']?[\w.!~+-]{10,200}:[xX]?["' \t])`,
		accept: (secret) => /\d/.test(secret) && isArgument(secret.replace(/:[xX]?$/, "")),
	},
	"share-password": {
		pattern: /net use [^\n]{0,120}?\/user:\S{1,80}[ \t]{1,4}["']?(?<secret>[^\s"'/]{3,200})/iy,
		literals: ["net use "],
	},
	"user-password": {
		pattern:
			/(?:(?:chpasswd <<< ?["'][\w.-]{1,40}:|vncpasswd <<< ?["']|unlock-keychain -p ["']?)(?<secret>[^"'\s]{3,200})|user(?:add|mod)\b[^\n|;]{0,120}? (?:-p|--password)[ =]["']?(?<secret2>[^\s"'|;&]{3,200}))/y,
		literals: ["chpasswd <<<", "vncpasswd <<<", "unlock-keychain ", "useradd ", "usermod "],
	},
	"container-login": {
		programs: [
			"docker",
			"podman",
			"helm",
			"nerdctl",
			"buildah",
			"skopeo",
			"oras",
			"az",
			"oc",
			"cf",
			"ibmcloud",
		],
		rest: String.raw`[ \t](?:[\w-]{1,20}[ \t]){0,2}login\b[^\n|;]{0,200}?[ \t]-p[ \t=]`,
	},
	"mysql-password": {
		programs: [["mysql", String.raw`\w{0,10}`], ["mariadb", String.raw`[\w-]{0,10}`], "mycli"],
		option: "-p",
		accept: (secret) => isArgument(secret) && !/^(?:assword|ort|rotocol|lugin)/.test(secret),
	},
	"proxy-login": { programs: ["auth "], rest: String.raw`[\w.-]{2,40}:(?=\S{6})`, accept: isPassword },
	"install-password": {
		programs: ["rootpw "],
		rest: String.raw`(?:--(?!iscrypted)[a-z]{3,12}[ \t]){0,3}`,
		accept: isTypedPassword,
	},
	"preseed-password": { programs: ["password password "], accept: isPassword },
	"device-key": {
		literals: [
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
		rest: String.raw`(?:snmp-server community|(?:radius|tacacs)-server key|isakmp key|pre-shared-key|key-string|insecure-password|enable (?:secret|password)|password(?=[ \t][057][ \t])|key(?=[ \t]7[ \t]))[ \t](?:\d[ \t]|ascii-text[ \t]|local[ \t]|address[ \t])?`,
		accept: isTypedPassword,
	},
	"expect-send": {
		programs: ["expect "],
		rest: String.raw`[^\n]{0,40}[pP]?assword[^\n]{0,40}\n[ \t]{0,20}send(?:[ \t]--)?[ \t](?=")`,
	},
	"file-transfer-login": {
		programs: ["ftp -"],
		rest: String.raw`[^\n]{0,120}\n(?:open[^\n]{0,120}\n)?user[ \t]\S{1,60}[ \t]`,
		accept: isPassword,
	},
	keychain: {
		programs: ["security add-"],
		rest: "(?:generic|internet)-password",
		option: String.raw`-w[ \t]`,
	},
	sshpass: { programs: ["sshpass"], rest: String.raw`[ \t]{1,4}-p[ \t]?` },
	"access-list-user-set": {
		programs: ["ACL SETUSER"],
		rest: String.raw`[ \t]\S{1,60}[ \t](?:[\w~+@*&-]{1,20}[ \t]){0,4}>`,
	},
	"redis-auth": { programs: ["redis-cli"], option: String.raw`(?:-a|--pass)[ \t]` },
	"redis-command": {
		literals: ["auth "],
		rest: String.raw`(?<=^|[>\n\r][ \t]{0,2})AUTH[ \t](?:[\w-]{1,40}[ \t](?=\S))?`,
		accept: isTypedPassword,
	},
	"user-and-password": {
		literals: [" -u ", " --user ", " --username ", " --user=", " --username="],
		pattern:
			/[ ](?:-[uU][ \t]|--user(?:name)?[ =])["']?[\w.@\\/-]{1,64}["']?[ \t](?:[\w./:=@-]{1,60}[ \t]){0,3}?-(?:p|P|pw|w)[ \t](?:["'](?<secret>[^"'\n]{3,200})["']|(?<secret2>[^\s"'|&;<>`)]{3,200}))/y,
		accept: (secret) => isPassword(secret) && isArgument(secret) && !/[/:\\]/.test(secret),
	},
	"key-passphrase": { programs: ["ssh-keygen"], option: String.raw`-[NP][ \t]` },
	"key-new-passphrase": {
		programs: ["ssh-keygen"],
		rest: String.raw`\b[^\n]{0,200}?[ \t]-P[ \t]\S{1,100}[ \t]-N[ \t]`,
	},
	"typed-answer": {
		literals: ['send "', 'send -- "', "sendline("],
		rest: String.raw`(?:send (?:-- )?(?=")|\.?sendline\(b?)`,
		accept: (secret) => isMadeUpWord(secret.replace(/\\[rn].*$/, "")),
	},
	"network-monitor": {
		programs: ["snmp"],
		rest: String.raw`\w{2,10}`,
		option: String.raw`-[cAX][ \t]`,
		accept: (secret) => isArgument(secret) && !/^(?:public|private)$/.test(secret),
	},
	"network-monitor-user": {
		literals: ["createuser "],
		pattern:
			/createUser[ \t][\w.-]{1,40}[ \t](?:MD5|SHA(?:-?\d{1,3})?)[ \t]["']?(?<secret>(?<=")[^"\n]{8,200}|(?<=')[^'\n]{8,200}|[^\s"']{8,200})["']?(?:[ \t](?:DES|AES(?:-?\d{3})?)(?:[ \t]["']?(?<secret2>(?<=")[^"\n]{8,200}|(?<=')[^'\n]{8,200}|[^\s"']{8,200}))?)?/y,
		accept: (secret) => isTypedPassword(secret) || isPassword(secret),
	},
	"network-monitor-privacy": { programs: ["snmp"], rest: String.raw`\w{2,10}\b[^\n]{0,200}?[ \t]-X[ \t]` },
	"one-time-password-tool": {
		programs: ["oathtool"],
		rest: String.raw`\b(?:[ \t]-{1,2}[\w=-]{1,16}){0,4}[ \t]`,
	},
	"wallet-import": { programs: ["importprivkey", "sweepprivkey"], rest: String.raw`[ \t]` },
	obscured: { programs: ["rclone obscure"], rest: String.raw`[ \t]` },
	"archive-input": {
		literals: ["input_pw", "owner_pw", "user_pw"],
		rest: String.raw`(?<=pdftk[^\n]{0,200})(?:input|owner|user)_pw[ \t]`,
	},
	"hash-argument": {
		programs: ["openssl passwd"],
		rest: String.raw`(?:[ \t]-\w{1,10}){0,4}[ \t]`,
		accept: isPassword,
	},
	"session-login": {
		literals: ["identify "],
		rest: String.raw`(?<=(?:NickServ|nickserv)[ \t:]{1,3})(?:IDENTIFY|identify)[ \t](?:[\w-]{1,30}[ \t](?=\S{6}))?`,
	},
	"mail-login": {
		literals: ["login "],
		rest: String.raw`(?<=(?:^|\n|C: |> )[A-Za-z]?\d{1,6}[ \t])(?:LOGIN|login)[ \t]["']?[\w.@+-]{1,80}["']?[ \t]`,
	},
	"transfer-password": {
		literals: ["pass "],
		rest: String.raw`(?:(?<=(?:^|\n)(?:---> |> |C: |<- |>> ))|(?<=(?:^|\n)(?:USER|\+OK|331)[^\n]{0,120}\n(?:[^\n]{0,120}\n)?)|(?<=["']))PASS[ \t](?=[^\s]{4,100}(?:[ \t]{0,4}(?:\r?\n|$)|\\r))`,
	},
	"mail-exchange": { programs: ["334 UGFzc3dvcmQ6"], rest: String.raw`\r?\n(?:C: |> )?` },
	"stored-value": {
		literals: ["keyvault secret set", "put-parameter", "create-secret", "put-secret-value", "update-secret"],
		rest: String.raw`(?:keyvault secret set|put-parameter(?=[^\n]{0,300}SecureString)|create-secret|put-secret-value|update-secret)`,
		option: "--(?:value|secret-string)[ =]",
		accept: (secret) => isArgument(secret) && !/^(?:file:|\{$)/.test(secret),
	},
	"stored-value-in-json": {
		programs: ["create-secret", "put-secret-value", "update-secret"],
		option: String.raw`--secret-string[ =]'\{"[\w-]{1,40}":"[^"\n]{1,80}","[\w-]{1,40}":(?=")`,
	},
	"literal-of-secret": {
		literals: ["--from-literal"],
		rest: String.raw`(?<=secret[ \t][^\n]{0,300})--from-literal[ =]["']?(?!(?:user|username|host|port|name|url|email|region|endpoint|database|db)=)[\w.-]{1,80}=`,
		accept: (secret) => isArgument(secret) && (/\d/.test(secret) || isPassword(secret)),
	},
	"kept-value": {
		programs: ["vault "],
		literals: ["vault kv put", "vault kv patch", "vault write"],
		rest: String.raw`(?:kv put|kv patch|write)[ \t](?:-\S{1,30}[ \t]){0,3}[\w./-]{1,120}[ \t](?:(?:user|username|host|port|name|url|email|role_id|region|ttl|policies)=[^\s]{1,120}[ \t]){0,4}[\w.-]{1,60}=`,
		accept: (secret) =>
			isArgument(secret) && isSecretValue(secret, "secret", "certain") && !/^@/.test(secret),
	},
	"registry-value": {
		programs: ["reg add"],
		option: String.raw`/v[ \t]["']?[\w.-]{0,60}(?:[pP]ass(?:word|wd)?|PASSWORD|[sS]ecret|SECRET|[tT]oken|TOKEN|[kK]ey|KEY)["']?[ \t](?:/t[ \t]\w{3,20}[ \t])?/d[ \t]`,
	},
	"package-login": {
		programs: ["poetry config "],
		rest: String.raw`(?:http-basic\.[\w-]{1,40}[ \t][\w.@-]{1,60}|pypi-token\.[\w-]{1,40})[ \t]`,
	},
	"package-token": {
		programs: ["github-oauth", "gitlab-oauth", "gitlab-token", "bitbucket-oauth", "bearer"],
		literals: ["github-oauth.", "gitlab-oauth.", "gitlab-token.", "bitbucket-oauth.", "bearer."],
		rest: String.raw`\.[\w.-]{3,60}[ \t]`,
		accept: (secret) => /\d/.test(secret) && secret.length >= 16,
	},
	"gem-login": {
		programs: ["bundle config"],
		rest: String.raw`(?: set)?(?: --\w{2,10}){0,2}[ \t][\w./:-]{3,80}[ \t][\w.@-]{1,60}:`,
	},
	"storage-alias": {
		programs: ["mc alias set", "mc config host add"],
		rest: String.raw`[ \t]\S{1,60}[ \t]https?://\S{1,120}[ \t]\S{1,80}[ \t]`,
	},
	"transfer-settings": {
		literals: ['user = "', 'user="', '-u "'],
		rest: String.raw`(?<=(?:^|\n)[ \t]{0,4}-{0,2})(?:user ?= ?|-u )(?=")"[\w.@+-]{1,64}:`,
		accept: isPassword,
	},
	"digest-login": {
		programs: [["addauth digest", String.raw`[ \t]`], "--wsrep_sst_auth=", "wsrep_sst_auth="],
		rest: String.raw`[\w.-]{1,40}:`,
	},
	"mask-log": { programs: ["::add-mask::"] },
	"replaced-by": {
		programs: ["sed"],
		literals: ["sed -", "sed 's", 'sed "s'],
		rest: String.raw`[ \t](?:-\S{1,6}[ \t]){0,3}["']s([/|#,@])[^\n/|#,@]{0,60}(?:PASS(?:WORD|WD)?|password|SECRET|secret|TOKEN|token|API_?KEY|api_?key)[^\n/|#,@]{0,30}\1`,
		accept: (secret) => isPassword(secret.replace(/[/|#,@][gimIe]{0,3}$/, "")),
	},
	"tunnel-secret": {
		literals: [": psk ", ": eap ", ": xauth "],
		rest: String.raw`(?<=[\w%@.* ]{1,80}):[ \t](?:PSK|EAP|XAUTH)[ \t](?=")`,
	},
	"tool-bearer": { programs: ["-A bearer"], rest: String.raw`[ \t]-a[ \t]` },
	"named-user-type": {
		programs: ["username "],
		rest: String.raw`\S{1,60}[ \t](?:privilege[ \t]\d{1,2}[ \t])?(?:password|secret)[ \t]\d[ \t]`,
	},
	"decryption-key": {
		programs: ["with key ", "with secret ", "with the key ", "using key "],
		accept: (secret) =>
			/^[0-9a-f]{32,}$/i.test(secret) || (secret.length >= 20 && isSecretValue(secret, "weak", "stated")),
	},
	"login-as": {
		programs: ["log in as", "login as", "sign in as", "logged in as"],
		rest: String.raw` [\w.@-]{1,60} (?:with|using) `,
		accept: isMadeUpWord,
	},
	"ldap-password": { programs: ["ldap"], rest: String.raw`\w{2,12}`, option: String.raw`-w[ \t]` },
	"database-password": {
		programs: [
			["mongo", String.raw`\w{0,10}`],
			"influx",
			"cqlsh",
			"sqlcmd",
			"bcp",
			"clickhouse-client",
			["mosquitto_", "[ps]ub"],
			"vsql",
			"isql",
			"arangosh",
			"cypher-shell",
			"rabbitmqadmin",
			"twine",
			"psexec",
			["ncftp", String.raw`\w{0,4}`],
			"rdesktop",
			"evil-winrm",
			"crackmapexec",
			"netexec",
			"nxc",
			"conan",
			"ipmitool",
			"hydra",
		],
		option: String.raw`-[pPw][ \t]?`,
	},
	"archive-password": {
		programs: [["7z", "a?"], "unzip", "zip", "rar", "unrar"],
		literals: ["7z ", "7za ", "zip ", "unzip ", "rar ", "unrar "],
		option: String.raw`-h?[pP][ \t]?`,
		accept: (secret) => isPassword(secret) && !/[/\\]|\.(?:7z|0\d\d|[A-Za-z]\w{1,3})$/.test(secret),
	},
	htpasswd: {
		programs: ["htpasswd"],
		rest: String.raw`[ \t]-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}[ \t][^\n|;]{0,200}?[\w.@-]{1,64}[ \t](?=(?:[^\s"']{2,200}|"[^"\n]{2,200}"|'[^'\n]{2,200}')[ \t]{0,4}(?:[\n\r|;&>]|$))`,
	},
	"openssl-pass": {
		literals: ["pass:"],
		rest: String.raw`(?<=-(?:pass|passin|passout|password|k|storepass|srcstorepass)[ \t]["']?)pass:`,
	},
	"openssl-key": {
		programs: ["openssl"],
		rest: String.raw`[ \t](?:enc|aes-?\d{3}|des3?|rc4|camellia|chacha20|[a-z]{2,8}-)`,
		option: String.raw`-[kK][ \t]`,
		accept: (secret) => isArgument(secret) && !/^file:/.test(secret),
	},
	"key-store": {
		programs: ["keytool", "jarsigner", "apksigner", ["gpg", "2?"], "signtool"],
		literals: ["keytool", "jarsigner", "apksigner", "gpg ", "gpg2 ", "signtool"],
		option: String.raw`(?:-storepass|-keypass|-srcstorepass|-deststorepass|-destkeypass|--passphrase|/p)[ \t]`,
	},
	"samba-user": {
		programs: ["smbclient", "smbmap", "rpcclient", "net rpc"],
		option: String.raw`-U[ \t]["']?[\w.\\/@-]{1,80}%`,
	},
	"windows-password": {
		literals: ["/p:", "/pass:", "/password:", "/rp "],
		rest: String.raw`(?<=[ \t])/(?:(?:p|pass|password):|rp )`,
	},
	"windows-user": {
		programs: [
			["net user", String.raw`[ \t][\w.-]{1,40}`],
			["net use", String.raw`[ \t][^\n]{0,120}/user:[\w.\\@-]{1,80}`],
		],
		rest: String.raw`[ \t]`,
		accept: isPassword,
	},
	"change-password": {
		programs: ["echo "],
		rest: String.raw`(?:-n[ \t]|-e[ \t])?(?=[^\n|]{1,200}\|[ \t]{0,2}(?:sudo[ \t])?(?:chpasswd|passwd))["']?(?:[\w.-]{1,40}:)?`,
	},
	"piped-password": {
		programs: ["echo ", "printf "],
		rest: String.raw`(?:-n[ \t]|-e[ \t]|["']?%s["']?[ \t])?(?=[^\n|]{1,400}\|[^\n|]{0,80}(?:--password-stdin|--with-token|sudo -S|--stdin|kinit|docker secret create|podman secret create|secret-tool store|(?:go)?pass insert|cryptsetup|secrets? (?:create|put|set|import|add)|versions add|create-secret|smbpasswd|--passphrase-fd|ssh-add|vault (?:login|kv put)|base64 (?:-d|-D|--decode)[^\n]{0,40}\.(?:keytab|p12|pfx|jks|pem|key|kubeconfig)))`,
	},
	"here-string": {
		programs: [
			"--with-token",
			"--password-stdin",
			"sudo -S",
			["cryptsetup luks", String.raw`\w{3,8}[ \t]\S{1,60}`],
		],
		rest: String.raw`[ \t]{0,4}<<<[ \t]?`,
	},
	"queue-user": {
		programs: ["rabbitmqctl"],
		option: String.raw`(?:add_user|change_password|authenticate_user)[ \t][\w.@-]{1,64}[ \t]`,
	},
	"file-transfer-user": { programs: ["lftp"], option: String.raw`-u[ \t]["']?[\w.@-]{1,64},` },
	"configure-set": {
		programs: [
			"configure set",
			"config set",
			"secret set",
			"secrets set",
			"variable set",
			"variables set",
			"env set",
			"config:set",
			"secrets:set",
		],
		rest: String.raw`[ \t](?:-\S{1,20}[ \t]){0,3}[^\s=]{0,100}(?:[sS]ecret|SECRET|[tT]oken|TOKEN|[pP]assword|PASSWORD|[kK]ey|KEY|_auth|[pP]asswd)[\w.]{0,20}[ \t](?:(?:--body|-b|--value|-v)[ =])?`,
		accept: (secret) => isArgument(secret) && secret.length >= 6,
	},
	"login-argument": {
		literals: ["vault login", "doctl auth init", "ngrok ", "auth token", "cargo login"],
		rest: String.raw`(?:vault login|doctl auth init (?:-t|--access-token)|ngrok[ \t](?:config[ \t])?(?:add-)?authtoken|auth token|cargo login)[ \t](?:token=)?`,
		accept: (secret) => /\d/.test(secret) && secret.length >= 16,
	},
	"secure-string": { programs: ["ConvertTo-SecureString"], rest: String.raw`[ \t](?:-String[ \t])?` },
	netrc: {
		programs: ["login ", "account "],
		rest: String.raw`[ \t\n]{0,19}[\w.@+-]{1,100}[ \t\n]{1,20}(?:port[ \t]\w{1,10}[ \t\n]{1,20})?password[ \t]{1,20}`,
	},
	"netrc-machine": {
		programs: ["machine "],
		rest: String.raw`[ \t]{0,7}\S{1,100}[ \t\n]{1,20}password[ \t]{1,20}`,
	},
	"device-user": {
		programs: ["username ", "user "],
		rest: String.raw`["']?[\w.@\\/-]{1,60}["']?,?[ \t](?:and[ \t])?(?:privilege[ \t]\d{1,2}[ \t])?(?:there[ \t])?(?:pass|password|secret)[ \t](?:is[ \t])?(?:\d[ \t])?`,
		accept: isPassword,
	},
	"access-list-user": {
		programs: ["user "],
		rest: String.raw`\S{1,60}[ \t]on[ \t](?:[~+@*\w-]{1,20}[ ]){0,3}>`,
	},
	"bundle-credentials": {
		programs: ["BUNDLE_"],
		rest: "[A-Z0-9_]{3,80}__[A-Z]{2,6}(?:=|:[ ]?)",
		accept: (secret) => /^[^:\s]{3,}:[^:\s/]{3,}$/.test(secret),
	},
	"weather-key": { programs: ["appid="], accept: (secret) => /^[0-9a-f]{32}/.test(secret) },
	"scanner-login": { programs: ["sonar.login="], accept: (secret) => /^[0-9a-f]{40}/.test(secret) },
};

export const COMMAND_RULES: readonly ContextRule[] = Object.entries(ROWS).map(([kind, row]) => {
	const { programs = [], rest = "", option, accept = isArgument } = row;
	const names = programs.map((program) => (typeof program === "string" ? ([program, ""] as const) : program));
	const begins = names.map(([name, more]) => name.replace(/[.$]/g, "\\$&") + more);
	const before = (begins.length > 1 ? `(?:${begins.join("|")})` : begins.join("")) + rest;
	const later = option === undefined ? "" : OPTIONS + option;
	return {
		kind,
		literals: row.literals ?? names.map(([name]) => toLiteral(name)),
		pattern: row.pattern ?? new RegExp(`(?<![\\w-])(?:${before}${later})${VALUE}`, "y"),
		accept,
		...(option === undefined ? {} : { follows: new RegExp(`[ \\t]${option}`, "g") }),
	};
});

/** A short name needs the space after it to be found by. */
function toLiteral(name: string): string {
	return name.length < 4 ? `${name.toLowerCase()} ` : name.toLowerCase();
}
