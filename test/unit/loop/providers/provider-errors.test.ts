import { describe, expect, it } from "vitest";
import { cutBetweenWords } from "../../../../packages/ground/text/cut-text.ts";
import { describeText, parseComplaint, toShortLine } from "../../../../src/loop/providers/provider-errors.ts";

describe("what a provider complains about", () => {
	it.each<[string, unknown, unknown]>([
		[
			"an object",
			{ error: { message: "no", type: "invalid", param: "model" } },
			{ message: "no", code: "invalid", parameter: "model" },
		],
		["a code that is a number", { error: { message: "no", code: 429 } }, { message: "no", code: "429" }],
		["a text", { error: "no", code: "E1" }, { message: "no", code: "E1" }],
		["errors", { errors: { message: "no", status: "bad" } }, { message: "no", code: "bad" }],
		["a detail, as gateways of FastAPI write", { detail: "no" }, { message: "no", code: "" }],
		["a detail with fields", { detail: { message: "no", code: "E2" } }, { message: "no", code: "E2" }],
		["flat fields", { code: "E3", message: "no" }, { message: "no", code: "E3" }],
		["a list of one", [{ error: { message: "no" } }], { message: "no", code: "" }],
		["the word error is no code", { message: "no", type: "error" }, { message: "no", code: "" }],
		["an empty error", { error: {} }, { message: "", code: "" }],
		["nothing that is known", { a: 1 }, undefined],
		["no object", "no", undefined],
	])("%s", (_name, body, expected) => {
		expect(parseComplaint(body)).toEqual(expected);
	});
});

describe("what is quoted of a provider's error", () => {
	it("never ends inside a word, which could be a key", () => {
		expect(cutBetweenWords("bad key abcdef", 11)).toBe("bad key …");
		expect(cutBetweenWords('{"key":"abcdef"}', 11)).toBe('{"key":"…');
		expect(cutBetweenWords("abcdef", 3)).toBe("…");
		expect(cutBetweenWords("bad key", 7)).toBe("bad key");
		expect(toShortLine(`${"word ".repeat(119)}abcdefghijk`)).toBe(`${"word ".repeat(119)}…`);
		expect(describeText(`${"word ".repeat(39)}abcdefghijk`)).toBe(`${"word ".repeat(39)}…`);
	});
});
