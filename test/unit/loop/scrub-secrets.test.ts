import { describe, expect, it } from "vitest";
import { createSecretScrubber } from "../../../src/loop/scrub-secrets.ts";

describe("createSecretScrubber", () => {
	it("removes what it was told, as it is and inside JSON and addresses, and what was told later too", async () => {
		const scrubber = createSecretScrubber({});
		scrubber.add(" a/b+c?d=e ");
		const scrub = await scrubber.load();
		scrubber.add("short1");
		expect(scrub('key a/b+c?d=e, "a/b+c?d=e", ?key=a%2Fb%2Bc%3Fd%3De and short1')).toBe(
			'key [REDACTED], "[REDACTED]", ?key=[REDACTED] and [REDACTED]',
		);
	});

	it("removes the values of the environment's other secrets", async () => {
		const scrub = await createSecretScrubber({ OTHER_API_KEY: "plain-words-as-a-key" }).load();
		expect(scrub("refused: plain-words-as-a-key")).toBe("refused: [REDACTED]");
	});

	it("leaves ordinary sentences as they are", async () => {
		const scrubber = createSecretScrubber({});
		scrubber.add("the");
		const scrub = await scrubber.load();
		expect(scrub("The provider answered 400: the context is too long")).toBe(
			"The provider answered 400: the context is too long",
		);
	});
});
