import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PrestartedChild } from "../../../../../src/delegation/prestarted-child.ts";
import { createSpareChildren } from "../../../../../src/hosts/pi/parent/spare-children.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(count = 1) {
	const started: string[] = [];
	const discarded: string[] = [];
	let isLow = false;
	const spares = createSpareChildren({
		count,
		isMemoryLow: () => isLow,
		async start(agent) {
			started.push(agent);
			const child: PrestartedChild = {
				claim: () => undefined,
				discard: async () => void discarded.push(agent),
			};
			return agent === "unknown" ? undefined : child;
		},
	});
	const setLow = (value: boolean): void => {
		isLow = value;
	};
	return { spares, started, discarded, setLow };
}

const SECOND = 1000;

describe("spare children", () => {
	it("start a moment after a delegation and are taken once", async () => {
		const { spares, started, discarded } = open();
		spares.keep("explorer");
		expect(started).toEqual([]);
		await vi.advanceTimersByTimeAsync(SECOND);
		expect(started).toEqual(["explorer"]);
		expect(spares.take("tester")).toBeUndefined();
		expect(await spares.take("explorer")).toBeDefined();
		expect(spares.take("explorer")).toBeUndefined();
		await vi.advanceTimersByTimeAsync(600 * SECOND);
		expect(discarded).toEqual([]);
		expect(vi.getTimerCount()).toBe(0);
	});

	it("do not start when the next call or the end of the session comes first", async () => {
		const { spares, started } = open();
		spares.keep("explorer");
		expect(spares.take("explorer")).toBeUndefined();
		await vi.advanceTimersByTimeAsync(SECOND);
		spares.keep("explorer");
		await spares.close();
		spares.keep("explorer");
		await vi.advanceTimersByTimeAsync(SECOND);
		expect(started).toEqual([]);
	});

	it("start at once where a delegation is likely, but not a second one of the same agent", async () => {
		const { spares, started, discarded } = open();
		spares.expect("explorer");
		spares.expect("explorer");
		expect(started).toEqual(["explorer"]);
		spares.expect("tester");
		await vi.advanceTimersByTimeAsync(0);
		expect(started).toEqual(["explorer", "tester"]);
		expect(discarded).toEqual(["explorer"]);
		await spares.close();
		spares.expect("explorer");
		expect(started).toEqual(["explorer", "tester"]);
		const none = open(0);
		none.spares.expect("explorer");
		expect(none.started).toEqual([]);
	});

	it("go after two minutes", async () => {
		const { spares, discarded } = open();
		spares.keep("explorer");
		await vi.advanceTimersByTimeAsync(119 * SECOND);
		expect(discarded).toEqual([]);
		await vi.advanceTimersByTimeAsync(2 * SECOND);
		expect(discarded).toEqual(["explorer"]);
		expect(spares.take("explorer")).toBeUndefined();
	});

	it("go when memory gets short, and do not start while it is", async () => {
		const { spares, started, discarded, setLow } = open();
		spares.keep("explorer");
		await vi.advanceTimersByTimeAsync(SECOND);
		setLow(true);
		await vi.advanceTimersByTimeAsync(6 * SECOND);
		expect(discarded).toEqual(["explorer"]);
		spares.keep("explorer");
		await vi.advanceTimersByTimeAsync(SECOND);
		expect(started).toHaveLength(1);
	});

	it("are of the agents that were asked last, no more than allowed and one for each", async () => {
		const { spares, started, discarded } = open(2);
		for (const agent of ["explorer", "tester", "explorer", "reviewer"]) {
			spares.keep(agent);
			await vi.advanceTimersByTimeAsync(SECOND);
		}
		expect(started).toEqual(["explorer", "tester", "explorer", "reviewer"]);
		expect(discarded).toEqual(["explorer", "tester"]);
	});

	it("are all gone when closing is done, also one that could not be started", async () => {
		const { spares, discarded } = open(2);
		for (const agent of ["explorer", "unknown"]) {
			spares.keep(agent);
			await vi.advanceTimersByTimeAsync(SECOND);
		}
		await spares.close();
		expect(discarded).toEqual(["explorer"]);
		expect(vi.getTimerCount()).toBe(0);
	});

	it("are none where none are wanted", async () => {
		const { spares, started } = open(0);
		spares.keep("explorer");
		await vi.advanceTimersByTimeAsync(SECOND);
		expect(started).toEqual([]);
	});
});
