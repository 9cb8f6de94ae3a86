/** Characters that take two cells of a terminal: East Asian scripts, full-width forms, pictures. */
const WIDE =
	/^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Bopomofo}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)/u;
/** Characters that take none of their own. */
const EMPTY = /^[\p{Mark}\p{Cc}\p{Cf}\u115f\u1160]+$/u;
const ONLY_ASCII = /^\p{ASCII}*$/u;
const CONTROL = /\p{Cc}/gu;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** How many cells of a terminal a line takes. */
export function measureCells(text: string): number {
	if (ONLY_ASCII.test(text)) return text.replace(CONTROL, "").length;
	let cells = 0;
	for (const { segment } of graphemes.segment(text)) cells += widthOf(segment);
	return cells;
}

/** Keeps the beginning of a line that takes too many cells, with a mark where it was cut. */
export function cutToCells(text: string, maxCells: number): string {
	if (measureCells(text) <= maxCells) return text;
	let kept = "";
	let cells = 1;
	for (const { segment } of graphemes.segment(text)) {
		cells += widthOf(segment);
		if (cells > maxCells) break;
		kept += segment;
	}
	return maxCells < 1 ? "" : `${kept}…`;
}

function widthOf(grapheme: string): number {
	if (EMPTY.test(grapheme)) return 0;
	return WIDE.test(grapheme) ? 2 : 1;
}
