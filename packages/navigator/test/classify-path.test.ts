import { describe, expect, it } from "vitest";
import { classifyPath, weighPath } from "../classify-path.ts";
import type { TaskWishes } from "../search-terms.ts";

const none: TaskWishes = {
	tests: false,
	documents: false,
	documentsOnly: false,
	examples: false,
	changelog: false,
	types: false,
	usages: false,
	failures: false,
	overview: false,
	earlier: false,
};

describe("classifyPath", () => {
	it.each([
		["src/wire/parse-sse.ts", "source"],
		["lib/mock/mock-pool.js", "source"],
		["src/testing.ts", "source"],
		["test/unit/wire/parse-sse.test.ts", "test"],
		["pkg/server_test.go", "test"],
		["src/parse.spec.ts", "test"],
		["test/fixtures/a.ts", "fixture"],
		["README.md", "document"],
		["docs/guide/a.ts", "example"],
		["docs/guide/a.md", "document"],
		["doc/man_docs.go", "example"],
		["docs/writing-tests.md", "document"],
		["CHANGELOG.md", "changelog"],
		["Shop.Tests/TillTests.cs", "test"],
		["base/pool_unittest.cc", "test"],
		["src/latest.java", "source"],
		["test-parse.sh", "test"],
		["types/index.d.ts", "declaration"],
		["pkg/types.pyi", "declaration"],
		["package.json", "data"],
		["package-lock.json", "generated"],
		["yarn.lock", "generated"],
		["a.min.js", "generated"],
		["vendor/x/y.go", "vendored"],
		["examples/a.ts", "example"],
		[".git/HEAD", "machinery"],
	])("takes %s for %s", (path, kind) => {
		expect(classifyPath(path)).toBe(kind);
	});
});

describe("weighPath", () => {
	it("prefers sources to everything else", () => {
		for (const path of [
			"test/a.test.ts",
			"README.md",
			"a.d.ts",
			"package.json",
			"dist/a.js",
			"dist/bundle/a.js",
		]) {
			expect(weighPath(path, none)).toBeLessThan(weighPath("src/a.ts", none));
		}
	});

	it("prefers what the task asks for", () => {
		expect(weighPath("test/a.test.ts", { ...none, tests: true })).toBeGreaterThan(1);
		expect(weighPath("README.md", { ...none, documents: true })).toBeGreaterThan(1);
		expect(weighPath("docs/a.md", { ...none, documentsOnly: true })).toBeGreaterThan(1);
		expect(weighPath("src/a.ts", { ...none, documentsOnly: true })).toBeLessThan(0.5);
		expect(weighPath("examples/a.ts", { ...none, examples: true })).toBeGreaterThan(1);
		expect(weighPath("CHANGELOG.md", { ...none, changelog: true })).toBeGreaterThan(1);
		expect(weighPath("a.d.ts", { ...none, types: true })).toBeGreaterThan(1);
	});
});
