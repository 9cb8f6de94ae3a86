import type { Position } from "vscode-languageserver-types";

/** A place as people and models count it: from 1, columns in characters (code points), not UTF-16 units. */
interface HumanPosition {
	readonly line: number;
	readonly column: number;
}

const SURROGATE = /[\ud800-\udfff]/;
const LINE_BREAK = /\r\n|\n|\r/;

export function splitAtLineBreaks(text: string): readonly string[] {
	return text.split(LINE_BREAK);
}

/** Columns past the end of the line mean its end, as editors do. */
export function toProtocolPosition({ line, column }: HumanPosition, lines: readonly string[]): Position {
	const text = lines[line - 1] ?? "";
	const before = Math.max(column - 1, 0);
	const character = SURROGATE.test(text)
		? [...text].slice(0, before).join("").length
		: Math.min(before, text.length);
	return { line: line - 1, character };
}

export function toHumanPosition(
	{ line, character }: Position,
	lines: readonly string[] | undefined,
): HumanPosition {
	const text = lines?.[line];
	// Only a pair of units that is one character makes the counts differ.
	const before =
		text !== undefined && SURROGATE.test(text)
			? [...text.slice(0, character)].length
			: Math.min(character, text?.length ?? character);
	return { line: line + 1, column: before + 1 };
}

/** Where a protocol position is in the text; past the end of a line means before its break. */
export function createOffsetOf(text: string): (position: Position) => number {
	const starts = [0];
	const ends: number[] = [];
	for (const match of text.matchAll(/\r\n|\n|\r/g)) {
		ends.push(match.index);
		starts.push(match.index + match[0].length);
	}
	ends.push(text.length);
	return ({ line, character }) => {
		const start = starts[line];
		const end = ends[line];
		if (start === undefined || end === undefined) return text.length;
		return Math.min(start + character, end);
	};
}

const MAX_WORDS = 200;
const IDENTIFIER_PART = /[\p{ID_Continue}$\u200c\u200d]/u;

/** Every place where `name` is a whole identifier, in text order. */
export function findWholeWords(lines: readonly string[], name: string, limit = MAX_WORDS): Position[] {
	const found: Position[] = [];
	for (const [line, text] of lines.entries()) {
		let from = text.indexOf(name);
		while (from !== -1 && found.length < limit) {
			if (isWholeWord(text, from, name.length)) found.push({ line, character: from });
			from = text.indexOf(name, from + name.length);
		}
		if (found.length >= limit) break;
	}
	return found;
}

function isWholeWord(text: string, start: number, length: number): boolean {
	const before = start > 0 ? lastSymbol(text.slice(Math.max(0, start - 2), start)) : "";
	const after = String.fromCodePoint(text.codePointAt(start + length) ?? 0x20);
	return !IDENTIFIER_PART.test(before) && !IDENTIFIER_PART.test(after);
}

function lastSymbol(text: string): string {
	return [...text].at(-1) ?? "";
}
