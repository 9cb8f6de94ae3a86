import { describe, expect, it } from "vitest";
import { createSlots } from "../../waiting/create-slots.ts";

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
});
