import { expect, it } from "vitest";
import { sanitizeOutput } from "../../../../src/text/sanitize-output.ts";
import { SELF_EVIDENT } from "../../../fixtures/redaction/corpus-formats.ts";
import { createRandomness } from "../../../fixtures/redaction/random-secrets.ts";

/** The corpora measure shares; a format that has a rule of its own must never get through, not even once in a hundred. */
it.each(Object.entries(SELF_EVIDENT))("hides %s by its form alone", (_name, make) => {
	const random = createRandomness(7);
	for (let tries = 0; tries < 20; tries += 1) {
		const token = make(random);
		expect(sanitizeOutput(`The log says ${token} at the end.`)).not.toContain(token.slice(-10));
	}
});
