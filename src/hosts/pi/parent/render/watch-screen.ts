import { stripControlSequences } from "@deputize/ground";
import type { ExtensionUIContext } from "@earendil-works/pi-coding-agent";

const WIDGET_KEY = "deputize-screen";

/** What pi's terminal keeps of the last frame; not part of what it promises. */
interface DrawnScreen {
	readonly previousLines?: readonly string[];
	readonly previousViewportTop?: number;
	/** Where pi scrolls the conversation itself, every line can be changed. */
	readonly getScreenLines?: unknown;
}

/**
 * Tells whether a line that was drawn is on the screen, where it can be changed without clearing everything. Nobody
 * says so, and the last frame does. Where that is not to be seen, nothing counts as on the screen.
 */
export function watchScreen(ui: Pick<ExtensionUIContext, "setWidget">): (line: string) => boolean {
	let screen: DrawnScreen = {};
	// Widgets are given the terminal; this one is gone before it is drawn.
	ui.setWidget(WIDGET_KEY, (tui) => {
		const inside: object = tui;
		screen = inside;
		return { render: () => [], invalidate: () => undefined };
	});
	ui.setWidget(WIDGET_KEY, undefined);
	return (line) => {
		const { previousLines, previousViewportTop } = screen;
		if (typeof screen.getScreenLines === "function") return true;
		if (!Array.isArray(previousLines) || previousViewportTop === undefined) return false;
		const wanted = stripControlSequences(line).trim();
		// The first: a panel below the conversation can have the same line.
		const at = previousLines.findIndex((text) => stripControlSequences(text).includes(wanted));
		return at >= previousViewportTop;
	};
}
