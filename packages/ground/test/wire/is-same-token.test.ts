import { expect, it } from "vitest";
import { isSameToken } from "../../wire/is-same-token.ts";

it.each([
	["abc", "abc", true],
	["abc", "abd", false],
	["abc", "abcd", false],
	["", "abc", false],
	["ä", "a", false],
])("compares %j with %j", (given, expected, same) => {
	expect(isSameToken(given, expected)).toBe(same);
});
