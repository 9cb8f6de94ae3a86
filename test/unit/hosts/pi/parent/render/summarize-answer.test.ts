import { describe, expect, it } from "vitest";
import { summarizeAnswer } from "../../../../../../src/hosts/pi/parent/render/summarize-answer.ts";

describe("the summary of an answer", () => {
	it.each([
		["## Answer\nIt is in `a.ts:1`.", "It is in a.ts:1."],
		["1. **Answer**: in **a.ts**", "1. Answer: in a.ts"],
		["\n\n> quoted\nrest", "quoted rest"],
		["It is decided\nin `a.ts`.\n\nMore.", "It is decided in a.ts."],
		["- first\n- second", "first"],
		["Answer", "Answer"],
		["# Only a heading", "Only a heading"],
		["", "(no text)"],
		["| File | Line |\n|---|---|\n| a.ts | 1 |\n\nTwo places retry.", "Two places retry."],
		["File | Line | What |\n--- | --- | ---\na.ts | 1 | retry |\n\nOne place.", "One place."],
		["## Places\n\n| File | Line |\n|---|---|\n| a.ts | 1 |\n| b.ts | 2 |", "Places"],
		["| File | Line |\n|---|---|\n| a.ts | 1 |\n| b.ts | 2 |", "A table of 2 rows: File, Line"],
		["```ts\nconst a = 1;\n```\n\nThat is it.", "const a = 1;"],
		["Title\n=====\n\nText.", "Title"],
		["a | b is a choice", "a | b is a choice"],
	])("%j", (output, expected) => {
		expect(summarizeAnswer(output)).toBe(expected);
	});
});
