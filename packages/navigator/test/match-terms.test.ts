import { describe, expect, it } from "vitest";
import { extractTerms } from "../extract-terms.ts";
import { createMatcher, prepareText } from "../match-terms.ts";

/** How well a line speaks of the first term of a task. */
function strength(task: string, line: string): number {
	const term = extractTerms(task).terms[0];
	if (term === undefined) throw new Error(`no term in ${task}`);
	return createMatcher(term)(prepareText(line));
}

describe("createMatcher", () => {
	it.each([
		["retry", "const maxRetries = 3;", 1],
		["retry", "RETRY_LIMIT", 1],
		["list", "server.listen(port)", 0],
		["children", "childProcess", 1],
		["parser", "parse(text)", 1],
		["timeout", "defaulttimeoutms", 0.5],
		["directory", "const dir = cwd;", 0.45],
		["semaphore", "nothing here", 0],
	])("finds the word %s in %j", (word, line, expected) => {
		expect(strength(word, line)).toBe(expected);
	});

	it("tells a symbol that stands alone from one inside another", () => {
		expect(strength("parseLine", "parseLine(x)")).toBe(1);
		expect(strength("parseLine", "parseLines(x); parseLine(y)")).toBe(1);
		expect(strength("parseLine", "parseLines(x)")).toBeLessThan(0.5);
		expect(strength("parseLine", "PARSELINE")).toBeLessThan(0.5);
	});

	it("prefers a phrase with its own capitals", () => {
		expect(strength('"No such file"', "throw Error('No such file')")).toBe(1);
		expect(strength('"No such file"', "no such file")).toBe(0.8);
	});

	it("finds a compound in every spelling, and its words apart", () => {
		expect(strength("read-only", "const readOnly = true")).toBe(1);
		expect(strength("read-only", "only what was read")).toBe(0.6);
		expect(strength("read-only", "read it")).toBe(0);
	});
});
