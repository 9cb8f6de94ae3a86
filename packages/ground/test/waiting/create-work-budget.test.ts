import { describe, expect, it } from "vitest";
import { createWorkBudget } from "../../waiting/create-work-budget.ts";

const waitFor = (milliseconds: number): void =>
	void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

describe("a budget of work", () => {
	it("is not spent by a machine on which the work waits for its turn", () => {
		const within = createWorkBudget(40);
		const work = (): string => {
			waitFor(100);
			return "done";
		};
		expect(within(work, () => "too long")).toBe("done");
		expect(within(work, () => "too long")).toBe("done");
	});

	it("is spent by work that computes, and then nothing more is begun", () => {
		const within = createWorkBudget(40);
		const compute = (): string => {
			for (;;);
		};
		expect(within(compute, () => "too long")).toBe("too long");
		expect(
			within(
				() => "done",
				() => "nothing left",
			),
		).toBe("nothing left");
	});
});
