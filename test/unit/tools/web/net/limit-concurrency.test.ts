import { describe, expect, it } from "vitest";
import { mapWithLimit } from "../../../../../packages/ground/waiting/map-with-limit.ts";
import { createConcurrencyLimit } from "../../../../../src/tools/web/net/limit-concurrency.ts";

const signal = new AbortController().signal;

function createGate() {
	let open: () => void = () => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	return { open, opened };
}

describe("createConcurrencyLimit", () => {
	it("hands places on in the order of arrival", async () => {
		const limit = createConcurrencyLimit({ maxConcurrent: 1, maxQueueSize: 5 });
		const order: number[] = [];
		const gate = createGate();
		const works = [0, 1, 2].map((number) =>
			limit.run(
				async () => {
					if (number === 0) await gate.opened;
					order.push(number);
				},
				{ signal },
			),
		);
		gate.open();
		await Promise.all(works);
		expect(order).toEqual([0, 1, 2]);
	});

	it("gives a place back when the work fails", async () => {
		const limit = createConcurrencyLimit({ maxConcurrent: 1, maxQueueSize: 0 });
		await expect(limit.run(() => Promise.reject(new Error("no")), { signal })).rejects.toThrow("no");
		expect(await limit.run(async () => "yes", { signal })).toBe("yes");
	});

	it("lets an abort leave the queue without losing a place", async () => {
		const limit = createConcurrencyLimit({ maxConcurrent: 1, maxQueueSize: 5 });
		const gate = createGate();
		const controller = new AbortController();
		const first = limit.run(() => gate.opened, { signal });
		const left = limit.run(async () => "never", { signal: controller.signal });
		const third = limit.run(async () => "third", { signal });
		controller.abort();
		await expect(left).rejects.toMatchObject({ code: "ABORTED" });
		gate.open();
		await first;
		expect(await third).toBe("third");
		expect(await limit.run(async () => "free", { signal })).toBe("free");
	});

	it("says who waits and refuses when the queue is full", async () => {
		const limit = createConcurrencyLimit({ maxConcurrent: 1, maxQueueSize: 1 });
		const gate = createGate();
		const first = limit.run(() => gate.opened, { signal });
		const waits: number[] = [];
		const second = limit.run(async () => {}, { signal, onWait: (ahead) => waits.push(ahead) });
		expect(waits).toEqual([0]);
		await expect(limit.run(async () => {}, { signal })).rejects.toMatchObject({ code: "QUEUE_FULL" });
		gate.open();
		await Promise.all([first, second]);
	});
});

describe("mapWithLimit", () => {
	it("keeps the order of results whatever finishes first", async () => {
		const gate = createGate();
		const work = mapWithLimit([0, 1, 2], 2, async (item) => {
			if (item === 0) await gate.opened;
			if (item === 2) gate.open();
			return item * 10;
		});
		expect(await work).toEqual([0, 10, 20]);
	});
});
