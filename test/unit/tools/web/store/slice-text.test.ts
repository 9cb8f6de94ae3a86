import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shareBudget, sliceText } from "../../../../../src/tools/web/store/slice-text.ts";

describe("sliceText", () => {
	it("gives pages that put together are the text, for any text and limit", () => {
		fc.assert(
			fc.property(
				fc.string({ unit: "binary", maxLength: 200 }),
				fc.integer({ min: 1, max: 50 }),
				(text, limit) => {
					let joined = "";
					let offset: number | undefined = 0;
					while (offset !== undefined) {
						const page = sliceText(text, offset, limit);
						joined += page.text;
						expect(page.nextOffset ?? Number.POSITIVE_INFINITY).toBeGreaterThan(offset);
						offset = page.nextOffset;
					}
					expect(joined).toBe(text);
				},
			),
		);
	});

	it("does not cut a character in two", () => {
		expect(sliceText("a😀b", 0, 2).text).toBe("a");
		expect(sliceText("😀b", 0, 1).text).toBe("😀");
	});

	it("ends with a line where one ends shortly before the limit", () => {
		expect(sliceText("12345678\nabcdefgh", 0, 10)).toEqual({
			text: "12345678\n",
			offset: 0,
			nextOffset: 9,
			total: 17,
		});
		expect(sliceText("1\nabcdefghijklmn", 0, 10).text).toBe("1\nabcdefgh");
	});

	it("is empty after the end", () => {
		expect(sliceText("abc", 10, 5)).toEqual({ text: "", offset: 3, total: 3 });
	});
});

describe("shareBudget", () => {
	it.each([
		[[10, 20], 100, [10, 20]],
		[[100, 100], 50, [25, 25]],
		[[10, 100, 100], 110, [10, 50, 50]],
		[[0, 0], 10, [0, 0]],
		[[], 10, []],
	])("divides among %j a budget of %i as %j", (lengths, budget, expected) => {
		expect(shareBudget(lengths, budget)).toEqual(expected);
	});

	it("never gives away more than there is, nor more than is needed", () => {
		fc.assert(
			fc.property(fc.array(fc.nat(10_000), { maxLength: 12 }), fc.nat(20_000), (lengths, budget) => {
				const shares = shareBudget(lengths, budget);
				expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(budget);
				expect(shares.every((share, index) => share <= (lengths[index] ?? 0))).toBe(true);
			}),
		);
	});
});
