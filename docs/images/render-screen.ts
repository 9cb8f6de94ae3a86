const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 18;
const PADDING = 12;

/** What a terminal shows where a program sets no colour. */
interface Paper {
	readonly background: string;
	readonly foreground: string;
}

export const DARK: Paper = { background: "#16181d", foreground: "#d4d7dd" };
export const LIGHT: Paper = { background: "#ffffff", foreground: "#24292f" };

const BASIC = [
	..."#16181d #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #abb2bf".split(" "),
	..."#5c6370 #ff7a85 #b5e890 #ffd98a #7fc4ff #e0a0f5 #76d7e3 #ffffff".split(" "),
];

interface Style {
	/** Undefined: the terminal's own. */
	color: string | undefined;
	background: string | undefined;
	bold: boolean;
	dim: boolean;
	italic: boolean;
	inverse: boolean;
}

const PLAIN: Style = { color: undefined, background: undefined, bold: false, dim: false, italic: false, inverse: false };

/**
 * A screen as tmux captures it, escape sequences and all, as an SVG of the same characters and colours. Lines
 * from `from` to `to` are drawn; those before are read too, because a style goes on until it is changed.
 */
export function renderScreen(
	lines: readonly string[],
	options: { readonly columns: number; readonly from: number; readonly to: number; readonly paper?: Paper },
): string {
	const { columns, from, to, paper = DARK } = options;
	const width = Math.ceil(columns * CELL_WIDTH + 2 * PADDING);
	const height = (to - from) * LINE_HEIGHT + 2 * PADDING;
	let style: Style = { ...PLAIN };
	const body: string[] = [];
	for (const [row, line] of lines.slice(0, to).entries()) {
		const drawn = renderLine(line, row - from, style, paper);
		style = drawn.style;
		if (row >= from) body.push(drawn.svg);
	}
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">
<rect width="${width}" height="${height}" rx="8" fill="${paper.background}"/>
${body.filter(Boolean).join("\n")}
</svg>
`;
}

function renderLine(line: string, row: number, before: Style, paper: Paper): { readonly svg: string; readonly style: Style } {
	let style = before;
	let column = 0;
	const parts: string[] = [];
	// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is read here
	for (const piece of line.split(/(\u001b\[[0-9;:]*m|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[()][A-Z0-9])/)) {
		if (piece.startsWith("\u001b[")) {
			style = applyCodes(style, piece.slice(2, -1));
			continue;
		}
		if (piece === "" || piece.startsWith("\u001b")) continue;
		const cells = [...new Intl.Segmenter().segment(piece)].reduce((sum, { segment }) => sum + cellsOf(segment), 0);
		parts.push(renderPiece(piece, { column, cells, row }, style, paper));
		column += cells;
	}
	return { svg: parts.join(""), style };
}

function renderPiece(
	text: string,
	place: { readonly column: number; readonly cells: number; readonly row: number },
	style: Style,
	paper: Paper,
): string {
	const x = (PADDING + place.column * CELL_WIDTH).toFixed(1);
	const top = PADDING + place.row * LINE_HEIGHT;
	const length = (place.cells * CELL_WIDTH).toFixed(1);
	const own = { color: style.color ?? paper.foreground, background: style.background };
	const shown = style.inverse ? { color: own.background ?? paper.background, background: own.color } : own;
	const box = shown.background
		? `<rect x="${x}" y="${top}" width="${length}" height="${LINE_HEIGHT}" fill="${shown.background}"/>`
		: "";
	if (text.trim() === "") return box;
	const looks = `${style.bold ? ' font-weight="bold"' : ""}${style.italic ? ' font-style="italic"' : ""}${style.dim ? ' opacity="0.6"' : ""}`;
	const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
	return `${box}<text x="${x}" y="${top + 13}" fill="${shown.color}" textLength="${length}" lengthAdjust="spacingAndGlyphs" xml:space="preserve"${looks}>${escaped}</text>`;
}

function cellsOf(character: string): number {
	const code = character.codePointAt(0) ?? 0;
	const wide =
		(code >= 0x1100 && code <= 0x115f) ||
		(code >= 0x2e80 && code <= 0xa4cf) ||
		(code >= 0xac00 && code <= 0xd7a3) ||
		(code >= 0xf900 && code <= 0xfaff) ||
		(code >= 0xfe30 && code <= 0xfe6f) ||
		(code >= 0xff00 && code <= 0xff60) ||
		code >= 0x1f300;
	return wide ? 2 : 1;
}

function applyCodes(before: Style, text: string): Style {
	const codes = text.split(/[;:]/).map(Number);
	let style = { ...before };
	for (let index = 0; index < codes.length; index += 1) {
		const code = codes[index] ?? 0;
		if (code === 38 || code === 48) {
			const isIndexed = codes[index + 1] === 5;
			const color = isIndexed ? indexedColor(codes[index + 2] ?? 0) : rgb(codes.slice(index + 2, index + 5));
			style = code === 38 ? { ...style, color } : { ...style, background: color };
			index += isIndexed ? 2 : 4;
		} else style = applyCode(style, code);
	}
	return style;
}

function applyCode(style: Style, code: number): Style {
	if (code === 0) return { ...PLAIN };
	if (code === 1) return { ...style, bold: true };
	if (code === 2) return { ...style, dim: true };
	if (code === 3) return { ...style, italic: true };
	if (code === 7) return { ...style, inverse: true };
	if (code === 27) return { ...style, inverse: false };
	if (code === 22) return { ...style, bold: false, dim: false };
	if (code === 23) return { ...style, italic: false };
	if (code === 39) return { ...style, color: undefined };
	if (code === 49) return { ...style, background: undefined };
	if (code >= 30 && code <= 37) return { ...style, color: BASIC[code - 30] };
	if (code >= 90 && code <= 97) return { ...style, color: BASIC[code - 82] };
	if (code >= 40 && code <= 47) return { ...style, background: BASIC[code - 40] };
	return style;
}

function indexedColor(index: number): string {
	if (index < 16) return BASIC[index] ?? DARK.foreground;
	if (index >= 232) return rgb([8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10]);
	const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
	const value = index - 16;
	return rgb([level(Math.floor(value / 36)), level(Math.floor(value / 6) % 6), level(value % 6)]);
}

function rgb(parts: readonly number[]): string {
	return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
