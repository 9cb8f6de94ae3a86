import { describe, expect, it } from "vitest";
import { createSlots, takeAll } from "../../waiting/create-slots.ts";

describe("createSlots", () => {
	it("lets as many run as there are slots and the rest wait in order", async () => {
		const slots = createSlots(2);
		const order: string[] = [];
		const first = await slots.take({});
		await slots.take({});
		const third = slots.take({ onWait: () => order.push("third waits") }).then((give) => {
			order.push("third runs");
			return give;
		});
		const fourth = slots
			.take({ onWait: () => order.push("fourth waits") })
			.then(() => order.push("fourth runs"));
		first?.();
		const giveThird = await third;
		giveThird?.();
		await fourth;
		expect(order).toEqual(["third waits", "fourth waits", "third runs", "fourth runs"]);
	});

	it("gives a slot back once, however often it is asked to", async () => {
		const slots = createSlots(1);
		const give = await slots.take({});
		const second = slots.take({});
		const third = slots.take({});
		give?.();
		give?.();
		expect(await second).toBeTypeOf("function");
		expect(await Promise.race([third, Promise.resolve("still waiting")])).toBe("still waiting");
	});

	it("forgets one that stops waiting", async () => {
		const slots = createSlots(1);
		const give = await slots.take({});
		const abort = new AbortController();
		const leaving = slots.take({ signal: abort.signal });
		const next = slots.take({});
		abort.abort();
		expect(await leaving).toBeUndefined();
		give?.();
		expect(await next).toBeTypeOf("function");
		expect(await slots.take({ signal: abort.signal })).toBeUndefined();
	});

	it("gives the next one to the highest rank, and to whoever came first among equals", async () => {
		const slots = createSlots(1);
		const give = await slots.take();
		const order: string[] = [];
		const wait = async (name: string, rank?: number): Promise<void> => {
			const giveBack = await slots.take({ rank });
			order.push(name);
			giveBack?.();
		};
		const all = [wait("low", -1), wait("first"), wait("high", 1), wait("second", 0)];
		give?.();
		await Promise.all(all);
		expect(order).toEqual(["high", "first", "second", "low"]);
	});

	it("takes one of each or none", async () => {
		const [service, worker] = [createSlots(1), createSlots(1)];
		const give = await worker.take();
		const abort = new AbortController();
		const leaving = takeAll([service, worker], { signal: abort.signal });
		await new Promise((resolve) => setImmediate(resolve));
		expect(service.running()).toBe(1);
		abort.abort();
		expect(await leaving).toBeUndefined();
		expect(service.running()).toBe(0);
		give?.();
		(await takeAll([service, worker], {}))?.();
		expect([service.running(), worker.running()]).toEqual([0, 0]);
	});
});
