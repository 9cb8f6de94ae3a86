import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPathGlob } from "../../glob/create-path-glob.ts";

describe("createPathGlob", () => {
	it.each([
		["*.ts", ["a.ts", "src/deep/b.ts"], ["a.tsx", "ts", "a.ts/b"]],
		["*", ["a", "src/b.c"], []],
		["src/*.ts", ["src/a.ts", "packages/x/src/a.ts"], ["src/deep/a.ts", "asrc/a.ts"]],
		["src/**/*.spec.ts", ["src/a.spec.ts", "src/x/y/a.spec.ts"], ["a.spec.ts", "src/a.ts"]],
		["**/*.json", ["a.json", "x/a.json"], ["a.jsonc"]],
		["/a.ts", ["a.ts"], ["src/a.ts"]],
		["{a,b}.{js,ts}", ["a.js", "x/b.ts"], ["c.js", "a.rs"]],
		["[tT]ool?.ts", ["tools.ts", "Tool1.ts"], ["tool.ts", "xtools.ts"]],
		["[!a]*.md", ["b.md"], ["a.md"]],
		["a.b+c(1).ts", ["a.b+c(1).ts"], ["aXb+c(1).ts"]],
		["docs/**", ["docs/a.md", "docs/x/b.md"], ["doc/a.md"]],
	])("%s", (pattern, matching, others) => {
		const matches = createPathGlob(pattern);
		expect(matching.filter((path) => !matches(path))).toEqual([]);
		expect(others.filter((path) => matches(path))).toEqual([]);
	});

	it("takes any pattern of a sane length without throwing anything but its own refusal", () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (pattern, path) => {
				try {
					return typeof createPathGlob(pattern)(path) === "boolean";
				} catch (error) {
					return /at most|more than/.test(String(error));
				}
			}),
		);
		expect(createPathGlob(`${"*".repeat(5000)}x`)("a".repeat(5000))).toBe(false);
		expect(createPathGlob("*a".repeat(50))("a".repeat(60))).toBe(true);
	});
});
