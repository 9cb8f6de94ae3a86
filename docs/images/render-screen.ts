const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 18;
const PADDING = 12;

/** What a terminal shows where a program sets no color. */
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

const PLAIN: Style = {
	color: undefined,
	background: undefined,
	bold: false,
	dim: false,
	italic: false,
	inverse: false,
};

interface ScreenOptions {
	readonly columns: number;
	readonly from: number;
	readonly to: number;
	readonly paper?: Paper;
}

/**
 * A screen as tmux captures it, escape sequences and all, as an SVG of the same characters and colors. Lines
 * from `from` to `to` are drawn; those before are read too, because a style goes on until it is changed.
 */
export function renderScreen(lines: readonly string[], options: ScreenOptions): string {
	const body = drawLines(lines, options).map((svg, row) => (svg === "" ? "" : placeAt(row, svg)));
	return renderPicture(body.filter(Boolean).join("\n"), options);
}

export interface Frame {
	readonly lines: readonly string[];
	/** When it appeared, from the start of the recording. */
	readonly atMs: number;
}

/** How long the last frame stays before the recording begins again. */
const REST_MS = 4000;

/**
 * Screens one after the other, at the times they were seen, as one SVG that plays by itself in a page or an `<img>`. The frames
 * are next to each other like on a film; every different line is in the file once. Whoever asks for less motion sees the end.
 */
export function renderCast(frames: readonly Frame[], options: ScreenOptions): string {
	const { width } = measure(options);
	const lineIds = new Map<string, string>();
	const idOf = (svg: string): string => {
		const id = lineIds.get(svg) ?? `l${lineIds.size.toString(36)}`;
		lineIds.set(svg, id);
		return id;
	};
	const film = frames.map(({ lines }, index) => {
		const rows = drawLines(lines, options).flatMap((svg, row) =>
			svg === "" ? [] : [`<use href="#${idOf(svg)}" y="${row * LINE_HEIGHT}"/>`],
		);
		return `<g transform="translate(${index * width} 0)">${rows.join("")}</g>`;
	});
	const lengthMs = (frames.at(-1)?.atMs ?? 0) + REST_MS;
	const steps = frames.map(
		({ atMs }, index) =>
			`${((atMs / lengthMs) * 100).toFixed(2)}%{transform:translateX(-${index * width}px)}`,
	);
	const last = (frames.length - 1) * width;
	const style = `@keyframes film{${steps.join("")}100%{transform:translateX(-${last}px)}}
.film{animation:film ${(lengthMs / 1000).toFixed(1)}s step-end infinite}
@media (prefers-reduced-motion: reduce){.film{animation:none;transform:translateX(-${last}px)}}`;
	const lines = [...lineIds].map(([svg, id]) => `<g id="${id}">${svg}</g>`);
	return renderPicture(
		`<style>${style}</style>\n<defs>\n${lines.join("\n")}\n</defs>\n<g class="film">\n${film.join("\n")}\n</g>`,
		options,
	);
}

function drawLines(lines: readonly string[], { from, to, paper = DARK }: ScreenOptions): readonly string[] {
	let style: Style = { ...PLAIN };
	const drawn: string[] = [];
	for (const [row, line] of lines.slice(0, to).entries()) {
		const { svg, style: after } = renderLine(line, style, paper);
		style = after;
		if (row >= from) drawn.push(svg);
	}
	return drawn;
}

function placeAt(row: number, svg: string): string {
	return row === 0 ? svg : `<g transform="translate(0 ${row * LINE_HEIGHT})">${svg}</g>`;
}

function measure({ columns, from, to }: ScreenOptions): { readonly width: number; readonly height: number } {
	return {
		width: Math.ceil(columns * CELL_WIDTH + 2 * PADDING),
		height: (to - from) * LINE_HEIGHT + 2 * PADDING,
	};
}

function renderPicture(body: string, options: ScreenOptions): string {
	const { width, height } = measure(options);
	const { background } = options.paper ?? DARK;
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">
<rect width="${width}" height="${height}" rx="8" fill="${background}"/>
${body}
</svg>
`;
}

const ESCAPE_SEQUENCE =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is read here
	/(\u001b\[[0-9;:]*m|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[()][A-Z0-9])/;

/** A line at the top of the picture; the caller moves it to its row. */
function renderLine(
	line: string,
	before: Style,
	paper: Paper,
): { readonly svg: string; readonly style: Style } {
	let style = before;
	let column = 0;
	const parts: string[] = [];
	for (const piece of line.split(ESCAPE_SEQUENCE)) {
		if (piece.startsWith("\u001b[")) {
			style = applyCodes(style, piece.slice(2, -1));
			continue;
		}
		if (piece === "" || piece.startsWith("\u001b")) continue;
		const cells = [...new Intl.Segmenter().segment(piece)].reduce(
			(sum, { segment }) => sum + cellsOf(segment),
			0,
		);
		parts.push(renderPiece(piece, { column, cells }, style, paper));
		column += cells;
	}
	return { svg: parts.join(""), style };
}

function renderPiece(
	text: string,
	place: { readonly column: number; readonly cells: number },
	style: Style,
	paper: Paper,
): string {
	const x = (PADDING + place.column * CELL_WIDTH).toFixed(1);
	const length = (place.cells * CELL_WIDTH).toFixed(1);
	const own = { color: style.color ?? paper.foreground, background: style.background };
	const shown = style.inverse ? { color: own.background ?? paper.background, background: own.color } : own;
	const box = shown.background
		? `<rect x="${x}" y="${PADDING}" width="${length}" height="${LINE_HEIGHT}" fill="${shown.background}"/>`
		: "";
	if (text.trim() === "") return box;
	const looks = `${style.bold ? ' font-weight="bold"' : ""}${style.italic ? ' font-style="italic"' : ""}${style.dim ? ' opacity="0.6"' : ""}`;
	const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
	return `${box}<text x="${x}" y="${PADDING + 13}" fill="${shown.color}" textLength="${length}" lengthAdjust="spacingAndGlyphs" xml:space="preserve"${looks}>${escaped}</text>`;
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
