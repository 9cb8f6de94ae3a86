import { toOneLine } from "@deputize/ground";
import type { Component } from "@earendil-works/pi-tui";
import { createPen, type Pen } from "../render/pen.ts";
import {
	countPanelLines,
	createKeyTest,
	describeKeys,
	drawFrame,
	OWN_PAGE_KEYS,
	type PanelKey,
	type PanelOptions,
	pressKey,
} from "./panel.ts";

interface ListPanelItem {
	/** Stays the same while the list changes around it. */
	readonly id: string;
	draw(pen: Pen): readonly string[];
}

interface ListPanelOptions extends PanelOptions {
	readonly title: () => string;
	readonly items: () => readonly ListPanelItem[];
	/** Above the list: what came of a key, or what is to be known first. */
	readonly notes?: (pen: Pen) => readonly string[];
	/** What is said when there is none. */
	readonly empty: string;
	/** Chosen at first. */
	readonly selected?: string | undefined;
	/** What can be done with the chosen one. */
	readonly keys: (id: string | undefined) => readonly PanelKey[];
	readonly onSelect: (id: string) => void;
}

/** A list of which one is chosen. It is asked for at every drawing, because it may change. */
export function createListPanel(options: ListPanelOptions): Component {
	const { library, theme } = options;
	let selected = options.selected;
	const findSelected = (items: readonly ListPanelItem[]): number =>
		Math.max(
			0,
			items.findIndex(({ id }) => id === selected),
		);
	const move = (by: number): void => {
		const items = options.items();
		const index = Math.max(0, Math.min(items.length - 1, findSelected(items) + by));
		selected = items[index]?.id;
		if (selected !== undefined) options.onSelect(selected);
		options.requestRender();
	};
	return {
		...OWN_PAGE_KEYS,
		render(width) {
			const pen = createPen(library, theme, width);
			const items = options.items();
			const index = findSelected(items);
			const lines = items.flatMap((item, at) =>
				drawItem(item, at === index, pen).map((text) => ({ text, at })),
			);
			const notes = options.notes?.(pen) ?? [];
			const above = notes.length > 0 ? [...notes, ""] : [];
			const room = Math.max(1, countPanelLines(options) - above.length);
			const height = Math.min(room, Math.max(1, lines.length));
			const chosenEnd = lines.findLastIndex(({ at }) => at === index) + 1;
			const top = Math.max(0, Math.min(chosenEnd - Math.ceil(height / 2), lines.length - height));
			const shown = lines.slice(top, top + height).map(({ text }) => text);
			return drawFrame(
				{
					title: theme.fg("accent", theme.bold(toOneLine(options.title()))),
					lines: [
						...above,
						...(shown.length > 0 ? shown : [pen.fit(theme.fg("muted", `   ${options.empty}`))]),
					],
					keys: describeKeys(options.keys(items[index]?.id), false),
				},
				pen,
			);
		},
		handleInput(data) {
			const isKey = createKeyTest(data, options);
			if (isKey("q", "escape", "ctrl+c")) return options.close();
			const items = options.items();
			if (pressKey(options.keys(items[findSelected(items)]?.id), isKey, options)) return;
			if (isKey("up", "k")) move(-1);
			if (isKey("down", "j")) move(1);
		},
		invalidate: () => undefined,
	};
}

function drawItem(item: ListPanelItem, isSelected: boolean, pen: Pen): readonly string[] {
	const mark = isSelected ? pen.theme.fg("accent", "→") : " ";
	return item.draw(pen).map((line, index) => pen.fit(`${index === 0 ? mark : " "}${line.slice(1)}`));
}
