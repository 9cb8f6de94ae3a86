import { matchesKey, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import { createListPanel } from "../../../../../../src/hosts/pi/parent/toolkit/create-list-panel.ts";

function openList(names: string[], rows = 20) {
	const pressed: string[] = [];
	const panel = createListPanel({
		library: { matchesKey, truncateToWidth, visibleWidth, wrapTextWithAnsi },
		theme: { fg: (_color, text) => text, bold: (text) => text },
		rows: () => rows,
		requestRender: () => {},
		title: () => `${names.length} of them`,
		empty: "None.",
		items: () => names.map((id) => ({ id, draw: () => [` ● ${id}`, `   about ${id}`] })),
		onSelect: (id) => void pressed.push(`select ${id}`),
		keys: (id) =>
			id === "b" ? [] : [{ key: "x", label: "x stop it", press: () => void pressed.push(`stop ${id}`) }],
		close: () => void pressed.push("close"),
	});
	return { pressed, read: () => panel.render(60), press: (key: string) => panel.handleInput?.(key) };
}

describe("a list of which one is chosen", () => {
	it("moves with the arrows, no further than its ends, and offers what the chosen one can", () => {
		const { pressed, read, press } = openList(["a", "b"]);
		expect(read().join("\n")).toContain("→● a\n   about a\n ● b");
		expect(read().join("\n")).toContain("x stop it · q Esc close");
		press("x");
		press("\u001b[B");
		press("j");
		expect(read().join("\n")).toContain("→● b");
		expect(read().join("\n")).not.toContain("x stop it");
		press("x");
		press("q");
		expect(pressed).toEqual(["stop a", "select b", "select b", "close"]);
	});

	it("keeps the chosen one in sight, and the same one when the list changes", () => {
		const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
		const { read, press } = openList(names);
		for (let step = 0; step < 30; step += 1) press("j");
		expect(read().join("\n")).toContain("→● n30");
		expect(read().length).toBeLessThanOrEqual(20);
		names.unshift("new");
		expect(read().join("\n")).toContain("→● n30");
	});

	it("says so when there is nothing", () => {
		expect(openList([]).read().join("\n")).toContain("   None.");
	});
});
