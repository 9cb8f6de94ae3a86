import { describe, expect, it } from "vitest";
import { type Evidence, emptyEvidence } from "../collect-evidence.ts";
import { extractTerms } from "../extract-terms.ts";
import { rankFiles } from "../rank-files.ts";

/** Lines of files, written as grep prints them. */
function toEvidence(rows: readonly string[], listed: readonly string[] = []): Evidence {
	const files = new Map<string, ReturnType<typeof emptyEvidence>>();
	for (const row of rows) {
		const [, path = "", line = "", text = ""] = /^(.+?):(\d+): (.*)$/.exec(row) ?? [];
		const file = files.get(path) ?? emptyEvidence(path);
		files.set(path, file);
		file.lines.set(Number(line), text);
	}
	return { files, listed: new Set(listed), treeSize: 20 };
}

function rank(task: string, rows: readonly string[], listed: readonly string[] = []): string[] {
	const { terms, wishes } = extractTerms(task);
	return rankFiles(toEvidence(rows, listed), { task, terms, wishes }).map(({ path }) => path);
}

describe("rankFiles", () => {
	it("puts the definition of a named symbol before its uses", () => {
		const rows = [
			"src/a.ts:1: import { parseSse } from './parse-sse.ts';",
			"src/a.ts:9: parseSse(parseSse(parseSse(text)));",
			"src/wire/reader.ts:5: export function parseSse(text: string) {",
			"README.md:3: Call parseSse to parse.",
		];
		expect(rank("Where is parseSse?", rows)[0]).toBe("src/wire/reader.ts");
	});

	it("takes a re-export for a use", () => {
		const rows = ["index.js:4: module.exports.Pool = Pool", "lib/pool.js:8: class Pool extends PoolBase {"];
		expect(rank("Where is the class Pool?", rows)[0]).toBe("lib/pool.js");
	});

	it("prefers a rare word to many common ones", () => {
		const common = Array.from(
			{ length: 30 },
			(_, index) => `src/f${index}.ts:1: the child of a child has a child`,
		);
		expect(rank("Which child holds the semaphore?", [...common, "src/z.ts:4: acquire(semaphore);"])[0]).toBe(
			"src/z.ts",
		);
	});

	it("prefers words that stand together to the same words far apart", () => {
		const rows = [
			"src/far.ts:1: tool();",
			"src/far.ts:500: child();",
			"src/far.ts:900: grant();",
			"src/near.ts:10: tool();",
			"src/near.ts:12: child();",
			"src/near.ts:14: grant();",
		];
		expect(rank("How is a tool granted to a child?", rows)[0]).toBe("src/near.ts");
	});

	it("prefers a file named like the question", () => {
		const rows = ["src/filter-tools.ts:9: tools.filter(ok);", "src/other.ts:9: tools.filter(ok);"];
		expect(rank("Where are tools filtered?", rows)[0]).toBe("src/filter-tools.ts");
	});

	it("puts sources before tests, documents and bundles with the same lines", () => {
		const line = "9: function redactSecrets(text) {";
		const paths = ["README.md", "dist/bundle/all.js", "test/redact.test.ts", "src/redact.ts"];
		expect(
			rank(
				"Where are secrets redacted?",
				paths.map((path) => `${path}:${line}`),
			)[0],
		).toBe("src/redact.ts");
	});

	it("puts tests first when tests are asked for", () => {
		const rows = [
			"src/redact.ts:9: function redactSecrets() {",
			"test/redact.test.ts:9: it('redacts secrets', () => {",
			"test/redact.test.ts:10: redactSecrets();",
		];
		expect(rank("Where are the tests for redacting secrets?", rows)[0]).toBe("test/redact.test.ts");
	});

	it("puts an implementation before the declaration beside it, unless types are asked for", () => {
		const rows = [
			"lib/pool.d.ts:1: export declare class PoolKeeper {",
			"lib/pool.js:30: keeper = new PoolKeeper()",
		];
		expect(rank("Where is PoolKeeper?", rows)[0]).toBe("lib/pool.js");
		expect(rank("Where is the type declaration of PoolKeeper?", rows)[0]).toBe("lib/pool.d.ts");
	});

	it("ignores lines that only repeat the question", () => {
		const task = "Where is the price list of a bakery decided?";
		const rows = [`README.md:3: run explorer "${task}"`, "src/grant.ts:7: // the prices of a bakery"];
		expect(rank(task, rows)).toEqual(["src/grant.ts"]);
	});

	it("finds a file that the task names although no line speaks of it", () => {
		expect(
			rank("Review src/wire/parse-sse.ts", ["src/other.ts:1: review"], ["src/wire/parse-sse.ts"])[0],
		).toBe("src/wire/parse-sse.ts");
	});

	it("shows no line that only has a word questions are made of", () => {
		const { terms, wishes } = extractTerms("Where is the semaphore defined?");
		const rows = ["a.ts:1: undefined; // defined elsewhere", "a.ts:9: const semaphore = 1;"];
		const [best] = rankFiles(toEvidence(rows), { task: "", terms, wishes });
		expect(best?.lines.map(({ line }) => line)).toEqual([9]);
	});

	it("orders equal files the same way whatever order they were found in", () => {
		const rows = ["src/b/x.ts:1: token", "src/a/x.ts:1: token", "x.ts:1: token"];
		const expected = ["x.ts", "src/a/x.ts", "src/b/x.ts"];
		expect(rank("token", rows)).toEqual(expected);
		expect(rank("token", [...rows].reverse())).toEqual(expected);
	});
});
