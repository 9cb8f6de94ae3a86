import type { Component } from "@earendil-works/pi-tui";
import type { Report } from "../../../../commands/report.ts";
import { toOneLine } from "../../../../text/to-one-line.ts";
import type { PiLibrary } from "../pi-library.ts";
import { createPen, type Pen, type PenLibrary } from "../render/pen.ts";
import { drawReport } from "./draw-report.ts";

/** Lines of the panel that are not the report: two rules, the title and the keys, and a gap beside each. */
const FRAME_LINES = 6;
/** Lines of the screen that stay free for pi's own footer. */
const KEPT_LINES = 4;
const FEWEST_LINES = 3;

export interface ReportPanelOptions {
	readonly library: PenLibrary & Pick<PiLibrary, "matchesKey">;
	readonly theme: Pen["theme"];
	/** Height of the terminal, asked for anew at every drawing: it can be resized. */
	readonly rows: () => number;
	readonly requestRender: () => void;
	readonly close: () => void;
	/** Further keys, asked for at every drawing. */
	readonly keys?: () => readonly PanelKey[];
	/** Begins at the end and stays there while the report grows. */
	readonly follow?: boolean;
}

export interface PanelKey {
	readonly key: KeyName;
	/** For the last line of the panel; a key without one is not mentioned. */
	readonly label?: string;
	press(): void;
}

/** From 1.0 on pi scrolls the conversation with PgUp and PgDn unless the focused component wants them. */
export const OWN_PAGE_KEYS: object = { capturesViewportInput: true };

/** A report one can scroll through. It is asked for at every drawing, because it may change. */
export function createReportPanel(makeReport: () => Report, options: ReportPanelOptions): Component {
	const { library, theme, keys = () => [] } = options;
	let top = 0;
	let lastTop = 0;
	let isAtEnd = options.follow === true;
	const pageLines = (): number => Math.max(FEWEST_LINES, options.rows() - KEPT_LINES - FRAME_LINES);
	const moves = listMoves(pageLines);
	return {
		...OWN_PAGE_KEYS,
		render(width) {
			const pen = createPen(library, theme, width);
			const report = makeReport();
			const lines = drawReport(report, pen);
			const height = Math.min(pageLines(), lines.length);
			lastTop = Math.max(0, lines.length - height);
			top = isAtEnd ? lastTop : Math.min(top, lastTop);
			const place = lastTop === 0 ? "" : ` · lines ${top + 1}–${top + height} of ${lines.length}`;
			return [
				drawRule(pen),
				pen.fit(` ${theme.fg("accent", theme.bold(toOneLine(report.title)))}${theme.fg("muted", place)}`),
				"",
				...lines.slice(top, top + height),
				"",
				pen.fit(theme.fg("muted", ` ${describeKeys(keys(), lastTop > 0)}`)),
				drawRule(pen),
			];
		},
		handleInput(data) {
			if (data === "q" || library.matchesKey(data, "escape") || library.matchesKey(data, "ctrl+c")) {
				options.close();
				return;
			}
			const pressed = keys().find(({ key }) => data === key || library.matchesKey(data, key));
			if (pressed) {
				pressed.press();
				return;
			}
			const move = moves.find(({ keys }) =>
				keys.some((key) => data === key || library.matchesKey(data, key)),
			);
			if (!move) return;
			top = Math.max(0, Math.min(lastTop, move.to(top)));
			isAtEnd = options.follow === true && top === lastTop;
			options.requestRender();
		},
		invalidate: () => undefined,
	};
}

/** What can be pressed, the way out last. */
export function describeKeys(keys: readonly PanelKey[], canScroll: boolean): string {
	const labels = keys.flatMap(({ label }) => (label ? [label] : []));
	return [...labels, ...(canScroll ? ["↑↓ j k PgUp PgDn Home End scroll"] : []), "q Esc close"].join(" · ");
}

export type KeyName = Parameters<PiLibrary["matchesKey"]>[1];

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

export function drawRule(pen: Pen): string {
	return pen.theme.fg("border", "─".repeat(Math.max(1, pen.width)));
}
