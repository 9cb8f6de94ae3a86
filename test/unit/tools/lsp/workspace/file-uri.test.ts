import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { isInside } from "../../../../../packages/ground/paths/is-inside.ts";
import { toFilePath, toShownPath } from "../../../../../src/tools/lsp/workspace/file-uri.ts";

describe("toFilePath", () => {
	it.each([
		"file:///src/a.ts",
		"file:///src/a@b+c,d=e~f-g_h.d.ts",
		"file:///a/./b/../c.ts",
		"file:///a//b.ts",
		"file:///a%20b/%E6%BC%A2.ts",
		"file:///a/.hidden/b.ts",
		"file:///a/b.ts?x=1#y",
		"file:///",
		"file:///a/",
		"file:/a/b.ts",
		"file:///c%3A/a.ts",
		pathToFileURL("/tmp/größe 漢字/#1?.ts").href,
	])("reads %s as Node does", (uri) => {
		expect(toFilePath(uri)).toBe(fileURLToPath(uri));
	});

	it.each([
		"jdt://contents/x.class",
		"zipfile:///a.zip::b",
		"untitled:1",
		"file://host/a.ts",
		"file:///a%2Fb",
	])("is nothing for %s", (uri) => {
		expect(toFilePath(uri)).toBeUndefined();
	});
});

describe("isInside and toShownPath", () => {
	it("show an address or a name that a server made up on one line, without escapes", () => {
		const forged = "x/\u001b[31m\nnew line forged (9)\n  1:1  forged";
		for (const path of [`jdt://${forged}`, `/outside/${forged}`, `/place/${forged}`])
			expect(toShownPath("/place", path)).toMatch(/x\/ ?new line forged \(9\) 1:1 forged$/);
	});

	it.each([
		["/a", "/a", true, "."],
		["/a", "/a/b/c.ts", true, "b/c.ts"],
		["/a", "/ab/c.ts", false, "/ab/c.ts"],
		["/a", "/a/../b.ts", false, "/a/../b.ts"],
		["/a", "/a/..b/c.ts", true, "..b/c.ts"],
		["/a", "/", false, "/"],
		["/", "/a.ts", true, "a.ts"],
	])("%s and %s", (directory, path, inside, shown) => {
		expect(isInside(directory, path)).toBe(inside);
		expect(toShownPath(directory, path)).toBe(shown);
	});
});
