import { expect, it } from "vitest";
import { SELF_EVIDENT } from "../fixtures/corpus-formats.ts";
import { createRandomness } from "../fixtures/random-secrets.ts";
import { sanitizeOutput } from "../sanitize-output.ts";

/** A rule may spare what looks like a word; the corpora measure how often. A format without a rule is not hidden at all. */
const LEAST_HIDDEN = 15;

it.each(Object.entries(SELF_EVIDENT))("hides %s by its form alone", (_name, make) => {
	const random = createRandomness(7);
	const tokens = Array.from({ length: 20 }, () => make(random));
	const hidden = tokens.filter((token) => {
		const text = sanitizeOutput(`The log says ${token} at the end.`);
		return !text.includes(token.slice(-10));
	});
	expect(hidden.length).toBeGreaterThanOrEqual(LEAST_HIDDEN);
});
