import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGlob } from "../../glob/create-glob.ts";

describe("createGlob", () => {
	it.each([
		["*.ts", "a.ts", true],
		["*.ts", "src/a.ts", false],
		["**/*.ts", "a.ts", true],
		["**/*.ts", "x/y/a.ts", true],
		["a/**/b", "a/b", true],
		["a/**/b", "a/x/y/b", true],
		["a/**/b", "a/xb", false],
		["a**b", "a/x/b", true],
		["{a,{b,c}}.ts", "c.ts", true],
		["{a}.ts", "{a}.ts", true],
		["{a,b", "{a,b", true],
		["[a-c]x", "bx", true],
		["[^a-c]x", "bx", false],
		["[]]", "]", true],
		["[a", "[a", true],
		["\\*", "*", true],
		["\\*", "a", false],
		["?", "😀", true],
		["", "", true],
		["", "a", false],
	])("%s on %s: %s", (pattern, text, expected) => {
		expect(createGlob(pattern)(text)).toBe(expected);
	});

	it("lets everything cross slashes when asked to, and folds case", () => {
		expect(createGlob("*.ts", { crossesSlashes: true })("x/y.ts")).toBe(true);
		expect(createGlob("[!a]?c", { crossesSlashes: true })("//c")).toBe(true);
		expect(createGlob("*.TS", { ignoreCase: true })("a.ts")).toBe(true);
	});

	it("agrees with a regular expression on random patterns", () => {
		const piece = fc.constantFrom("a", "b", "/", "*", "?", "**/", "[ab]", "{a,b/}");
		const text = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 8 });
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 5 }), text, (pieces, sample) => {
				// Stars that touch are one longer star, and "**" is special only after a slash: the translation below
				// works piece by piece and does not know that.
				fc.pre(
					!pieces.some(
						(own, at) =>
							own.startsWith("*") &&
							!/^(|.*\/)$/.test(at === 0 ? "" : pieces[at - 1]!) &&
							(own === "**/" || pieces[at - 1] === "*"),
					),
				);
				fc.pre(!pieces.some((own, at) => own === "**/" && pieces[at - 1] === "{a,b/}"));
				const source = pieces.map(toSource).join("");
				expect(createGlob(pieces.join(""))(sample)).toBe(new RegExp(`^${source}$`).test(sample));
			}),
			{ numRuns: 500 },
		);
	});

	it("takes no longer for many stars: each character of the text is looked at once for each of the pattern", () => {
		const matches = createGlob(`${"*a".repeat(60)}b`, { crossesSlashes: true });
		expect(matches("a".repeat(4000))).toBe(false);
		expect(createGlob(`${"*".repeat(5000)}x`)("a".repeat(5000))).toBe(false);
	});

	it("refuses what is too much, and says why", () => {
		expect(() => createGlob("a".repeat(1001))).toThrow("at most 1000");
		expect(() => createGlob("{a,b}".repeat(9))).toThrow("more than 256");
	});
});

function toSource(piece: string): string {
	if (piece === "*") return "[^/]*";
	if (piece === "?") return "[^/]";
	if (piece === "**/") return "(?:.*/)?";
	return piece === "{a,b/}" ? "(?:a|b/)" : piece;
}
