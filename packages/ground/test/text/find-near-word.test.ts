import { describe, expect, it } from "vitest";
import { findNearWord } from "../../text/find-near-word.ts";

describe("the word that was probably meant", () => {
	it.each([
		["explorr", "explorer"],
		["btach", "batch"],
		["agnets", "agents"],
		["sesion", "session"],
		["denied-tools", "denied_tools"],
		["tmeout", "timeout-ms"],
		["timeout", "timeout-ms"],
		["idle", "idle-timeout-ms"],
	])("%s: %s", (typed, meant) => {
		const known = ["explorer", "batch", "agents", "session", "denied_tools", "run"];
		expect(findNearWord(typed, [...known, "idle-timeout-ms", "timeout-ms"])).toBe(meant);
	});

	it("is nobody's when nothing is near", () => {
		expect(findNearWord("install", ["explorer", "batch", "run"])).toBeUndefined();
		expect(findNearWord("", ["run"])).toBeUndefined();
	});
});
