import { CHARSETS } from "./rtf-characters.ts";

interface FontEntry {
	encoding?: string;
	fixed: boolean;
}

export interface StyleEntry {
	name: string;
	outline?: number;
}

export type RtfTables = ReturnType<typeof createRtfTables>;

const FIXED_FONT = /courier|mono|consolas|menlo|typewriter|fixed/i;
const NO_STYLE = -1;

/** What the font table and the style sheet at the head of the file say, from their control words and names. */
export function createRtfTables() {
	const fonts = new Map<number, FontEntry>();
	const styles = new Map<number, StyleEntry>();
	let font: FontEntry = { fixed: false };
	let style: StyleEntry = { name: "" };
	return {
		font: (number: number): Readonly<FontEntry> => fonts.get(number) ?? { fixed: false },
		style: (number: number): Readonly<StyleEntry> => styles.get(number) ?? { name: "" },
		fontWord: (word: string, parameter: number | undefined): void => {
			if (word === "f" && parameter !== undefined) {
				font = { fixed: false };
				fonts.set(parameter, font);
			}
			const encoding = word === "fcharset" ? CHARSETS[parameter ?? 0] : undefined;
			if (encoding) font.encoding = encoding;
			if (word === "fmodern") font.fixed = true;
		},
		fontName: (text: string): void => {
			if (FIXED_FONT.test(text)) font.fixed = true;
		},
		styleWord: (word: string, parameter: number | undefined): void => {
			// Character and table styles share the sheet; only paragraph styles carry headings.
			if (word === "s" || word === "cs" || word === "ds" || word === "ts") {
				style = { name: "" };
				styles.set(word === "s" ? (parameter ?? 0) : NO_STYLE, style);
			}
			if (word === "outlinelevel" && parameter !== undefined) style.outline = parameter;
		},
		styleName: (text: string): void => {
			style.name = `${style.name}${text}`.replace(/;.*$/, "").trim();
		},
	};
}
