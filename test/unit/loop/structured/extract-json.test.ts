import { createComputingClock } from "@deputize/ground";
import { describe, expect, it } from "vitest";
import { extractJson } from "../../../../src/loop/structured/extract-json.ts";

describe("the JSON in an answer", () => {
	it.each([
		["all of it", ' {"a":1} ', { a: 1 }],
		["in a code fence", "So:\n```json\n[1, 2]\n```\nDone.", [1, 2]],
		["a list after words", 'Here: [ {"a":1}, {"b":2} ]', [{ a: 1 }, { b: 2 }]],
		["after a brace that is never closed", 'Use { for blocks. {"a":1}', { a: 1 }],
		["after quotes behind such a brace", 'A { and a " here: {"a":"}"} end', { a: "}" }],
		["after code", 'function () { return [1]; } gives {"a":{"b":[]}}', { a: { b: [] } }],
		["after a number in brackets", 'See [12345678901234567890]: {"a":1}', { a: 1 }],
		["in brackets that are no list", '[note: {"a":1}]', { a: 1 }],
		["the largest of several", '{"a":1} or {"a":1,"b":2} or {"c":3}', { a: 1, b: 2 }],
		["with escaped quotes", 'It is {"a":"\\"{"} now', { a: '"{' }],
	])("is found: %s", (_name, answer, value) => {
		expect(extractJson(answer)?.value).toEqual(value);
	});

	it.each([[""], ["none"], ["{a: 1}"], ['{"a": 1'], ["[1, 2] of 3"]])("is not there: %j", (answer) => {
		expect(extractJson(answer)).toBeUndefined();
	});

	it("is looked for no longer than the answer allows", () => {
		const readTime = createComputingClock();
		expect(extractJson('{"'.repeat(200_000))).toBeUndefined();
		expect(extractJson('{"a":[{'.repeat(50_000))).toBeUndefined();
		expect(readTime()).toBeLessThan(5000);
	});
});
