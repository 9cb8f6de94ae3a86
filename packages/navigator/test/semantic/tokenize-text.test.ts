import { expect, it } from "vitest";
import { createTokenizer } from "../../semantic/tokenize-text.ts";

const PIECES = ["[CLS]", "[SEP]", "[UNK]", "parse", "##r", "cookie", "##s", "(", ")", "e"];
const VOCABULARY = new Map(PIECES.map((piece, number) => [piece, number]));
const read = (text: string, maxTokens = 20): string[] =>
	createTokenizer(VOCABULARY)
		.tokenize(text, maxTokens)
		.map((token) => PIECES[token] ?? "");

it.each([
	["Parse cookies", ["parse", "cookie", "##s"]],
	["parser(É)", ["parse", "##r", "(", "e", ")"]],
	["parse 漢", ["parse", "[UNK]"]],
	["", []],
])("cuts %j into the pieces of the list", (text, pieces) => {
	expect(read(text)).toEqual(["[CLS]", ...pieces, "[SEP]"]);
});

it("ends with its mark also where it is cut", () => {
	expect(read("cookies cookies cookies", 5)).toEqual(["[CLS]", "cookie", "##s", "cookie", "[SEP]"]);
});

it("refuses a list without the marks", () => {
	expect(() => createTokenizer(new Map([["a", 0]]))).toThrow("the tokenizer has no [CLS]");
});
