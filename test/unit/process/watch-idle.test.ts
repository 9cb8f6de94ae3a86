import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createIdleWatch } from "../../../src/process/watch-idle.ts";

describe("the idle watch", () => {
	const onIdle = vi.fn();
	let blockedMs = 0;
	/** The test's clock may run ahead of the timers: that is what a blocked event loop looks like. */
	const now = () => performance.now() + blockedMs;

	beforeEach(() => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
		onIdle.mockClear();
		blockedMs = 0;
	});
	afterEach(() => {
		expect(vi.getTimerCount()).toBe(0);
		vi.useRealTimers();
	});

	it("calls once after the time without activity, not before", () => {
		createIdleWatch({ timeoutMs: 1000, onIdle, now }).start();
		vi.advanceTimersByTime(1000);
		expect(onIdle).not.toHaveBeenCalled();
		vi.advanceTimersByTime(100);
		expect(onIdle).toHaveBeenCalledTimes(1);
		vi.advanceTimersByTime(10_000);
		expect(onIdle).toHaveBeenCalledTimes(1);
	});

	it("starts again with every activity", () => {
		const watch = createIdleWatch({ timeoutMs: 1000, onIdle, now });
		watch.start();
		for (let turn = 0; turn < 10; turn++) {
			vi.advanceTimersByTime(900);
			watch.note();
		}
		expect(onIdle).not.toHaveBeenCalled();
		vi.advanceTimersByTime(1100);
		expect(onIdle).toHaveBeenCalledTimes(1);
	});

	it("does nothing before it is started or after it is stopped", () => {
		const watch = createIdleWatch({ timeoutMs: 10, onIdle, now });
		watch.note();
		watch.hold()();
		vi.advanceTimersByTime(1000);
		watch.start();
		watch.stop();
		watch.hold()();
		vi.advanceTimersByTime(1000);
		expect(onIdle).not.toHaveBeenCalled();
	});

	it("waits for the last of several holds, each released once", () => {
		const watch = createIdleWatch({ timeoutMs: 1000, onIdle, now });
		watch.start();
		const first = watch.hold();
		const second = watch.hold();
		vi.advanceTimersByTime(5000);
		first();
		first();
		vi.advanceTimersByTime(5000);
		expect(onIdle).not.toHaveBeenCalled();
		second();
		vi.advanceTimersByTime(900);
		expect(onIdle).not.toHaveBeenCalled();
		vi.advanceTimersByTime(200);
		expect(onIdle).toHaveBeenCalledTimes(1);
	});

	it("gives back the time in which our own process was blocked", () => {
		const watch = createIdleWatch({ timeoutMs: 1000, onIdle, now });
		watch.start();
		vi.advanceTimersByTime(999);
		blockedMs = 5000;
		vi.advanceTimersByTime(900);
		expect(onIdle).not.toHaveBeenCalled();
		watch.note();
		vi.advanceTimersByTime(900);
		expect(onIdle).not.toHaveBeenCalled();
		vi.advanceTimersByTime(300);
		expect(onIdle).toHaveBeenCalledTimes(1);
	});

	it("still calls when the process is blocked again and again and nothing is noted", () => {
		createIdleWatch({ timeoutMs: 1000, onIdle, now }).start();
		for (let turn = 0; turn < 20; turn++) {
			blockedMs += 2000;
			vi.advanceTimersByTime(1000);
		}
		expect(onIdle).toHaveBeenCalledTimes(1);
	});
});
