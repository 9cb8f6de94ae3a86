const VOID_ELEMENTS = new Set(
	"area base br col embed hr img input link meta param source track wbr p li dt dd tr td th option".split(
		" ",
	),
);
/** Up to the next bracket rather than to the end of the tag: an attribute that contains one must not hide the element. */
const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9:-]*)([^<>]*)/g;

/**
 * How deep a page nests, roughly: elements whose end tag may be left out do not count, so unclosed paragraphs are
 * not mistaken for depth. It exists to keep a page of 60,000 open `<div>`s away from parsers that recurse.
 */
export function measureHtmlDepth(html: string, enough: number): number {
	let depth = 0;
	let deepest = 0;
	for (const [, closing, name = "", rest = ""] of html.matchAll(TAG)) {
		if (VOID_ELEMENTS.has(name.toLowerCase()) || rest.endsWith("/")) continue;
		depth = closing ? Math.max(0, depth - 1) : depth + 1;
		if (depth > deepest) deepest = depth;
		if (deepest > enough) break;
	}
	return deepest;
}
