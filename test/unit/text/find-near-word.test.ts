import { describe, expect, it } from "vitest";
import { findNearWord } from "../../../src/text/find-near-word.ts";

describe("the word that was probably meant", () => {
	it.each([
		["explorr", "explorer"],
		["btach", "batch"],
		["agnets", "agents"],
		["sesion", "session"],
		["denied-tools", "denied_tools"],
	])("%s: %s", (typed, meant) => {
		expect(findNearWord(typed, ["explorer", "batch", "agents", "session", "denied_tools", "run"])).toBe(
			meant,
		);
	});

	it("is nobody's when nothing is near", () => {
		expect(findNearWord("install", ["explorer", "batch", "run"])).toBeUndefined();
		expect(findNearWord("", ["run"])).toBeUndefined();
	});
});
