import { describe, expect, it } from "vitest";
import { formatCount } from "../../../packages/ground/text/format-count.ts";
import {
	formatCost,
	formatDuration,
	formatTokens,
	formatUsage,
} from "../../../src/commands/format-figures.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";

describe("figures", () => {
	it.each([
		[0, "0 ms"],
		[999.6, "1.0 s"],
		[4249, "4.2 s"],
		[9960, "10 s"],
		[59_400, "59 s"],
		[59_700, "1 min 0 s"],
		[119_700, "2 min 0 s"],
		[125_000, "2 min 5 s"],
	])("%d milliseconds are %s", (milliseconds, expected) => {
		expect(formatDuration(milliseconds)).toBe(expected);
	});

	it("count tokens of all kinds, short, and are silent about none", () => {
		const tokens = (input: number) => formatTokens({ ...NO_USAGE, input, output: 0 }).join();
		expect([0, 999, 1000, 999_949, 1_200_000].map(tokens)).toEqual([
			"",
			"999 tokens",
			"1.0k tokens",
			"999.9k tokens",
			"1.2M tokens",
		]);
	});

	it("show as many digits of a price as say something, and none of no price", () => {
		expect([0, 0.00375, 0.0112, 0.5, 12.345].map((cost) => formatCost(cost).join())).toEqual([
			"",
			"$0.0037",
			"$0.011",
			"$0.500",
			"$12.35",
		]);
	});

	it("of nothing are nothing", () => {
		expect(formatUsage(NO_USAGE)).toEqual([]);
	});

	it("know one from many", () => {
		expect([formatCount(1, "run"), formatCount(2, "run")]).toEqual(["1 run", "2 runs"]);
		expect(formatUsage({ ...NO_USAGE, turns: 1, input: 10, cost: 1 })).toEqual([
			"1 turn",
			"10 tokens",
			"$1.00",
		]);
	});
});
