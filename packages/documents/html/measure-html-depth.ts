const VOID_ELEMENTS = new Set(
	"area base br col embed hr img input link meta param source track wbr p li dt dd tr td th option".split(
		" ",
	),
);
/** Only inside drawings and formulas does `<a/>` close itself; elsewhere the HTML parser ignores the slash. */
const FOREIGN = new Set(["svg", "math"]);
/** What leads from there back to HTML. */
const HTML_AGAIN = new Set("mi mo mn ms mtext annotation-xml foreignobject desc title".split(" "));
/** Up to the next bracket rather than to the end of the tag: an attribute that contains one must not hide the element. */
const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9:-]*)([^<>]*)/g;

/**
 * How deep a page nests, roughly: elements whose end tag may be left out do not count, so unclosed paragraphs are
 * not mistaken for depth. It exists to keep a page of 60,000 open `<div>`s away from parsers that recurse.
 */
export function measureHtmlDepth(html: string, enough: number): number {
	const foreign: boolean[] = [];
	let depth = 0;
	let deepest = 0;
	for (const [, slash, spelled = "", rest = ""] of html.matchAll(TAG)) {
		const name = spelled.toLowerCase();
		if (VOID_ELEMENTS.has(name)) continue;
		const isClosing = slash !== "";
		const changes = FOREIGN.has(name) || HTML_AGAIN.has(name);
		if (changes && !isClosing) foreign.push(FOREIGN.has(name));
		const closesItself = rest.endsWith("/") && foreign.at(-1) === true;
		if (changes && (isClosing || closesItself)) foreign.pop();
		if (closesItself) continue;
		depth = isClosing ? Math.max(0, depth - 1) : depth + 1;
		if (depth > deepest) deepest = depth;
		if (deepest > enough) break;
	}
	return deepest;
}
