import { type Emphasis, emphasize } from "../html/emphasize.ts";
import { rankHeadingSizes } from "../rank-heading-sizes.ts";

interface ClassStyle extends Emphasis {
	readonly size: number;
}

const RULE = /\.([\w-]+)\s*\{([^{}]*)\}/g;
const SPAN = /<span\b[^<>]*\bclass="([\w-]+)"[^<>]*>([^<>]*)<\/span>/g;
const LONE_SPAN = /<p\b[^<>]*>\s*<span\b[^<>]*\bclass="([\w-]+)"[^<>]*>([^<>]+)<\/span>\s*<\/p>/g;
const MAX_LEVELS = 6;

/**
 * Some writers (LibreOffice among them) make books without a single heading element: headings are paragraphs in a
 * larger face. For such a book this gives the headings and the emphasis back; others are left as they are.
 */
export function createHeadingFinder(chapters: readonly string[], css: string): (html: string) => string {
	if (chapters.some((html) => /<h[1-6]\b/i.test(html))) return (html) => html;
	const styles = readClasses(css);
	const sizes = rankHeadingSizes(
		chapters.flatMap((html) =>
			Array.from(html.matchAll(SPAN), ([, name = "", text = ""]) => [
				styles.get(name)?.size ?? 0,
				text.length,
			]),
		),
	);
	return (html) => restyle(html, styles, sizes);
}

function readClasses(css: string): Map<string, ClassStyle> {
	return new Map(
		Array.from(css.matchAll(RULE), ([, name = "", body = ""]) => [
			name,
			{
				size: Number(/font-size:\s*([\d.]{1,10})pt/.exec(body)?.[1] ?? 0),
				bold: /font-weight:\s*(?:bold|[6-9]00)/.test(body),
				italic: /font-style:\s*italic/.test(body),
			},
		]),
	);
}

function restyle(html: string, styles: ReadonlyMap<string, ClassStyle>, sizes: readonly number[]): string {
	const headed = html.replace(LONE_SPAN, (whole, name: string, text: string) => {
		const level = sizes.indexOf(styles.get(name)?.size ?? 0) + 1;
		return level > 0 && level <= MAX_LEVELS ? `<h${level}>${text}</h${level}>` : whole;
	});
	return headed.replace(SPAN, (whole, name: string, text: string) => {
		const style = styles.get(name);
		return style && text.trim() !== "" ? emphasize(text, style) : whole;
	});
}
