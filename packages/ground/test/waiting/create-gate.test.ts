import { describe, expect, it } from "vitest";
import { createGate } from "../../waiting/create-gate.ts";

function createStep(log: string[], name: string) {
	let finish: () => void = () => undefined;
	const done = new Promise<void>((resolve) => {
		finish = resolve;
	});
	const work = async () => {
		log.push(`${name} begins`);
		await done;
		log.push(`${name} ends`);
		return name;
	};
	return { work, finish };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("a gate", () => {
	it("lets ordinary work run together, and exclusive work alone", async () => {
		const gate = createGate();
		const log: string[] = [];
		const [a, b, alone, c] = ["a", "b", "alone", "c"].map((name) => createStep(log, name));
		if (!a || !b || !alone || !c) throw new Error("steps");
		const all = [gate.shared(a.work), gate.shared(b.work)];
		await settle();
		all.push(gate.exclusive(alone.work), gate.shared(c.work));
		await settle();
		expect(log).toEqual(["a begins", "b begins"]);
		a.finish();
		await settle();
		expect(log).not.toContain("alone begins");
		b.finish();
		await settle();
		expect(log).toContain("alone begins");
		expect(log).not.toContain("c begins");
		alone.finish();
		c.finish();
		expect(await Promise.all(all)).toEqual(["a", "b", "alone", "c"]);
		expect(log.indexOf("c begins")).toBeGreaterThan(log.indexOf("alone ends"));
	});

	it("goes on after work that fails", async () => {
		const gate = createGate();
		await expect(gate.shared(() => Promise.reject(new Error("shared")))).rejects.toThrow("shared");
		await expect(gate.exclusive(() => Promise.reject(new Error("alone")))).rejects.toThrow("alone");
		expect(await gate.shared(async () => 1)).toBe(1);
		expect(await gate.exclusive(async () => 2)).toBe(2);
	});
});
