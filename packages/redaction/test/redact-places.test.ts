import { describe, expect, it } from "vitest";
import { ALNUM, createRandomness, HEX } from "../fixtures/random-secrets.ts";
import { sanitizeOutput } from "../sanitize-output.ts";

const MARK = "[REDACTED]";
const random = createRandomness(11);
const redact = (text: string): string => sanitizeOutput(text, { home: "" });

function hides(around: (secret: string) => string, secret: string): void {
	expect(redact(around(secret))).toBe(around(MARK));
	expect(redact(around(MARK))).toBe(around(MARK));
}

function stays(text: string): void {
	expect(redact(text)).toBe(text);
}

describe("a value with a bracket in it", () => {
	const secrets = [`w(${random.pick(ALNUM, 11)}7`, "Kr(4)vLm2xQ", "hT9(zqW!m", "vx8[Qm3kTz!p"];
	const places: readonly ((secret: string) => string)[] = [
		(secret) => `DB_PASSWORD='${secret}'`,
		(secret) => `password: "${secret}"`,
		(secret) => `{"password":"${secret}"}`,
		(secret) => `<password>${secret}</password>`,
		(secret) => `define('DB_PASSWORD', '${secret}');`,
	];
	it.each(secrets)("is replaced in quotes and in an element: %s", (secret) => {
		for (const around of places) hides(around, secret);
	});

	it("is replaced as a key, too", () => {
		hides((secret) => `secret_key = "${secret}"`, "t#(8wdfk)3n$%y");
	});

	it.each([
		"password = getPassword()",
		"token: fetchToken(user)",
		'const key = hash("x")',
		"password: vault.read(path)[0]",
		'password: "getPassword()"',
		'"token": "fetchToken2(user, scope)"',
		'password: "Enter password (min 8)"',
		'{"password":"Password (again)"}',
	])("stays where it is a call or a label: %s", stays);
});

describe("a name with a number", () => {
	it.each([
		(value: string) => `password2: "${value}"`,
		(value: string) => `DB_PASSWORD1=${value}`,
		(value: string) => `{"apiKey2": "${value}"}`,
	])("names what the name without it does (%#)", (around) => {
		hides(around, "hT9zqWm4xKv7");
	});

	it.each(["pass2: 0.31s", "pass1: 1200 symbols", "key1: value1", "token1 = lexer.next()"])(
		"stays where it is another thing: %s",
		stays,
	);
});

describe("what only a value can be", () => {
	it("is replaced although it reads like a name", () => {
		hides((value) => `DB_PASSWORD=${value}`, "supersecretpassword");
		hides((value) => `connectionString = "${value}"`, "aK9xQ2mZ7pL4vB8nT3wR");
	});
});

describe("a password further on in a sentence", () => {
	const secret = "Karwendel4827!Ost";
	it.each([
		(value: string) => `The password for the new build server is ${value}`,
		(value: string) => `Password of our shared mail account is now: ${value}, please change it.`,
		(value: string) => `das WLAN-Passwort f\u00fcr die G\u00e4ste lautet: ${value}`,
		(value: string) => `Das Kennwort von Frau Huber ist ${value}.`,
		(value: string) => `Le mot de passe du serveur est ${value}`,
		(value: string) => `La contrase\u00f1a del servidor de correo es ${value}`,
	])("is replaced (%#)", (around) => {
		hides(around, secret);
	});

	it.each([
		"The password for the account is stored encrypted",
		"the token of the request is validated in line 42",
		"The password of the user is hashed with argon2id",
		"The password of every single user is argon2id hashed",
		"The token for the CI job is GITHUB_TOKEN",
		"The secret for this service is in config/secrets2.yml",
		"The password for the dev database is $DB_PASSWORD1",
		"the token of this build is v1.2.3-beta",
		"the token in the new parser is TokenKind.Ident2",
		"The password for the login form is case-sensitive",
		"The password for all new users is required!",
		"They pass when the first value is abcd1234!x",
	])("stays where the sentence says something else: %s", stays);
});

describe("a seed phrase below its label", () => {
	const words = "velvet harbor cousin ladder method orphan pencil quarter ribbon saddle tunnel uncle".split(
		" ",
	);
	it.each([
		(phrase: string) => `Recovery phrase (12 words), never share it:\n${phrase}`,
		(phrase: string) => `Seed phrase:\n\n  ${phrase}\n\nDone.`,
		(phrase: string) => `Your mnemonic, write it down:\r\n${phrase}\r\n`,
	])("is replaced (%#)", (around) => {
		hides(around, words.join(" "));
		hides(around, `${words.slice(0, 6).join(" ")}\n${words.slice(6).join(" ")}`);
		hides(around, words.map((word, index) => `${index + 1}. ${word}`).join("\n"));
	});

	it.each([
		"Recovery phrase:\nkeep the paper with your words away from water and fire because they may destroy them",
		`Colors:\n${words.join(" ")}`,
		"The seed phrase has twelve words.",
	])("stays where it is a sentence: %s", stays);

	it("is held back while it is being written, line after line", () => {
		const lines = `${words.slice(0, 6).join(" ")}\n${words.slice(6).join(" ")}`;
		const text = `Your recovery phrase:\n\n${lines}`;
		for (let end = 1; end <= text.length; end += 1) {
			expect(sanitizeOutput(text.slice(0, end), { home: "", open: "end" })).not.toContain("velvet");
		}
	});
});

describe("a code that lets somebody in once", () => {
	it.each([
		(code: string) => `Your verification code is ${code}.`,
		(code: string) => `Your verification code for Acme Mail is ${code}`,
		(code: string) => `Login code: ${code}`,
		(code: string) => `security code = ${code}`,
		(code: string) => `"confirmationCode": "${code}"`,
		(code: string) => `Use this one-time code: **${code}**`,
		(code: string) => `2FA code: ${code}`,
		(code: string) => `OTP: ${code}`,
		(code: string) => `otp=${code}`,
		(code: string) => `pushTAN: ${code}`,
		(code: string) => `Your PIN is ${code}`,
		(code: string) => `{"pin": "${code}"}`,
		(code: string) => `Ihr Best\u00e4tigungscode lautet: ${code}`,
		(code: string) => `Votre code de v\u00e9rification est ${code}`,
	])("is replaced (%#)", (around) => {
		for (const code of ["7310", "731058", "73105824", "731 058"]) hides(around, code);
	});

	it.each([
		"Error code: 482913",
		"exit code: 137",
		"status code is 404",
		"HTTP status code: 5031",
		"ZIP code: 12345",
		"Pin code: 560001",
		"country code = 0049",
		"source code: 1234 lines",
		"SPIN: 4829",
		"TITAN: 4829",
		"const LED_PIN = 13;",
		"tan = 1234",
		"TAN: 1234.5",
		"Erlang/OTP: 2700",
		"the security code is reviewed in 2024",
		"verification code: 2024-05-01",
	])("stays where it is another code: %s", stays);
});

describe("recovery codes", () => {
	const codes = ["7c1fe-02b9d", "fadeb-bcdaf", "19a0c-e77d3"];
	it.each([
		(list: readonly string[]) => `Recovery code: ${list[0]}`,
		(list: readonly string[]) => `Recovery codes:\n${list.join("\n")}\n\nStore them.`,
		(list: readonly string[]) => `Save these backup codes (each works once):\n\n${list.join("\n")}`,
		(list: readonly string[]) =>
			`Backup codes:\n${list.map((code, at) => `  ${at + 1}. ${code}`).join("\n")}`,
		(list: readonly string[]) => `{"recovery_codes": ["${list.join('", "')}"], "count": 3}`,
		(list: readonly string[]) => `"backupCodes": [\n  "${list.join('",\n  "')}"\n]`,
		(list: readonly string[]) => `backup_codes:\n${list.map((code) => `  - ${code}`).join("\n")}`,
	])("are replaced (%#)", (around) => {
		const marks = codes.map(() => MARK);
		expect(redact(around(codes))).toBe(around(marks));
		expect(redact(around(["4410 9273", "5518 0236", "9034 7712"]))).toBe(around(marks));
		expect(redact(around(["44109273", "55180236", "90347712"]))).toBe(around(marks));
	});

	it.each([
		"The recovery code: see src/recovery.ts",
		"recovery codes: 10 remaining",
		"const backupCodes = generateBackupCodes(8)",
		"recoveryCodes: string[]",
		'backup_codes = ["code1", "code2"]',
		"Backup code: backup-job2 in jobs",
		"error codes:\n7c1fe-02b9d",
	])("stay where there are none: %s", stays);

	it("are held back while they are being written", () => {
		const text = "Backup codes:\n\n44109-27311\n55180-23622\n";
		for (let end = 1; end <= text.length; end += 1) {
			expect(sanitizeOutput(text.slice(0, end), { home: "", open: "end" })).not.toMatch(/44109-2|55180-2/);
		}
	});
});

describe("private keys of accounts", () => {
	const key = `0x${random.pick(HEX, 64)}`;
	it.each([
		(secret: string) => `accounts: ["${secret}"]`,
		(secret: string) => `accounts: ['${secret}', "${secret}"],`,
		(secret: string) => `  "accounts": [\n    "${secret}",\n    "${secret}"\n  ]`,
	])("are replaced (%#)", (around) => {
		hides(around, key);
	});

	it.each([
		`the transaction hash is ${key}`,
		`tx ${key} was mined`,
		`transactions: ["${key}"]`,
		`accounts: ["${key.slice(0, 42)}"]`,
		'accounts: ["alice", "bob42"]',
	])("are not confused with hashes and addresses (%#)", stays);
});

describe("what only looks like a secret", () => {
	const hex = random.pick(HEX, 40);
	it.each([
		`gpg: using RSA key ${hex.toUpperCase()}`,
		`gpg:                using EDDSA key ${hex.toUpperCase()}`,
		`AC${hex.slice(0, 32)}`,
		`TWILIO_ACCOUNT_SID=AC${hex.slice(0, 32)}`,
		`account_sid = "AC${hex.slice(0, 32)}"`,
		'const DETACH_KEY = "ctrl+alt+b"',
		'TOGGLE_KEY="cmd+shift+f12"',
		'API_KEY = "Ctrl+K Ctrl+S"',
		'DETACH_KEY = "ctrl+shift+PageUp"',
	])("stays: %s", stays);

	it("does not spare the secrets beside it", () => {
		hides((secret) => `AC${hex.slice(0, 32)}:${secret}`, random.pick(HEX, 32));
		hides((secret) => `RSA key: ${secret}`, random.pick(ALNUM, 40));
		hides((secret) => `DB_PASSWORD="${secret}"`, "ctrl+alt+Xq93kf!");
		hides((secret) => `DB_PASSWORD="${secret}"`, "super-zeppelin");
		hides((secret) => `accounts:\n  github:\n    tokens:\n      - ${secret}\n`, random.pick(ALNUM, 30));
	});
});

describe("what is around a secret", () => {
	it("stays on each line of a diff", () => {
		const [before, after] = [164, 164].map((length) => `sk-${"proj-"}${random.pick(ALNUM, length)}`);
		expect(redact(`-OPENAI_API_KEY=${before}\n+OPENAI_API_KEY=${after}\n DEBUG=1`)).toBe(
			`-OPENAI_API_KEY=${MARK}\n+OPENAI_API_KEY=${MARK}\n DEBUG=1`,
		);
	});

	it("stays after a full-width comma or full stop", () => {
		hides((secret) => `\u5bc6\u7801\u662f${secret}\uff0c\u8bf7\u4fdd\u5b58`, "Karwendel4827!");
		hides((secret) => `\u5bc6\u7801\uff1a${secret}\u3002\u8bf7\u4fdd\u5b58`, "Karwendel4827!");
		hides((secret) => `password: ${secret}\uff0c\u7136\u540e\u767b\u5f55`, "Karwendel4827!");
	});

	it("stays in an address that sets up one-time codes", () => {
		hides(
			(secret) => `otpauth://totp/Acme:bob@acme.io?secret=${secret}&issuer=Acme`,
			random.pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32),
		);
	});
});

describe("an argument that only its command makes a secret", () => {
	it.each([
		["vault kv put", (secret: string) => `vault kv put secret/app live=${secret}`],
		["vault kv patch", (secret: string) => `vault kv patch secret/app live=${secret}`],
		["settings of curl, indented", (secret: string) => `# ~/.curlrc\n    user = "deploy:${secret}"`],
	])("%s", (_, around) => hides(around, random.pick(ALNUM, 32)));
});

describe("a password with a dot in it", () => {
	const places: readonly (readonly [string, (secret: string) => string])[] = [
		["quotes", (secret) => `password="${secret}"`],
		["JSON", (secret) => `{"password":"${secret}"}`],
		["an element", (secret) => `<password>${secret}</password>`],
		["an attribute", (secret) => `<user name="a" password="${secret}"/>`],
		["YAML", (secret) => `db:\n  password: ${secret}\n  port: 5432`],
		["INI", (secret) => `[database]\nuser = app\npassword = ${secret}\n`],
		["a connection string", (secret) => `Server=db;User Id=sa;Password=${secret};Encrypt=true`],
		["pairs", (secret) => `host=db user=app password=${secret} dbname=x`],
		["helm", (secret) => `helm install x --set db.password=${secret}`],
		["a table", (secret) => `| user | password |\n|---|---|\n| alice | ${secret} |\n`],
		["CSV", (secret) => `user,password\nalice,${secret}\n`],
		["a default", (secret) => `const password = process.env.DB_PASSWORD || "${secret}";`],
		["PHP", (secret) => `define('DB_PASSWORD', '${secret}');`],
		["an escaped sign", (secret) => `db.password\\=${secret}`],
		["a full-width sign", (secret) => `password＝${secret}`],
	];
	it.each(places)("is replaced in %s", (_name, around) => {
		for (const secret of ["P4ss.w0rd", "Lantern.gravel417", "willow5.Harbor", "Amber77.donkey"])
			hides(around, secret);
	});

	it.each([
		'password: "config.db2.password"',
		"password = config.db2.password",
		"password = settings.server01",
		"password=args.pw2",
		'"password": "form.password2.label"',
		'<input :password="form.value1">',
		'password: t("login.step2.title")',
		'{"password": "errors.e404"}',
		'password: "com.example.app2"',
		"password = Settings.Value2",
	])("is not seen in a path of identifiers: %s", stays);

	it.each([
		["Thunder.road1", "my password is Thunder.road1"],
		["Cherry.pie.9", "anna: hey, the db pass is Cherry.pie.9 ok?"],
		["Deep.well.6", 'val secret = "Deep.well.6"'],
		["moon.over.water", "Data Source=ora;User ID=scott;Password=moon.over.water"],
		["under.the.apple.tree", "encryption_key = 'under.the.apple.tree'"],
		["xK7.pL2.mN9", "Your new password: xK7.pL2.mN9"],
		["Hammock.day.2", "> what's the root pw?\n> it's Hammock.day.2"],
		["Quick.fix.21", "pls use Quick.fix.21 as the password"],
		["Sesame seed bun 5", '"Sesame seed bun 5" is the passphrase'],
		["hunter2.", "<password>hunter2.</password>"],
		["I like my coffee black.", "<password>I like my coffee black.</password>"],
		["Grandma bakes on Sundays", 'password: "Grandma bakes on Sundays"'],
		["Every cloud has a lining", "Password=Every cloud has a lining;Encrypt=true"],
		["Every cloud has a lining", "[mail]\npassword = Every cloud has a lining\n"],
		["Snow.plough3", "net use Z: \\\\srv\\share /user:corp\\anna Snow.plough3"],
		["EsTc 9kLm 2QpR 7vXz", "recovery key: EsTc 9kLm 2QpR 7vXz"],
		["velvet-otter-4491", "X-Api-Key: velvet-otter-4491"],
	])("is replaced: %s", (secret, text) => hides((inner) => text.replace(secret, () => inner), secret));

	it.each([
		"the first pass is Parser.parse2",
		"token: app.log.1",
		"what's the password? I don't know",
		"password? optional",
		'"password": "Minimum eight characters."',
		"secret: org.apache.in.memory.store",
		"useradd -m anna",
	])("is not seen in: %s", stays);

	it.each([
		["a note behind it", (secret: string) => `Pass: ${secret} (do not share)`],
		["one line with its user", (secret: string) => `User: hr-sync / Pass: ${secret}`],
		["a list in a sentence", (secret: string) => `user hr, pass: ${secret}, host db`],
		["a pair that a sentence tells", (secret: string) => `the creds are app / ${secret} - use the VPN`],
		["a sentence", (secret: string) => `the password for app is ${secret}, ok`],
		["a procedure", (secret: string) => `EXEC sp_addlogin 'svc', '${secret}', 'master'`],
		[
			"a procedure with five arguments",
			(secret: string) => `sp_addlinkedsrvlogin 'S', 'false', NULL, 'sa', N'${secret}'`,
		],
		["7z", (secret: string) => `7z x -p${secret} archive.7z`],
		["unzip", (secret: string) => `unzip -P ${secret} export.zip`],
	] as const)("is replaced when it reads like a sentence, in %s", (_name, around) => {
		for (const secret of ["Tango.in.the.rain47", "Bright.copper.kettles.6"]) hides(around, secret);
	});

	it.each([
		"Password: required (8 characters)",
		"user: src / password: Config.db.field2",
		"unzip -P export.zip",
		"7z x -p archive.7z.001",
		"EXEC sp_addlogin 'svc', @password, 'master'",
	])("is not seen where there is none: %s", stays);

	it("is told apart from a name after a secret's name, too", () => {
		hides((secret) => `$env:API_SECRET = "${secret}"`, "Lantern-gravel417");
		stays('API_SECRET = "app-secret-v2"');
	});
});

describe("the path of a session", () => {
	it.each([
		"Session: ~/.pi/agent/sessions/--srv-project2--/2026-11-16T16-39-32-123Z_0197c3a1-7b2c-7d11-9a55-0c2b3d4e5f60.jsonl",
		"Session: /srv/u/.pi/agent/sessions/--srv-project2--/2026-11-16T16-39-32-123Z_0197c3a1-7b2c-7d11-9a55-0c2b3d4e5f60.jsonl",
		'session: "/tmp/work/9/x/20261116-163932-a8Kd93.jsonl"',
	])("stays: %s", stays);

	it("does not keep a session's secret", () => {
		hides((secret) => `session: ${secret}`, `/${random.pick(ALNUM, 43)}`);
	});
});
