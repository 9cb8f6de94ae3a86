import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Detector, exactly, inAnyCase } from "../detector.ts";
import { createHitSearch, moveHits } from "../find-hits.ts";
import { createLiteralScan, type Literal } from "../scan-literals.ts";
import { mergeSpans, replaceSpans } from "../spans.ts";

const literals: readonly Literal[] = [
	...exactly(["sk-", "AKIA", "Secret", "://"]),
	...inAnyCase(["key", "secret", "pat "]),
];

function scanWith(text: string): [number, number][] {
	const found: [number, number][] = [];
	createLiteralScan(literals)(text, (index, literal) => found.push([index, literal]));
	return found;
}

/** One literal after another, at every position. */
function scanSlowly(text: string): [number, number][] {
	const found: [number, number][] = [];
	for (let index = 0; index < text.length; index += 1) {
		literals.forEach((literal, number) => {
			const here = text.slice(index, index + literal.text.length);
			const folded = here.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
			if ((literal.ignoreCase ? folded : here) === literal.text) found.push([index, number]);
		});
	}
	return found;
}

const pieces = fc.constantFrom(
	"sk-",
	"AK",
	"IA",
	"Secret",
	"sECRET",
	":",
	"//",
	"key",
	"KEY",
	"pat ",
	"x",
	"密",
	"\u016b",
	" ",
	"\n",
);
const texts = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(""));

describe("createLiteralScan", () => {
	it("finds what a slow search finds, in the same order", () => {
		fc.assert(
			fc.property(texts, (text) => {
				expect(scanWith(text)).toEqual(scanSlowly(text));
			}),
		);
	});

	it("finds what lies over the edge of a chunk, and at the very end", () => {
		for (let lead = 65_520; lead < 65_540; lead += 1) {
			expect(scanWith(`${"-".repeat(lead)}Secret then key`).map(([index]) => index)).toEqual([
				lead,
				lead,
				lead + 12,
			]);
		}
	});
});

describe("moveHits", () => {
	const detector: Detector = { literals, find: () => [] };
	const search = createHitSearch([detector]);

	it("knows after a replacement what a new search would find", () => {
		const spans = fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 12 })), { maxLength: 4 });
		fc.assert(
			fc.property(texts, spans, (text, pairs) => {
				const merged = mergeSpans(
					pairs
						.map(([start, length]) => ({ start, end: start + length }))
						.filter(({ end }) => end <= text.length),
				);
				const [before] = search(text);
				if (before === undefined) throw new Error("no hits for the only detector");
				expect([moveHits(before, detector, merged)]).toEqual(search(replaceSpans(text, merged)));
			}),
		);
	});
});
