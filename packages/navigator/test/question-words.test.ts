import { describe, expect, it } from "vitest";
import { stemWord } from "../code-index/stem-word.ts";
import { STOP_WORDS, synonymsOfStem, WEAK_WORDS } from "../question-words.ts";

describe("the word lists", () => {
	it("do not both hold a word", () => {
		expect([...WEAK_WORDS].filter((word) => STOP_WORDS.has(word))).toEqual([]);
	});

	it("give synonyms for any form of a word, and never the word itself", () => {
		expect(synonymsOfStem(stemWord("directories"))).toEqual(["dir", "folder"]);
		expect(synonymsOfStem(stemWord("decided"))).toContain("select");
		expect(synonymsOfStem("semaphor")).toEqual([]);
	});
});
