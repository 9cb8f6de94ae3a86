import { describe, expect, it } from "vitest";
import { createSlots } from "../../../../../packages/ground/waiting/create-slots.ts";
import { reserveSlot } from "../../../../../src/hosts/pi/parent/reserve-slot.ts";

const signal = new AbortController().signal;

describe("a reserved slot", () => {
	it("keeps the order of the calls, not that of the preparation", async () => {
		const slots = createSlots(1);
		const first = reserveSlot(slots, signal);
		const second = reserveSlot(slots, signal);
		const order: string[] = [];
		const late = second.slots.take({ onWait: () => order.push("second waits") }).then((giveBack) => {
			order.push("second");
			giveBack?.();
		});
		const giveBack = await first.slots.take({ onWait: () => order.push("first waits") });
		order.push("first");
		giveBack?.();
		await late;
		expect(order).toEqual(["second waits", "first", "second"]);
	});

	it("is given back by a run that never asked for it", async () => {
		const slots = createSlots(1);
		await reserveSlot(slots, signal).release();
		expect(await slots.take({})).toBeTypeOf("function");
	});

	it("is given back once, even when the run already did", async () => {
		const slots = createSlots(1);
		const place = reserveSlot(slots, signal);
		(await place.slots.take({}))?.();
		await place.release();
		expect(await slots.take({})).toBeTypeOf("function");
		let waited = false;
		void slots.take({ onWait: () => (waited = true) });
		expect(waited).toBe(true);
	});
});
