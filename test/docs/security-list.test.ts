import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findSilence, listSecurityFiles, readSecurityList } from "../helpers/security-list.ts";

const ROOT = join(import.meta.dirname, "../..");

describe("the list of attacks (test/security/README.md)", () => {
	it("names tests that exist", () => {
		const listed = readSecurityList();
		expect(listed.length).toBeGreaterThan(50);
		const wrong = listed.filter(({ file, parts }) => {
			const path = join(ROOT, file);
			const text = existsSync(path) ? readFileSync(path, "utf8") : "";
			// A name may be made of that of a group and of a test, or have a value in it.
			return text === "" || !parts.every((part) => text.includes(part));
		});
		expect(wrong).toEqual([]);
	});

	it("names every file of attacks", () => {
		const named = new Set(readSecurityList().map(({ file }) => file));
		expect(listSecurityFiles().filter((file) => !named.has(file))).toEqual([]);
	});

	it("still names a file that was moved or deleted", () => {
		const files = readSecurityList(
			'`security/no-such-file` "holds", `unit/gone`, `packages/ground/test/gone`, `auth.json`',
		);
		expect(files.map(({ file }) => file)).toEqual([
			"test/security/no-such-file.test.ts",
			"test/unit/gone.test.ts",
			"packages/ground/test/gone.test.ts",
		]);
	});

	it("has no row that may be silent: a file that did not run, ran nothing, or skipped for no reason", () => {
		const ran = [
			{ file: "a", passed: 3, unexplained: [] },
			{ file: "b", passed: 0, unexplained: ["opens a door"] },
		];
		expect(findSilence(ran, ["a"])).toEqual([
			'b: "opens a door" was skipped, and test/helpers/skip-reasons.ts says no reason',
		]);
		expect(findSilence(ran, ["a", "b", "c"]).slice(0, 2)).toEqual(["no test of b ran", "c did not run"]);
	});
});
