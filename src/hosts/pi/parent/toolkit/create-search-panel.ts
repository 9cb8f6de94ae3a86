import { stripControlSequences, toOneLine } from "@deputize/ground";
import type { Component } from "@earendil-works/pi-tui";
import { createPen } from "../render/pen.ts";
import { countPanelLines, createKeyTest, drawFrame, OWN_PAGE_KEYS, type PanelOptions } from "./panel.ts";

export interface SearchItem {
	readonly id: string;
	readonly label: string;
	/** Shown behind it, and found by a search too. */
	readonly note?: string;
}

interface SearchPanelOptions extends PanelOptions {
	readonly title: string;
	readonly items: readonly SearchItem[];
	/** Chosen at first. */
	readonly selected?: string | undefined;
	readonly choose: (id: string) => void;
}

/** A list that what is typed makes shorter: an item stays while it has every word of it. */
export function createSearchPanel(options: SearchPanelOptions): Component {
	const { library, theme, items, requestRender } = options;
	let typed = "";
	let at = Math.max(
		0,
		items.findIndex(({ id }) => id === options.selected),
	);
	const findMatches = (): readonly SearchItem[] => {
		const words = typed.toLowerCase().split(/\s+/);
		return items.filter(({ label, note = "" }) =>
			words.every((word) => `${label} ${note}`.toLowerCase().includes(word)),
		);
	};
	const search = (text: string): void => {
		typed = text;
		at = 0;
		requestRender();
	};
	const move = (by: number): void => {
		at = Math.max(0, Math.min(findMatches().length - 1, at + by));
		requestRender();
	};
	return {
		...OWN_PAGE_KEYS,
		render(width) {
			const pen = createPen(library, theme, width);
			const found = findMatches();
			const height = Math.min(countPanelLines(options) - 1, Math.max(1, found.length));
			const top = Math.max(0, Math.min(at - Math.floor(height / 2), found.length - height));
			const lines = found.slice(top, top + height).map(({ label, note = "" }, index) => {
				const mark = top + index === at ? theme.fg("accent", "→") : " ";
				return pen.fit(` ${mark} ${toOneLine(label)}  ${theme.fg("muted", toOneLine(note))}`);
			});
			const none = pen.fit(theme.fg("muted", "   Nothing has that in its name."));
			return drawFrame(
				{
					title: `${theme.fg("accent", theme.bold(toOneLine(options.title)))}${theme.fg("muted", ` · ${found.length} of ${items.length}`)}`,
					lines: [
						pen.fit(` Search: ${typed}${theme.fg("accent", "▏")}`),
						...(lines.length > 0 ? lines : [none]),
					],
					keys: "type to search · ↑↓ PgUp PgDn move · Enter choose · Esc close",
				},
				pen,
			);
		},
		handleInput(data) {
			const isKey = createKeyTest(data, options);
			if (isKey("escape", "ctrl+c")) return options.close();
			if (isKey("up")) return move(-1);
			if (isKey("down")) return move(1);
			if (isKey("pageUp")) return move(1 - countPanelLines(options));
			if (isKey("pageDown")) return move(countPanelLines(options) - 1);
			if (isKey("backspace")) return search([...typed].slice(0, -1).join(""));
			if (isKey("enter")) {
				const chosen = findMatches()[at];
				return chosen && options.choose(chosen.id);
			}
			// A pasted name arrives between two sequences.
			const text = toOneLine(stripControlSequences(data));
			if (text !== "" || data === " ") search(`${typed}${data === " " ? " " : text}`);
		},
		invalidate: () => undefined,
	};
}
