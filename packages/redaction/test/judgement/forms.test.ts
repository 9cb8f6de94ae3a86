import { describe, expect, it } from "vitest";
import * as chosen from "../../judgement/check-chosen-words.ts";
import * as form from "../../judgement/check-name-form.ts";
import { isQuerySecret, isSignatureName } from "../../judgement/check-query-value.ts";
import * as randomness from "../../judgement/check-randomness.ts";
import { isHarmlessValue } from "../../judgement/reject-value.ts";

const words = (text: string): readonly string[] => text.split(" ");

/** What the sentence is true of, and what it is not true of although it comes close. */
type Row = readonly [
	sentence: string,
	check: (value: string) => boolean,
	yes: readonly string[],
	no: readonly string[],
];

describe("names", () => {
	it.each<Row>([
		["mentions a secret", form.mentionsSecret, words("myPassword apikey"), ["falcon"]],
		[
			"names a password",
			form.isNameOfPassword,
			words("newPassword token_2 user-1 kennwort Passwort input_field $pwd"),
			words("password12 zeppelin"),
		],
		[
			"is an identifier with a number",
			form.isIdentifierWithNumber,
			words("token1 apiKeyV2 OAuth2ClientOptions"),
			words("xkvbqz12 token123 X509v3_KU_DIGITAL Oa2utH3clientoptions ab-1 1abc oauth2clientoptions OAu2thx"),
		],
		[
			"is a name with dots",
			form.isDottedName,
			words("config.db2.password com.example.app2 a.abcdefghijklmnopqrstuvwx"),
			[...words("config a.1b a.b1c2d a.abcdefghijklmnopqrstuvwxy1 xK.vBqZrTpLm"), `a.${"x".repeat(42)}`],
		],
		[
			"is a path of names, where only a value can be",
			(value) => form.isPathOfNames(value, true),
			words("config.db2 this.value2 db.userToken a.b.c"),
			words("monkey.falcon a.b A.b.c hunter2.Winter plain"),
		],
		[
			"is a path of names, in code",
			(value) => form.isPathOfNames(value, false),
			words("config.db2 monkey.falcon sha2.Digest a.b bypass.x byPass.x"),
			words("P4ss.w0rd hunter2.Winter marmalade.thunder802"),
		],
		[
			"is a word with a number, as people choose it",
			form.isWordWithNumber,
			words("falcon36 Falcon36"),
			words("falcon3 falcon1234567 abc36 token36 sha256 step12 falcon36x"),
		],
		[
			"is words and numbers, joined",
			form.isKebabName,
			words("x-amz-sha256-header access_token_v2 Content-Type API-KEY a-xkvbqzr a--b a.b/c:d"),
			words("single a-12345 a-xkvbqzrt a-bC"),
		],
		[
			"names a method",
			form.isMethodName,
			words("argon2id sha256WithRSA pbkdf2 md-5"),
			words("bcrypt falcon2 xsha256"),
		],
		[
			"is mixed by chance",
			form.isMixedByChance,
			["Xk-Vbq.Zrt"],
			words("Xk-Vbq.Zr xk-vbq.zrt XK-VBQ.ZRT Token-Xkvbqz Read-Write userXk-Vbq.Zrt"),
		],
		[
			"was made up",
			form.isMadeUpWord,
			words("zep!elin zeppel1! Tiger-River-64 falcon36 aK9xQ2mZ falcon3x züri9xQ2m"),
			words("zeppelin zeppeli! zep1! 12345678! argon2id x-amz-sha256 a.b2.cdefgh apiKeyV2 12345678"),
		],
		[
			"is names that a person put together",
			form.isChosenName,
			words("Tiger-River-64 falcon_Violet9926 Tiger-64"),
			words(
				"tiger-river-64 TIGER-RIVER-64 Ti-64 Tiger-6 Tiger64 Sha-256 Tiger-River-Moon-Sun-64 Tiger-River",
			),
		],
	])("%s", expectRow);
});

describe("chance", () => {
	it.each<Row>([
		[
			"is a stand-in for a token",
			randomness.isPlaceholderToken,
			words("ghp_0000000000000 AKIAIOSFODNN7EXAMPLE my-token ab***cd ab<cd"),
			words("ghp_000000000 AKIAEXAMPLEX xmy-token ab**cd"),
		],
		[
			"was made by a machine",
			randomness.looksGenerated,
			words("a1b2c3d4 ab1cd2ef3gh4 a1b2-c3d4-e5f6-g7h8-i9j0-k1l2 bcdfghjklmnpqrstvw12 xkvbqzrtplmnwdfghjkc"),
			words(
				"a1b2c3d aaaaa1a2a3a4 sk-folding-cube secret_manager_client abcdefgh abcdefg1 12345678 a1b2-c3d4-e5f6 bcdfghjklmnpqrstvw1",
			),
		],
		[
			"is mixed of all kinds",
			randomness.looksMixed,
			["aK9xQ2mZ7p"],
			words("ak9xq2mz7p AK9XQ2MZ7P aKxxQ2mZpp aK9xQ2mZ7 aK9xaK9xaK9x"),
		],
		[
			"is letters without words",
			randomness.looksLikeRandomLetters,
			words("xkvbqz aBcDeFgHiJ abCdEfG zqxwvkjp"),
			[
				...words(
					"zeppelin readFile README getUserNameOfTheOther 123 rhythms camelCaseIdentifiers HTTPServer",
				),
				"",
			],
		],
		["could be words", randomness.isLettersOfWords, words("parse xkv README"), words("xkvb xkvbqz")],
		[
			"has letters in an order that words do not have",
			randomness.isUnlikeWords,
			["zqxjkvbw"],
			words("zqxjkvb zeppelins abcdefgh parameter internationalization"),
		],
	])("%s", expectRow);

	it("is counted", () => {
		expect(randomness.distinctCharacters("aabbc")).toBe(3);
		expect(randomness.distinctCharacters(`${"a".repeat(128)}b`)).toBe(1);
		expect([randomness.countMatches("a1b2", /\d/g), randomness.countMatches("ab", /\d/g)]).toEqual([2, 0]);
		const texts = ["aaaa", "aabb", "abcd", `${"a".repeat(256)}bcdefgh`];
		expect(texts.map(randomness.shannonEntropy)).toEqual([0, 1, 2, 0]);
	});
});

describe("words that a person chose", () => {
	it.each<Row>([
		[
			"is a password of words",
			chosen.isChosenByPerson,
			words("hunter2 letmein99 correct-horse-battery-staple correct-horse-battery-42"),
			words("hunter letmein12345 correct-horse-battery correct-horse-42 correct-horse-battery-4"),
		],
		[
			"is three words and joints",
			(value) => chosen.isWordChain(value, 3),
			words("correct-horse-battery Correct-Horse-Battery correct_horse.battery"),
			words(
				"correct-horse ab-horse-battery cORRECT-horse-battery correct-horse-key correct-horse-passwort correct-horse-abcdefghijklm",
			),
		],
		[
			"is three words",
			(value) => chosen.isWordPhrase(value, 3),
			["correct horse battery"],
			[
				"correct horse",
				"Correct horse battery",
				"correct horse token",
				"correct horse abcdefghijk",
				`${"correct ".repeat(12)}horse`,
			],
		],
		[
			"is one word",
			chosen.isChosenWord,
			["zeppelin"],
			words("zeppe Zeppelin userpassword keyring token abcdefghijklmnopqrstuvwxy nopass"),
		],
		[
			"is a word that is told",
			chosen.isToldWord,
			["zeppelin"],
			words("zepp required encrypted userpass abcdefghijklmnopq correct hashed wrong"),
		],
	])("%s", expectRow);
});

describe("values that are no secrets", () => {
	it.each<Row>([
		[
			"a reference",
			isHarmlessValue,
			[
				...words(
					"${DB} $DB_PASSWORD $1 {name} %DB% %s @{x} :token @secret arn:aws:x vault:x/y ACME_KEY Foo::bar",
				),
				...words("__TOKEN__ TOKEN= ab${x}cd ab#{x} ab{{x"),
				...["$(cat x)", "{{ x }}", "!Ref X"],
			],
			words("zeppelin hT9zqWm4 ab{x}cd"),
		],
		[
			"a mask or a placeholder",
			isHarmlessValue,
			[
				...words(
					"*** xxxxxxx aaaa REDACTED. ab... abc*** (sensitive) [REDACTED] <token> my-api-key mypassword",
				),
				...words("changeme example test_key keyhere string String"),
				...["[your key]", "your password here"],
			],
			["aaa"],
		],
		[
			"a place",
			isHarmlessValue,
			words(
				"https://x keys/a.pem me@example.com 10.0.0.1:80 localhost:80 ./a/b /usr/lib C:\\a\\b /abcdefghijklmnopqrstuvwxy/b",
			),
			words("/aB3c9dEf8 \\u0041bcd /abcdefghijklmnopqrstuvwx1/b"),
		],
		[
			"a measure, a rule or a chord",
			isHarmlessValue,
			[
				...words("12345 30s 1.2.3 2024-01-01 #fff 0x1f required|min:8 nullable|string ctrl+alt+b"),
				"cmd+k cmd+b",
			],
			["123456"],
		],
		[
			"code or something public",
			isHarmlessValue,
			[
				...words(
					"[a-z]+ /ab/gi debug=true Uint8Array getPassword() foo.bar[0] !foo Kr(4)vLm2xQ sha256-abc pk_live_x",
				),
				...["x => y", "+ foo", "new Foo", "ssh-rsa A"],
			],
			["zeppelin"],
		],
		[
			"code in a string",
			(value) => isHarmlessValue(value, "literal"),
			["getPassword()", "fetchToken2(user, scope)", "hash(x)", "foo.bar[0]"],
			["Kr(4)vLm2xQ", "fetchToken2(user", "Enter password (min 8)"],
		],
	])("%s", expectRow);
});

describe("a parameter of an address", () => {
	it.each([
		["token", "abcdefgh12", true],
		["token", "abc", false],
		["token", "abcde1", false],
		["token", "abcde12", true],
		["token", "xkvbqz1", true],
		["token", "123456", false],
		["token", "zeppelin", false],
		["token", "xkvbqzrt", true],
		["token", "xkvbqzr", false],
		["token", "correct-horse-battery-staple", true],
		["token", "deadbeefdeadbeefdeadbeefdeadbeef", true],
		["token", "changeme1", false],
		["token", "abc$de12", false],
		["password", "letmein", false],
		["password", "letmein1", true],
		["pwd", "abc1", false],
		["key", "aK9xQ2mZ7pL4vB8n", true],
		["key", "aK9xQ2mZ7pL4vB8", false],
		["key", "abcdefghabcdefgh", false],
		["page_token", "abc123abc123abc1", false],
		["signature", "abcdefghijklmno1", true],
		["signature", "abcdefghijklmnop", false],
		["sig", "abcdefghijklmn1", false],
	])("%s=%s is a secret: %s", (name, value, isSecret) => {
		expect(isQuerySecret(value, name, "https://example.org/x?")).toBe(isSecret);
	});

	it("is public on a badge", () => {
		for (const before of ["https://example.org/badge/x?", "https://example.org/x.svg?"])
			expect(isQuerySecret("abcdefgh12", "token", before)).toBe(false);
	});

	it("may be a signature", () => {
		expect(words("sig signature X-Amz-Signature").map(isSignatureName)).toEqual([true, true, true]);
		expect(words("design signatures").map(isSignatureName)).toEqual([false, false]);
	});
});

function expectRow(_sentence: string, check: Row[1], yes: Row[2], no: Row[3]): void {
	expect([...yes, ...no].filter((value) => check(value))).toEqual(yes);
}
