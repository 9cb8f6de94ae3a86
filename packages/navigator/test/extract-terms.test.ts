import { describe, expect, it } from "vitest";
import { extractTerms } from "../extract-terms.ts";

const termsOf = (task: string): string[] =>
	extractTerms(task).terms.map(({ kind, text }) => `${kind}:${text}`);

describe("verbs of two words", () => {
	it.each([
		["What happens when a request times out?", "timeout"],
		["Where is it rolled back?", "rollback"],
		["Who is logged in?", "login"],
	])("%s asks for %s", (task, word) => {
		expect(extractTerms(task).terms.map(({ text }) => text)).toContain(word);
	});
});

describe("extractTerms", () => {
	it.each([
		[
			"Where is the price list of a bakery decided?",
			["word:price", "word:list", "word:bakery", "word:decided"],
		],
		["Who calls readHeaderForRetry()?", ["symbol:readHeaderForRetry"]],
		["Find MAX_LINE_BYTES", ["symbol:MAX_LINE_BYTES"]],
		["Who calls _parse_gex_init?", ["symbol:_parse_gex_init"]],
		["Where is __query?", ["symbol:__query"]],
		["Where is class Pool defined?", ["symbol:Pool", "word:defined"]],
		["the function called parse", ["symbol:parse", "word:function"]],
		["Where is layout defined?", ["symbol:layout", "word:defined"]],
		["Which tests cover summary?", ["symbol:summary", "word:tests", "word:cover"]],
		["Where is has_imm_ set?", ["symbol:has_imm_", "word:set"]],
		["What does `stemsMeet` do?", ["symbol:stemsMeet"]],
		["Explain Agent.dispatch", ["symbol:Agent", "symbol:dispatch", "phrase:Agent.dispatch"]],
		["Read src/wire/parse-sse.ts", ["path:src/wire/parse-sse.ts", "word:Read"]],
		["Why is package.json wrong?", ["path:package.json", "word:wrong"]],
		["diff --git a/src/x/y.ts b/src/x/y.ts", ["path:src/x/y.ts"]],
		['Which code prints "no such session"?', ["phrase:no such session", "word:code", "word:prints"]],
		["What happens in read-only mode?", ["compound:read-only", "word:happens", "word:mode"]],
		["the --dry-run flag", ["symbol:--dry-run", "word:flag"]],
		["input and/or output", ["word:input", "word:output"]],
		["data URIs in TypeScript", ["word:data", "word:URIs", "word:TypeScript"]],
		["", []],
		["?!", []],
		["What is it?", []],
	])("takes from %j what can be searched for", (task, expected) => {
		expect(termsOf(task)).toEqual(expected);
	});

	it("gives question words little weight and names much", () => {
		const weights = new Map(
			extractTerms("Which function handles retries in RetryHandler?").terms.map((term) => [
				term.text,
				term.weight,
			]),
		);
		expect(weights.get("handles")).toBeLessThan(1);
		expect(weights.get("retries")).toBe(1);
		expect(weights.get("RetryHandler")).toBeGreaterThan(1);
	});

	it("does not look for the word test when tests of something are wanted", () => {
		const { terms, wishes } = extractTerms("Where are the tests of the parser?");
		expect(wishes.tests).toBe(true);
		expect(terms.find(({ text }) => text === "tests")?.weight).toBeLessThan(1);
		expect(terms.find(({ text }) => text === "parser")?.weight).toBe(1);
	});

	it("keeps addresses apart from what is searched for", () => {
		const { urls, terms } = extractTerms("Compare https://example.org/a/b.html, and https://example.org/c.");
		expect(urls).toEqual(["https://example.org/a/b.html", "https://example.org/c"]);
		expect(terms.map(({ text }) => text)).toEqual(["Compare"]);
	});

	it.each([
		["What is this project?", true],
		["Give me an overview of the repository", true],
		["How is the code organized?", true],
		["Where is the project trust decided?", false],
		["Overview of parseSse", false],
	])("knows whether %j asks for an overview", (task, overview) => {
		expect(extractTerms(task).wishes.overview).toBe(overview);
	});

	it.each([
		["Who calls parse?", true],
		["Where is parse used?", true],
		["Find references to parse", true],
		["Where is parse defined?", false],
	])("knows whether %j asks for usages", (task, usages) => {
		expect(extractTerms(task).wishes.usages).toBe(usages);
	});

	it("cuts text without spaces into words", () => {
		expect(termsOf("子代理的工具列表在哪里决定")).toContain("word:工具");
	});

	it("stays small for a task of any length", () => {
		const pasted = Array.from(
			{ length: 50_000 },
			(_, index) => `someName${index} src/dir${index}/file.ts word${index}`,
		).join("\n");
		const { terms } = extractTerms(`Review this: ${pasted}`);
		expect(terms.length).toBeLessThan(35);
	});

	it.each(["a", "A", "a/", "a.", "_a", "aA", "`", "::a", "--a"])(
		"does not get stuck on a run of %j without spaces",
		(part) => {
			const { terms } = extractTerms(`Where is the oven? ${part.repeat(20_000)}`);
			expect(terms.map(({ text }) => text)).toContain("oven");
		},
	);

	it("never lets a control character or a lone surrogate into a term", () => {
		const { terms } = extractTerms('"a\u0000b c\ud800d" x\u0007yz');
		expect(terms.map(({ text }) => text)).toEqual(["a b c d", "yz"]);
	});
});
