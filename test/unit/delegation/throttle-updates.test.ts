import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Collected, NOTHING_COLLECTED } from "../../../src/delegation/collect-output.ts";
import { createUpdateThrottle } from "../../../src/delegation/throttle-updates.ts";

const state = (text: string): Collected => ({ ...NOTHING_COLLECTED, text });

describe("updates", () => {
	beforeEach(() => {
		vi.useFakeTimers();
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	it("are sent at once, then the newest state once per interval, and none after the end", () => {
		const sent: string[] = [];
		const updates = createUpdateThrottle(({ text }) => sent.push(text), 100);
		for (const text of ["a", "b", "c"]) updates.push(state(text));
		expect(sent).toEqual(["a"]);
		vi.advanceTimersByTime(100);
		expect(sent).toEqual(["a", "c"]);
		updates.push(state("d"));
		updates.stop();
		vi.advanceTimersByTime(1000);
		expect(sent).toEqual(["a", "c"]);
	});

	it("that the host fails to show stop neither the run nor later updates", () => {
		const sent: string[] = [];
		const updates = createUpdateThrottle(({ text }) => {
			sent.push(text);
			throw new Error("the host has a bug");
		}, 100);
		updates.push(state("a"));
		updates.push(state("b"));
		expect(() => vi.advanceTimersByTime(100)).not.toThrow();
		updates.push(state("c"));
		vi.advanceTimersByTime(100);
		expect(sent).toEqual(["a", "b", "c"]);
	});
});
