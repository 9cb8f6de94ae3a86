import { describe, expect, it } from "vitest";
import { sleep } from "../../waiting/sleep.ts";

describe("sleep", () => {
	it("is true after the whole time", async () => {
		expect(await sleep(1)).toBe(true);
		expect(await sleep(-5, new AbortController().signal)).toBe(true);
	});

	it("is false as soon as it is aborted", async () => {
		const controller = new AbortController();
		const slept = sleep(60_000, controller.signal);
		controller.abort();
		expect(await slept).toBe(false);
		expect(await sleep(60_000, controller.signal)).toBe(false);
	});
});
