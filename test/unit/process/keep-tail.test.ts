import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTailKeeper } from "../../../src/process/keep-tail.ts";

describe("the tail of a stream", () => {
	it("is the last bytes, for any bytes in any chunks", () => {
		fc.assert(
			fc.property(
				fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 30 }),
				fc.integer({ min: 1, max: 40 }),
				(chunks, maxBytes) => {
					const keeper = createTailKeeper(maxBytes);
					for (const chunk of chunks) keeper.push(chunk);
					const all = Buffer.concat(chunks);
					const tail = [...all.subarray(-maxBytes)];
					// The rest of a character whose beginning was cut off.
					while (all.length > maxBytes && ((tail[0] ?? 0) & 0xc0) === 0x80 && maxBytes - tail.length < 4)
						tail.shift();
					expect(keeper.text()).toBe(Buffer.from(tail).toString("utf8"));
					expect(keeper.totalBytes).toBe(all.length);
				},
			),
		);
	});

	it("does not begin in the middle of a character", () => {
		const keeper = createTailKeeper(7);
		keeper.push(Buffer.from("€€€"));
		expect(keeper.text()).toBe("€€");
	});

	it("is empty when nothing was written", () => {
		expect(createTailKeeper(10).text()).toBe("");
	});
});
