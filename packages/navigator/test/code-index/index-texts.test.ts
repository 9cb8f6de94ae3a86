import { describe, expect, it } from "vitest";
import { finishSteps } from "../../../ground/index.ts";
import { indexTexts } from "../../code-index/index-texts.ts";
import { scoreByWords } from "../../code-index/score-by-words.ts";
import { splitPassages } from "../../code-index/split-passages.ts";

const term = (word: string, weight = 1) => ({
	weight,
	strengthOf: (seen: string) => (seen === word ? 1 : 0),
});

describe("indexTexts", () => {
	it("numbers the parts of identifiers and the whole, in every script", () => {
		const { words } = indexTexts([["a.ts", "const retryEAGAIN = 合計金額 + naïveÜber;"]]);
		expect(words).toEqual(
			expect.arrayContaining(["retry", "eagain", "retryeagain", "合計金額", "naïve", "über"]),
		);
	});

	it("counts a word once a passage, with how often it occurs", () => {
		const { files, words } = indexTexts([["a.ts", "wait wait\nwait"]]);
		const [passage] = files[0]?.passages ?? [];
		expect([...(passage?.words ?? [])].map((number) => words[number])).toEqual(["wait"]);
		expect([...(passage?.counts ?? [])]).toEqual([3]);
	});

	it("skips encoded data", () => {
		expect(indexTexts([["a.ts", "x".repeat(500)]]).words).not.toContain("x".repeat(500));
	});
});

describe("splitPassages", () => {
	it("begins a passage at the comment above a definition, and covers every line once", () => {
		const text = [
			...Array.from({ length: 8 }, (_, at) => `const a${at} = ${at};`),
			"/** Closes it. */",
			"export function close() {",
			...Array.from({ length: 90 }, () => "\tstep();"),
			"}",
		].join("\n");
		const spans = splitPassages(text, false);
		expect(spans.map(({ first, last }) => [first, last])).toEqual([
			[1, 8],
			[9, 48],
			[49, 88],
			[89, 101],
		]);
		expect(spans.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
	});
});

describe("scoreByWords", () => {
	const index = indexTexts([
		["src/common.ts", "value value value value"],
		["src/rare.ts", "value semaphore"],
		["src/semaphore.ts", "nothing else here"],
		["src/other.ts", "value again"],
	]);

	it("counts rare words and names of files more than frequent ones", () => {
		const scored = finishSteps(scoreByWords(index, [term("value"), term("semaphore")]));
		expect(scored[0]?.file.path).toBe("src/rare.ts");
		expect(scored.map(({ file }) => file.path)).toContain("src/semaphore.ts");
	});

	it("says how much of the question one passage has", () => {
		const [best] = finishSteps(scoreByWords(index, [term("semaphore"), term("absent")]));
		expect(best?.coverage).toBeGreaterThan(0.2);
		expect(best?.coverage).toBeLessThan(0.8);
		expect(finishSteps(scoreByWords(index, [term("semaphore"), term("value")]))[0]?.coverage).toBeCloseTo(1);
	});
});
