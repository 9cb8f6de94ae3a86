import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { explainSkip, renderSkips } from "../../helpers/skip-reasons.ts";

const TESTS = join(import.meta.dirname, "../..");

it("has a reason for every file with tests that may be skipped", () => {
	const files = globSync("**/*.test.ts", { cwd: TESTS, exclude: ["peers/**"] }).filter((file) =>
		/\.skipIf\(|\bskip\(\)/.test(readFileSync(join(TESTS, file), "utf8")),
	);
	expect(files.length).toBeGreaterThan(15);
	const unknown = files.filter((file) => explainSkip({ file, name: "x" }).why === "no reason given");
	expect(unknown).toEqual([]);
});

it("puts tests of one file and reason into one row, most first", () => {
	const page = { file: "test/unit/tools/web/html/real-pages.test.ts", name: "a" };
	const text = renderSkips([{ file: "test/x.test.ts", name: "b" }, page, page]);
	const [title, first, second] = text.split("\n");
	expect(title).toBe("Skipped: 3 tests.");
	expect(first).toMatch(
		/^ {5}2 {2}test\/unit\/tools\/web\/html\/real-pages\.test\.ts .*→ apt-get install python3-doc/,
	);
	expect(second).toContain("no reason given");
	expect(renderSkips([])).toBe("Skipped: nothing.\n");
});

it("prefers what the test itself said", () => {
	expect(explainSkip({ file: "faults/confinement", name: "x", note: "no user namespaces" }).why).toBe(
		"no user namespaces",
	);
});
