import { stripControlSequences } from "@deputize/ground";
import type { Theme } from "@earendil-works/pi-coding-agent";
import type { PiLibrary } from "../pi-library.ts";

/** What a drawing needs: colors that follow the theme, and a way to measure and cut what is visible. */
export interface Pen {
	readonly theme: Pick<Theme, "fg" | "bold">;
	readonly width: number;
	/** One line, never wider than the terminal. */
	fit(line: string): string;
	/** The same with a width of its own. */
	cut(line: string, columns: number): string;
	/** Text in lines of at most `width` minus `indent` columns, each indented. */
	wrap(text: string, indent: number): readonly string[];
	visibleWidth(text: string): number;
}

export type PenLibrary = Pick<PiLibrary, "truncateToWidth" | "visibleWidth" | "wrapTextWithAnsi">;

export function createPen(library: PenLibrary, theme: Pen["theme"], width: number): Pen {
	// The library ends all colors before its mark: without one of its own it would be brighter than the text.
	const mark = theme.fg("muted", "…");
	return {
		theme,
		width,
		fit: (line) => library.truncateToWidth(line, width, mark),
		cut: (line, columns) => library.truncateToWidth(line, columns, mark),
		wrap: (text, indent) =>
			library
				.wrapTextWithAnsi(text, Math.max(1, width - indent))
				.map((line) => library.truncateToWidth(" ".repeat(indent) + line, width, mark)),
		visibleWidth: library.visibleWidth,
	};
}

/** Keeps line breaks; everything else a terminal would act on is gone. */
export function toPlainText(text: string): string {
	return stripControlSequences(text).replace(/\r/g, "").replace(/\t/g, "  ");
}
