import { describe, expect, it } from "vitest";
import { isPlaceholderToken } from "../../judgement/check-randomness.ts";
import { sanitizeOutput } from "../../sanitize-output.ts";

describe("a stand-in for a token", () => {
	it.each([
		"ghp_xxxxxxxxxxxx",
		"ghp_XXXXXXXX",
		"sk-your-key-here",
		"sk-YOUR_KEY_HERE",
		"AIzaYourKeyHere",
		"sk-proj-...",
		"glpat-<token>",
		"npm_change-me",
	])("is known by what people write: %s", (token) => {
		expect(isPlaceholderToken(token)).toBe(true);
	});

	it("is not what chance makes of the same letters", () => {
		const tails = ["X8p3Xxxx4-5ioT7d", "aHeReB93kfLq81Zt", "q9TodOw82LmYoUrp", "DuMmY83kfQz71LpT"];
		for (const tail of tails) {
			const key = `sk-proj-${tail}${"Qm4Zt81LpXw93KdR".repeat(2)}`;
			expect(isPlaceholderToken(key)).toBe(false);
			expect(sanitizeOutput(`bad key ${key} given`)).toBe("bad key [REDACTED] given");
		}
	});
});
