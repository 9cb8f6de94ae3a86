import { describe, expect, it } from "vitest";
// @ts-expect-error a script without declarations
import * as script from "../../../scripts/check-release.mjs";

const { checkRelease, checkPackage } = script as {
	checkRelease(input: object): readonly string[];
	checkPackage(packed: object): readonly string[];
};

const ready = {
	version: "1.2.3",
	manifest: {
		version: "1.2.3",
		repository: { url: "git+https://example.com/x.git" },
		scripts: { test: "x" },
	},
	changelog:
		"# Changelog\n\n## Unreleased\n\n## 1.2.3 (2026-11-16)\n\n- It does more.\n\n## 1.2.2\n\n- Less.\n",
	status: "",
	tags: ["v1.2.2"],
};

describe("a release", () => {
	it("is ready when everything is said and nothing is left over", () => {
		expect(checkRelease(ready)).toEqual([]);
	});

	it.each([
		[
			"a word for a version",
			{ version: "next", manifest: { ...ready.manifest, version: "next" } },
			"not a version",
		],
		["another version in package.json", { manifest: { ...ready.manifest, version: "1.2.2" } }, "npm version"],
		["no section", { changelog: "# Changelog\n\n## Unreleased\n\n## 1.2.2\n\n- Less.\n" }, "not 1.2.3"],
		["an empty section", { changelog: "## 1.2.3\n\n## 1.2.2\n\n- Less.\n" }, "says nothing"],
		[
			"changes that wait",
			{ changelog: `## Unreleased\n\n- New.\n\n${"## 1.2.3\n\n- It does more.\n"}` },
			"not empty",
		],
		["changed files", { status: " M src/index.ts\n" }, "src/index.ts"],
		["a tag that exists", { tags: ["v1.2.3"] }, "exists already"],
		["no repository", { manifest: { version: "1.2.3" } }, "provenance"],
		[
			"a script at install time",
			{ manifest: { ...ready.manifest, scripts: { postinstall: "x" } } },
			"runs postinstall",
		],
	])("is refused with %s", (_name, change, expected) => {
		expect(checkRelease({ ...ready, ...change }).join("\n")).toContain(expected);
	});
});

describe("the content of the package", () => {
	const needed = [
		"index.ts",
		"dist/cli.js",
		"dist/index.js",
		"dist/types/src/index.d.ts",
		"dist/pi-parent.js",
		"LICENSE",
	];
	const pack = (...more: string[]) => ({ files: [...needed, ...more].map((path) => ({ path })), size: 1000 });

	it("is right with what is needed and what belongs there", () => {
		expect(
			checkPackage(pack("README.md", "agents/explorer.md", "docs/reference/exec.md", "package.json")),
		).toEqual([]);
	});

	it.each(["docs/tutorial.md", "docs/.vitepress/config.mts", "test/x.test.ts", ".env", "README.md.bak"])(
		"does not include %s",
		(path) => {
			expect(checkPackage(pack(path))).toEqual([`${path} does not belong in the package.`]);
		},
	);

	it("names what is missing, too large or too much", () => {
		expect(checkPackage({ files: [], size: 0 })).toContain("dist/cli.js is not in the package.");
		expect(checkPackage({ ...pack(), size: 1e9 }).join()).toContain("bytes");
		expect(
			checkPackage(pack(...Array.from({ length: 500 }, (_, index) => `dist/${index}.js`))).join(),
		).toContain("files");
	});
});
