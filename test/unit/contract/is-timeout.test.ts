import { expect, it } from "vitest";
import { isTimeout } from "../../../src/contract/is-timeout.ts";

it("takes what a timer can wait and nothing else", () => {
	for (const good of [1, 900_000, 2 ** 31 - 1]) expect(isTimeout(good)).toBe(true);
	for (const bad of [0, -1, 1.5, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY, "5", undefined, null])
		expect(isTimeout(bad)).toBe(false);
});
