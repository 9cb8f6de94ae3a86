import { matchesKey, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import { createReportPanel } from "../../../../../../src/hosts/pi/parent/toolkit/create-report-panel.ts";

function openPanel(lineCount: number, rows = 20) {
	let closed = false;
	let renders = 0;
	const lines = Array.from({ length: lineCount }, (_, index) => ({ text: `line ${index + 1}` }));
	const panel = createReportPanel(
		() => ({ title: "Report", sections: [{ heading: "All", lines }], data: null }),
		{
			library: { matchesKey, truncateToWidth, visibleWidth, wrapTextWithAnsi },
			theme: { fg: (_color, text) => text, bold: (text) => text },
			rows: () => rows,
			requestRender: () => (renders += 1),
			close: () => (closed = true),
		},
	);
	const read = (): string => panel.render(60).join("\n");
	read();
	return {
		read,
		press: (key: string) => panel.handleInput?.(key),
		isClosed: () => closed,
		renders: () => renders,
	};
}

const KEYS = {
	down: "\u001b[B",
	up: "\u001b[A",
	pageDown: "\u001b[6~",
	pageUp: "\u001b[5~",
	home: "\u001b[H",
	end: "\u001b[F",
};

describe("the panel of a report", () => {
	it("shows a short report whole and offers nothing to scroll", () => {
		const { read } = openPanel(3);
		expect(read()).toContain("line 3");
		expect(read()).not.toContain("scroll");
	});

	it("scrolls by line, by page and to both ends, and no further", () => {
		const panel = openPanel(100);
		expect(panel.read()).toContain("1–12 of 101");
		panel.press(KEYS.down);
		panel.press("j");
		expect(panel.read()).toContain("3–14 of 101");
		panel.press(KEYS.up);
		panel.press("k");
		panel.press("k");
		expect(panel.read()).toContain("1–12 of 101");
		panel.press(KEYS.pageDown);
		expect(panel.read()).toContain("13–24 of 101");
		panel.press(KEYS.end);
		expect(panel.read()).toContain("90–101 of 101");
		panel.press(KEYS.pageDown);
		expect(panel.read()).toContain("line 100");
		panel.press(KEYS.pageUp);
		expect(panel.read()).toContain("78–89 of 101");
		panel.press(KEYS.home);
		expect(panel.read()).toContain("1–12 of 101");
		expect(panel.renders()).toBeGreaterThan(5);
	});

	it("always has the same height while it scrolls", () => {
		const panel = openPanel(100);
		const height = panel.read().split("\n").length;
		panel.press(KEYS.end);
		expect(panel.read().split("\n").length).toBe(height);
		expect(height).toBeLessThanOrEqual(20);
	});

	it.each(["q", "\u001b", "\u0003"])("closes with %j", (key) => {
		const panel = openPanel(3);
		panel.press(key);
		expect(panel.isClosed()).toBe(true);
	});

	it("ignores other keys", () => {
		const panel = openPanel(100);
		panel.press("x");
		expect(panel.isClosed()).toBe(false);
		expect(panel.renders()).toBe(0);
	});
});
