import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildAssortedPositives } from "../fixtures/corpus-assorted.ts";
import { buildCrossedPositives } from "../fixtures/corpus-crossed.ts";
import {
	buildFamilyPositives,
	buildPhrasePositives,
	buildSentencePositives,
	buildUnseenPositives,
} from "../fixtures/corpus-families.ts";
import { buildFormatPositives } from "../fixtures/corpus-formats.ts";
import { buildFreshPositives } from "../fixtures/corpus-fresh.ts";
import { buildHandwrittenPositives } from "../fixtures/corpus-handwritten.ts";
import { buildPlacesPositives } from "../fixtures/corpus-places.ts";
import { buildTranscriptPositives } from "../fixtures/corpus-transcripts.ts";
import { sanitizeOutput } from "../sanitize-output.ts";

const show = (text: string, secrets: readonly string[] = []): string =>
	sanitizeOutput(text, { home: "", open: "end", secrets });

const PIECE = 8;
const CASES = [
	...buildFormatPositives(5),
	...buildTranscriptPositives(5),
	...buildAssortedPositives(5),
	...buildCrossedPositives(5),
	...buildPlacesPositives(5),
	...buildHandwrittenPositives(),
	...buildFreshPositives(5),
	...buildFamilyPositives(5),
	...buildSentencePositives(5),
	...buildPhrasePositives(5),
	...buildUnseenPositives(5),
];
const BEFORE = ["", "I looked at the deployment and found this.\n\n", "Here is what the file contains:\n"];
const AFTER = ["", "\nThat is all there is.\n", "\n\nThe rest is ordinary.\n", " and so on"];
/** Run once with 10,000 by hand, see docs/reference/redaction.md. */
const CHUNKINGS = 400;

function pieces(secrets: readonly string[], whole: string): string[] {
	return secrets
		.flatMap((secret) =>
			Array.from({ length: Math.max(0, secret.length - PIECE + 1) }, (_, at) => secret.slice(at, at + PIECE)),
		)
		.filter((piece) => !whole.includes(piece));
}

describe("a text that is still being written", () => {
	it("shows no eight characters in a row of a secret, however it comes in pieces", () => {
		fc.assert(
			fc.property(
				fc.nat(CASES.length - 1),
				fc.constantFrom(...BEFORE),
				fc.constantFrom(...AFTER),
				fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 8, maxLength: 8 }),
				(number, before, after, sizes) => {
					const secretCase = CASES[number];
					const text = `${before}${secretCase?.text}${after}`;
					// What the whole text shows (a name that is part of the secret) may be shown before, too.
					const forbidden = pieces(secretCase?.secrets ?? [], sanitizeOutput(text, { home: "" }));
					for (let at = 0, turn = 0; at < text.length; turn += 1) {
						at = Math.min(text.length, at + (sizes[turn % sizes.length] ?? 1));
						const shown = show(text.slice(0, at));
						expect(forbidden.filter((piece) => shown.includes(piece))).toEqual([]);
					}
				},
			),
			{ numRuns: CHUNKINGS },
		);
	}, 120_000);

	it("shows plain words as they come, and the end of the last one when it is short", () => {
		expect(show("It reads the file and th")).toBe("It reads the file and th");
		expect(show("It reads the file and implementatio")).toBe("It reads the file and ");
	});

	it("shows what may hold a secret when its paragraph is complete", () => {
		const paragraph = "The token is read in src/login.ts:12 and checked.";
		expect(show(paragraph)).toBe("The ");
		expect(show(`${paragraph}\n`)).toBe("The ");
		expect(show(`${paragraph}\n\n`)).toBe(`${paragraph}\n\n`);
	});

	it.each([
		["a value with spaces", "open sesame right now"],
		["a value with line ends", "-first line\n\n-second line\n\n-third"],
	])("holds back the beginning of %s that is known", (_kind, secret) => {
		for (let at = 1; at < secret.length; at += 1) {
			expect(show(`It is ${secret.slice(0, at)}`, [secret])).toBe("It is ");
		}
		expect(show(`It is ${secret}\n\n`, [secret])).toBe("It is [REDACTED]\n\n");
	});

	it("holds back data of a manifest whose kind comes after them", () => {
		const data = "apiVersion: v1\ndata:\n  user: zeppelin\n\n";
		expect(show(data)).toBe("apiVersion: v1\n");
		expect(show(`${data}kind: Secret\n\n`)).not.toContain("zeppelin");
		expect(show(`${data}kind: ConfigMap\n\n`)).toContain("zeppelin");
	});

	it.each([
		["G-349229 is your Google verification code", ""],
		["Use 48291377 to verify it", "Use "],
		["The hash of {{ 'tiger river' | password_hash }}", "The hash of {{ "],
	])("holds back what the end of a line makes a secret: %s", (line, before) => {
		const secret = /[\dG-]{8}|tiger river/.exec(line)?.[0] ?? "";
		for (let at = 1; at < line.length; at += 1) expect(show(line.slice(0, at))).not.toContain(secret);
		expect(show(line.slice(0, -1)).startsWith(before)).toBe(true);
		expect(show(`${line}\n\n`)).not.toContain(secret);
	});

	it("shows a number or a string that is followed by something else", () => {
		expect(show("It was 20261116 was")).toBe("It was 20261116 was");
		expect(show("It says {{ 'tiger river' and")).toBe("It says {{ 'tiger river' and");
	});

	it("holds back a form that a later word makes a secret", () => {
		const key = `${"0123456789abcdef".repeat(2)}-01234567-89abcdef`;
		expect(show(`Found ${key}\n\nin the `)).toBe("Found ");
		expect(show(`Found ${key}\n\nin the settings of mailgun.\n\n`)).not.toContain("01234567");
	});
});

describe("a text whose start is gone", () => {
	const start = (text: string): string => sanitizeOutput(text, { home: "", open: "start" });

	it("is shown from its first blank line, and before that in plain words", () => {
		const rows =
			"xyz\nann,hunter42zebra,7\nplain words here\nbob,qwerty77lion,8\n\nError: it broke at line 7\n";
		expect(start(rows)).toBe("plain words here\n\nError: it broke at line 7\n");
	});

	it("loses nothing but its first line when it is plain", () => {
		expect(start("n two\nthree four\nfive")).toBe("three four\nfive");
	});
});
