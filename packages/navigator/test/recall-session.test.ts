import { describe, expect, it } from "vitest";
import { extractTerms } from "../extract-terms.ts";
import { recallSession } from "../recall-session.ts";

const answer = [
	"**Most likely:** `src/oven.ts:4`: `export function heatOven(`",
	"1. `src/oven.ts:4`: `export function heatOven(` (defines `heatOven`, `coolOven`)",
].join("\n");
const history = [{ task: "Where is the oven heated?", answer }];
const recalled = (task: string): string[] =>
	recallSession(extractTerms(task), history).terms.terms.map(({ kind, text }) => `${kind}:${text}`);

describe("recallSession", () => {
	it("carries the symbols that were found into a question about uses", () => {
		expect(recalled("And who calls it?")).toEqual(["word:calls", "symbol:heatOven", "symbol:coolOven"]);
	});

	it("takes for it what the best line is about, not what the file defines first", () => {
		const onComment = [
			"**Most likely:** `id.go:93`: `// NextId makes the next id.`, on `NextId` (line 94)",
			"1. `id.go:67`: `func RequestId() {` (defines `RequestId`, `NextId`)",
		].join("\n");
		const { terms } = recallSession(extractTerms("And who calls it?"), [
			{ task: "Where are numbers made?", answer: onComment },
		]).terms;
		expect(terms.find(({ kind }) => kind === "symbol")?.text).toBe("NextId");
	});

	it("knows what was found by meaning too", () => {
		const found = [{ task: "What warms it up?", answer: answer.replace("Most likely", "By meaning") }];
		const { terms } = recallSession(extractTerms("And who calls it?"), found).terms;
		expect(terms.map(({ text }) => text)).toContain("heatOven");
	});

	it("carries the subject into any other follow-up", () => {
		expect(recalled("Why there?")).toEqual([
			"path:src/oven.ts",
			"symbol:heatOven",
			"symbol:coolOven",
			"word:oven",
			"word:heated",
		]);
	});

	it("adds nothing to a task that stands on its own, or to a first one", () => {
		expect(recalled("Where is readMenu defined?")).toEqual(["symbol:readMenu", "word:defined"]);
		const alone = extractTerms("Why there?");
		expect(recallSession(alone, []).terms).toBe(alone);
	});

	it("answers a question about the session itself, bounded", () => {
		const long = Array.from({ length: 40 }, (_, index) => ({
			task: `task ${index} ${"x".repeat(5000)}`,
			answer: "y".repeat(5000),
		}));
		const { answer: text = "" } = recallSession(extractTerms("What did I ask first?"), long);
		expect(text).toContain("1. Task: task 0");
		expect(text).toContain("and 30 later ones");
		expect(text.length).toBeLessThan(8000);
	});
});
