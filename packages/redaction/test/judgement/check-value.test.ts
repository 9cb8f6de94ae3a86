import { describe, expect, it } from "vitest";
import { isGeneratedValue, isSecretValue, type ValueContext } from "../../judgement/check-value.ts";
import type { WrittenAs } from "../../judgement/reject-value.ts";

const CONTEXTS: Readonly<Record<string, ValueContext>> = {
	c: "certain",
	q: "quoted",
	s: "stated",
	o: "code",
};

/** The places where it is taken for a secret, as their letters. */
function findPlaces(value: string, key: "password" | "secret", form: WrittenAs): string {
	const places = Object.keys(CONTEXTS).filter((letter) =>
		isSecretValue(value, key, CONTEXTS[letter] ?? "code", form),
	);
	return places.join("") || "-";
}

/** After the name of a password, and after that of another secret: in a (c)ertain place, (q)uoted, (s)tated, in c(o)de. */
type Row = readonly [value: string, password: string, secret: string];

const BARE: readonly Row[] = [
	["abc", "-", "-"],
	["abcd", "c", "-"],
	["hunter2", "cqs", "cqs"],
	["letmein", "cqs", "-"],
	["zeppelin", "cq", "c"],
	["Zeppelin", "c", "c"],
	["12345", "-", "-"],
	["123456", "cqso", "-"],
	["a1b2", "c", "-"],
	["pass1", "-", "-"],
	["newPassword", "-", "c"],
	["token_2", "-", "-"],
	["falcon36", "cqso", "c"],
	["falcon3", "cqs", "-"],
	["supersecretpassword", "cqs", "c"],
	["supersecretkey", "cqs", "c"],
	["correct-horse-battery-staple", "cqso", "cqs"],
	["correct-horse-battery", "cqso", "-"],
	["correct-horse", "cq", "-"],
	["correct_horse_battery", "cq", "-"],
	["correct_horse_battery_staple", "cqs", "cqs"],
	["s3cr3t", "cqso", "cqs"],
	["s3cr3", "cqso", "-"],
	["oauth2x", "cqso", "-"],
	["12345678", "cqso", "-"],
	["1234567890", "cqso", "c"],
	["config.db2.password", "-", "-"],
	["monkey2.falcon", "cq", "-"],
	["P4ss.w0rd", "cqs", "-"],
	["xkvbqzrtplmn", "cqs", "cqs"],
	["xkvbqzrtplmnxkvbqzrt", "cqso", "cqso"],
	["xkvbqz", "cq", "-"],
	["Xk-Vbq.Zrtplmn", "cqs", "-"],
	["qwerty!x", "cqso", "cqso"],
	["ab!cd", "c", "-"],
	["really?", "c", "-"],
	["12-34.56", "c", "c"],
	["12!34", "cqso", "-"],
	["deadbeefdeadbeefdeadbeefdeadbeef", "cqs", "cqso"],
	["deadbeefdeadbeefdeadbeefdeadbee", "cqs", "c"],
	["7KQ2M-X9TRA-B3C4D", "cqso", "cqso"],
	["access-token-v2", "cqso", "-"],
	["key-123", "cqso", "-"],
	["token-1234", "cqso", "cqs"],
	["falcon-1234", "cqso", "c"],
	["abcd efgh ijkl mnop", "cqso", "cqso"],
	["my dog Rex42! runs", "cqs", "-"],
	["my dog (Rex42!) runs", "c", "-"],
	["velvet harbor cousin", "cqs", "c"],
	["velvet harbor cousin ladder", "cqs", "c"],
	["Two wolves", "cq", "-"],
	["red blue", "cq", "c"],
	["the wolf runs", "cqs", "-"],
	["Tiger-River-64", "cqso", "c"],
	["aK9xQ2mZ", "cqso", "cqso"],
	["aK9xQ2m", "cqso", "cqs"],
	["aaaa1111", "cqso", "c"],
	["aK9<xQ2mZ", "cqso", "c"],
	["oauth2ClientOptions", "cqs", "c"],
	["thisisalongwordwithoutend", "cqs", "c"],
	["x!y@z#w$", "cqso", "cqso"],
	["aa!aa!aa", "cqso", "c"],
	["k9)Qz&w#1Lp|v^T4m~s{8Rb>e0Yx%Ud_6Hj?Ag+5Nc=Fi:2Ko", "cqso", "cqs"],
	["xkvbqzrtplmnwdfg/abcdefgh", "c", "cqso"],
	["abcdefgh.xkvbqzrtplmnwdfghj", "c", "-"],
	["$DB_PASSWORD", "-", "-"],
	["getPassword()", "-", "-"],
];

const LITERAL: readonly Row[] = [
	["Kr(4)vLm2xQ", "cqso", "cqso"],
	["hT9(zqW!m", "cqso", "c"],
	["Tiger-River-64", "cqso", "cqs"],
	["token-River-64", "cqso", "-"],
	["P4ss.w0rd", "cqso", "-"],
	["aK9<xQ2mZ7pL4vB8nT3wR5", "cqso", "cqs"],
	["aK9(xQ2mZ", "cqso", "c"],
	["aK9(xQ2mZ7", "cqso", "cqso"],
	["qwXkvb(zrt)!pl", "cq", "cqs"],
];

describe("a value is a secret depending on its name and its place", () => {
	it.each(BARE)("%s", (value, password, secret) => {
		expect(findPlaces(value, "password", "bare")).toBe(password);
		expect(findPlaces(value, "secret", "bare")).toBe(secret);
	});

	it.each(LITERAL)("%s in quotes", (value, password, secret) => {
		expect(findPlaces(value, "password", "literal")).toBe(password);
		expect(findPlaces(value, "secret", "literal")).toBe(secret);
	});

	it("is none after a name that means nothing, and none when it is a long text without digits", () => {
		expect(isSecretValue("aK9xQ2mZ7pL4vB8nT3wR", "none", "certain")).toBe(false);
		expect(findPlaces(`${"a".repeat(60)}${"b".repeat(41)}`, "password", "bare")).toBe("-");
		expect(findPlaces(`ab1${"c".repeat(120)}`, "password", "bare")).toBe("cqso");
	});

	it("is a line of random punctuation, with spaces in it", () => {
		const salt = "k9)Qz&w#1L |v^T4m~s{8R >e0Yx%Ud_6H ?Ag+5Nc=Fi:2Ko";
		expect(findPlaces(salt, "secret", "bare")).toBe("cqso");
		expect(findPlaces(salt.slice(0, 47), "secret", "bare")).not.toContain("s");
	});
});

describe("after a weak name only what a machine made is a secret", () => {
	it.each([
		["aK9xQ2mZ7pL4vB8nT3wR", true],
		["aK9xQ2mZ7pL4vB8nT3w", false],
		["7KQ2M-X9TRA-B3C4D-E5F6G", true],
		["AAAAA-BBBBB-CCCCC-DDDDD", false],
		["123456-123456-123456-123456-123456-123456", true],
		["123456-123456-123456-123456-123456", false],
		["7KQ2M-X9TRA-B3C4D-E5F6", false],
		["aK9xQ2mZ7pL4-your-key-here", false],
	])("%s: %s", (value, isSecret) => {
		expect(isSecretValue(value, "weak", "stated")).toBe(isSecret);
	});

	it.each([
		["too short", "aK9xQ2mZ7pL4vB8nT3w"],
		["letters alone", "abcdefghijklmnopqrstuv"],
		["a number of a thing", "deadbeef-1234-dead-beef-123456789012"],
		["other characters", "aK9xQ2mZ7pL4!vB8nT3wR"],
		["a name", "access-token-v2-access-token"],
		["too even", "aaaaaaaaaaaaaaaaaaaaA1b2"],
		["a place", "aK9//xQ2mZ7pL4vB8nT3wR"],
		["one case", "AK9XQ2MZ7PL4VB8NT3WR"],
		["the other case", "ak9xq2mz7pl4vb8nt3wr"],
		["a digest with its name", "Linux-node-1f3a5b7c9d1f3a5b7c9d1f3a5b7c9d1f"],
		["one digit", "abcdefghijklmnopqrsT1uvwxyz"],
	])("which is not %s: %s", (_name, value) => {
		expect(isGeneratedValue(value)).toBe(false);
	});
});
