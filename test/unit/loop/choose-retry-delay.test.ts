import { describe, expect, it } from "vitest";
import { chooseRetryDelay } from "../../../src/loop/choose-retry-delay.ts";

describe("chooseRetryDelay", () => {
	it("does what the server asks, up to a minute", () => {
		expect(chooseRetryDelay(0, 2000, () => 0)).toBe(2000);
		expect(chooseRetryDelay(0, 3_600_000, () => 0.5)).toBe(60_000);
	});

	it("doubles otherwise, never the same for everybody", () => {
		expect(chooseRetryDelay(0, undefined, () => 0)).toBe(375);
		expect(chooseRetryDelay(1, undefined, () => 1)).toBe(1250);
		expect(chooseRetryDelay(20, undefined, () => 1)).toBe(60_000);
	});
});
