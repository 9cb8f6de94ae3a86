import { afterEach, describe, expect, it } from "vitest";
import {
	createDeadline,
	type Deadline,
	type DeadlineEnd,
	pauseWithin,
	withinDeadline,
} from "../../waiting/create-deadline.ts";

const open: Deadline[] = [];
afterEach(() => {
	for (const deadline of open.splice(0)) deadline.end();
});

function create(totalMs: number, signal = new AbortController().signal): Deadline {
	const deadline = createDeadline(totalMs, signal, ({ isCancelled, allowedMs }: DeadlineEnd) =>
		isCancelled ? new Error("cancelled") : new Error(`late after ${allowedMs}`),
	);
	open.push(deadline);
	return deadline;
}

const never = new Promise<never>(() => undefined);

describe("a deadline", () => {
	it("gives back the work's own result in time", async () => {
		await expect(withinDeadline(Promise.resolve(7), create(5000))).resolves.toBe(7);
		await expect(withinDeadline(Promise.reject(new Error("own")), create(5000))).rejects.toThrow("own");
	});

	it("says why it passed: the time, or the caller", async () => {
		await expect(withinDeadline(never, create(10))).rejects.toThrow("late after 10");
		const caller = new AbortController();
		const deadline = create(5000, caller.signal);
		const work = withinDeadline(never, deadline);
		caller.abort();
		await expect(work).rejects.toThrow("cancelled");
		expect(() => deadline.check()).toThrow("cancelled");
		expect(create(5000, AbortSignal.abort()).isPassed()).toBe(true);
	});

	it("can be extended and never shortened, and not after it passed", async () => {
		const deadline = create(30);
		deadline.extendTo(10);
		deadline.extendTo(5000);
		await new Promise((resolve) => setTimeout(resolve, 60));
		expect(deadline.isPassed()).toBe(false);
		const passed = create(5);
		await expect(withinDeadline(never, passed)).rejects.toThrow("late after 5");
		passed.extendTo(5000);
		expect(passed.isPassed()).toBe(true);
	});

	it("calls everybody who waits once, and nobody who left", async () => {
		const deadline = create(10);
		const heard: string[] = [];
		deadline.onPassed(() => heard.push("stays"));
		deadline.onPassed(() => heard.push("leaves"))();
		await expect(withinDeadline(never, deadline)).rejects.toThrow();
		expect(heard).toEqual(["stays"]);
	});

	it("does not leave a late failure of the work unhandled", async () => {
		const deadline = create(5000, AbortSignal.abort());
		await expect(withinDeadline(Promise.reject(new Error("late")), deadline)).rejects.toThrow("cancelled");
	});
});

describe("pauseWithin", () => {
	it("waits the whole time, or until the deadline passes", async () => {
		const started = performance.now();
		await pauseWithin(20, create(5000));
		expect(performance.now() - started).toBeGreaterThanOrEqual(18);
		await pauseWithin(60_000, create(10));
		await pauseWithin(60_000, create(5000, AbortSignal.abort()));
		expect(performance.now() - started).toBeLessThan(20_000);
	});
});
