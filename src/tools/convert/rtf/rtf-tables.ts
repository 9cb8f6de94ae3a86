import { charsetEncoding } from "./rtf-characters.ts";

interface FontEntry {
	encoding?: string;
	fixed: boolean;
}

export interface StyleEntry {
	name: string;
	outline?: number;
}

/** What the font table and the style sheet at the head of the file say. */
export interface RtfTables {
	font(number: number): Readonly<FontEntry>;
	style(number: number): Readonly<StyleEntry>;
	/** Control words and names inside the font table. */
	fontWord(word: string, parameter: number | undefined): void;
	fontName(text: string): void;
	styleWord(word: string, parameter: number | undefined): void;
	styleName(text: string): void;
}

const FIXED_FONT = /courier|mono|consolas|menlo|typewriter|fixed/i;
const NO_STYLE = -1;

export function createRtfTables(): RtfTables {
	const fonts = new Map<number, FontEntry>();
	const styles = new Map<number, StyleEntry>();
	let font: FontEntry = { fixed: false };
	let style: StyleEntry = { name: "" };
	return {
		font: (number) => fonts.get(number) ?? { fixed: false },
		style: (number) => styles.get(number) ?? { name: "" },
		fontWord: (word, parameter) => {
			if (word === "f" && parameter !== undefined) {
				font = { fixed: false };
				fonts.set(parameter, font);
			}
			const encoding = word === "fcharset" ? charsetEncoding(parameter ?? 0) : undefined;
			if (encoding) font.encoding = encoding;
			if (word === "fmodern") font.fixed = true;
		},
		fontName: (text) => {
			if (FIXED_FONT.test(text)) font.fixed = true;
		},
		styleWord: (word, parameter) => {
			// Character and table styles share the sheet; only paragraph styles carry headings.
			if (word === "s" || word === "cs" || word === "ds" || word === "ts") {
				style = { name: "" };
				styles.set(word === "s" ? (parameter ?? 0) : NO_STYLE, style);
			}
			if (word === "outlinelevel" && parameter !== undefined) style.outline = parameter;
		},
		styleName: (text) => {
			style.name = `${style.name}${text}`.replace(/;.*$/, "").trim();
		},
	};
}
