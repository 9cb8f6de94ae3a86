const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 18;
const PADDING = 12;
const BACKGROUND = "#16181d";
const FOREGROUND = "#d4d7dd";
const BASIC = [
	..."#16181d #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #abb2bf".split(" "),
	..."#5c6370 #ff7a85 #b5e890 #ffd98a #7fc4ff #e0a0f5 #76d7e3 #ffffff".split(" "),
];

interface Style {
	color: string;
	background: string | undefined;
	bold: boolean;
	dim: boolean;
	italic: boolean;
}

const PLAIN: Style = { color: FOREGROUND, background: undefined, bold: false, dim: false, italic: false };

/** A screen as tmux captures it, escape sequences and all, as an SVG of the same characters and colours. */
export function renderScreen(lines: readonly string[], columns: number): string {
	const width = Math.ceil(columns * CELL_WIDTH + 2 * PADDING);
	const height = lines.length * LINE_HEIGHT + 2 * PADDING;
	let style: Style = { ...PLAIN };
	const body = lines.map((line, row) => {
		const drawn = renderLine(line, row, style);
		style = drawn.style;
		return drawn.svg;
	});
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">
<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>
${body.filter(Boolean).join("\n")}
</svg>
`;
}

function renderLine(line: string, row: number, before: Style): { readonly svg: string; readonly style: Style } {
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
		parts.push(renderPiece(piece, column, cells, row, style));
		column += cells;
	}
	return { svg: parts.join(""), style };
}

function renderPiece(text: string, column: number, cells: number, row: number, style: Style): string {
	const x = (PADDING + column * CELL_WIDTH).toFixed(1);
	const top = PADDING + row * LINE_HEIGHT;
	const length = (cells * CELL_WIDTH).toFixed(1);
	const box = style.background
		? `<rect x="${x}" y="${top}" width="${length}" height="${LINE_HEIGHT}" fill="${style.background}"/>`
		: "";
	if (text.trim() === "") return box;
	const looks = `${style.bold ? ' font-weight="bold"' : ""}${style.italic ? ' font-style="italic"' : ""}${style.dim ? ' opacity="0.6"' : ""}`;
	const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
	return `${box}<text x="${x}" y="${top + 13}" fill="${style.color}" textLength="${length}" lengthAdjust="spacingAndGlyphs" xml:space="preserve"${looks}>${escaped}</text>`;
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
	if (code === 7) return { ...style, color: style.background ?? BACKGROUND, background: style.color };
	if (code === 22) return { ...style, bold: false, dim: false };
	if (code === 23) return { ...style, italic: false };
	if (code === 39) return { ...style, color: FOREGROUND };
	if (code === 49) return { ...style, background: undefined };
	if (code >= 30 && code <= 37) return { ...style, color: BASIC[code - 30] ?? FOREGROUND };
	if (code >= 90 && code <= 97) return { ...style, color: BASIC[code - 82] ?? FOREGROUND };
	if (code >= 40 && code <= 47) return { ...style, background: BASIC[code - 40] };
	return style;
}

function indexedColor(index: number): string {
	if (index < 16) return BASIC[index] ?? FOREGROUND;
	if (index >= 232) return rgb([8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10]);
	const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
	const value = index - 16;
	return rgb([level(Math.floor(value / 36)), level(Math.floor(value / 6) % 6), level(value % 6)]);
}

function rgb(parts: readonly number[]): string {
	return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
