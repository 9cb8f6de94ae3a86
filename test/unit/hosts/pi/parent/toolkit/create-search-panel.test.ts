import { matchesKey, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import { createSearchPanel } from "../../../../../../src/hosts/pi/parent/toolkit/create-search-panel.ts";

function openSearch(names: readonly string[], rows = 20) {
	const done: string[] = [];
	const panel = createSearchPanel({
		library: { matchesKey, truncateToWidth, visibleWidth, wrapTextWithAnsi },
		theme: { fg: (_color, text) => text, bold: (text) => text },
		rows: () => rows,
		requestRender: () => {},
		title: "Model of explorer",
		items: names.map((id) => ({ id, label: id, note: id.startsWith("ollama") ? "on this machine" : "" })),
		choose: (id) => void done.push(id),
		close: () => void done.push("closed"),
	});
	const read = (): string => panel.render(70).join("\n");
	const press = (...keys: string[]): void => {
		for (const key of keys) panel.handleInput?.(key);
	};
	return { done, read, press };
}

const DOWN = "\u001b[B";
const ENTER = "\r";
const NAMES = ["default", "ollama/qwen3:8b", "ollama/llama3", "anthropic/claude-opus-4-8", "openai/gpt-q"];

describe("a list that is searched by typing", () => {
	it("keeps what has every word, in the name or behind it, and chooses with Enter", () => {
		const { done, read, press } = openSearch(NAMES);
		expect(read()).toContain("5 of 5");
		press("q", "w");
		expect(read()).toMatch(/1 of 5[\s\S]*→ ollama\/qwen3:8b/);
		press("\u007f", "\u007f", ..."machine llama3");
		expect(read()).toMatch(/1 of 5[\s\S]*→ ollama\/llama3/);
		press(ENTER);
		expect(done).toEqual(["ollama/llama3"]);
	});

	it("takes letters for the search, not for keys, and a pasted name whole", () => {
		const { done, read, press } = openSearch(NAMES);
		press("j", "k");
		expect(read()).toContain("Nothing has that in its name.");
		press(ENTER);
		expect(done).toEqual([]);
		press("\u007f", "\u007f", "\u001b[200~gpt-q\u001b[201~");
		expect(read()).toContain("Search: gpt-q▏");
		press(ENTER, "\u001b");
		expect(done).toEqual(["openai/gpt-q", "closed"]);
	});

	it("moves no further than its ends, and keeps the chosen one in sight", () => {
		const many = Array.from({ length: 200 }, (_, index) => `p/model-${index}`);
		const { done, read, press } = openSearch(many);
		for (let step = 0; step < 50; step += 1) press(DOWN);
		expect(read()).toContain("→ p/model-50");
		expect(read().split("\n").length).toBeLessThanOrEqual(20);
		for (let step = 0; step < 40; step += 1) press("\u001b[6~");
		expect(read()).toContain("→ p/model-199");
		press(ENTER);
		expect(done).toEqual(["p/model-199"]);
	});
});
