import { describe, expect, it } from "vitest";
import { createStopKey } from "../../../../../../src/hosts/pi/parent/toolkit/create-stop-key.ts";
import { pressKey } from "../../../../../../src/hosts/pi/parent/toolkit/panel.ts";

function openKeys() {
	let now = 0;
	let stopped = 0;
	const toKey = createStopKey(() => now);
	const keys = () => [toKey("a", () => (stopped += 1))];
	const press = (typed: string): void =>
		void pressKey(keys(), (key) => key === typed, { requestRender: () => {} });
	return {
		press,
		wait: (milliseconds: number) => (now += milliseconds),
		countStopped: () => stopped,
		label: () => keys()[0]?.label,
	};
}

describe("the key that stops an agent", () => {
	it("asks at first, and stops when it is pressed once more", () => {
		const keys = openKeys();
		keys.press("x");
		expect(keys.countStopped()).toBe(0);
		expect(keys.label()).toBe("x again to stop it");
		keys.wait(500);
		keys.press("x");
		expect(keys.countStopped()).toBe(1);
		expect(keys.label()).toBe("x stop it");
	});

	it.each(["please fix it", "fix x-axis and exxon xx", "xxxxxx", "x x x x"])("is no letter of %j", (text) => {
		const keys = openKeys();
		for (const letter of text) {
			keys.press(letter);
			keys.wait(40);
		}
		expect(keys.countStopped()).toBe(0);
	});

	it("forgets that it was pressed", () => {
		const keys = openKeys();
		keys.press("x");
		keys.wait(6000);
		expect(keys.label()).toBe("x stop it");
		keys.press("x");
		expect(keys.countStopped()).toBe(0);
	});
});
