import { toOneLine } from "@deputize/ground";
import type { Component } from "@earendil-works/pi-tui";
import type { Report } from "../../../../commands/report.ts";
import { createPen, type Pen } from "../render/pen.ts";
import { drawReport } from "./draw-report.ts";
import {
	countPanelLines,
	createKeyTest,
	describeKeys,
	drawFrame,
	type KeyName,
	OWN_PAGE_KEYS,
	type PanelKey,
	type PanelOptions,
	pressKey,
} from "./panel.ts";

interface ReportPanelOptions extends PanelOptions {
	/** Further keys, asked for at every drawing. */
	readonly keys?: () => readonly PanelKey[];
	/** The title in so many columns; without it, that of the report, cut. */
	readonly fitTitle?: (pen: Pen, columns: number) => string | undefined;
	/** The lines of the report, where they are not its sections. */
	readonly draw?: (pen: Pen) => readonly string[];
	/** Begins at the end and stays there while the report grows. */
	readonly follow?: boolean;
}

/** A report one can scroll through. It is asked for at every drawing, because it may change. */
export function createReportPanel(makeReport: () => Report, options: ReportPanelOptions): Component {
	const { library, theme, keys = () => [] } = options;
	let top = 0;
	let lastTop = 0;
	let isAtEnd = options.follow === true;
	const moves = listMoves(() => countPanelLines(options));
	return {
		...OWN_PAGE_KEYS,
		render(width) {
			const pen = createPen(library, theme, width);
			const report = makeReport();
			const lines = options.draw?.(pen) ?? drawReport(report, pen);
			const height = Math.min(countPanelLines(options), lines.length);
			lastTop = Math.max(0, lines.length - height);
			top = isAtEnd ? lastTop : Math.min(top, lastTop);
			const place = lastTop === 0 ? "" : ` · lines ${top + 1}–${top + height} of ${lines.length}`;
			const title = options.fitTitle?.(pen, width - 1);
			// Facts that change come first; where a scrolled text is can be told without words.
			const hasRoom = title === undefined || pen.visibleWidth(title + place) < width;
			return drawFrame(
				{
					title: `${theme.fg("accent", theme.bold(toOneLine(title ?? report.title)))}${hasRoom ? theme.fg("muted", place) : ""}`,
					lines: lines.slice(top, top + height),
					keys: describeKeys(keys(), lastTop > 0),
				},
				pen,
			);
		},
		handleInput(data) {
			const isKey = createKeyTest(data, options);
			if (isKey("q", "escape", "ctrl+c")) return options.close();
			if (pressKey(keys(), isKey, options)) return;
			const move = moves.find((candidate) => isKey(...candidate.keys));
			if (!move) return;
			top = Math.max(0, Math.min(lastTop, move.to(top)));
			isAtEnd = options.follow === true && top === lastTop;
			options.requestRender();
		},
		invalidate: () => undefined,
	};
}

function listMoves(
	pageLines: () => number,
): readonly { readonly keys: readonly KeyName[]; readonly to: (top: number) => number }[] {
	return [
		{ keys: ["up", "k"], to: (top) => top - 1 },
		{ keys: ["down", "j"], to: (top) => top + 1 },
		{ keys: ["pageUp"], to: (top) => top - pageLines() },
		{ keys: ["pageDown", "space"], to: (top) => top + pageLines() },
		{ keys: ["home", "g"], to: () => 0 },
		{ keys: ["end", "shift+g"], to: () => Number.MAX_SAFE_INTEGER },
	];
}
