const VOID_ELEMENTS = new Set(
	"area base br col embed hr img input link meta param source track wbr p li dt dd tr td th option".split(
		" ",
	),
);

/**
 * The deepest nesting of tags, counted without building anything. Pages nested tens of thousands of levels deep
 * make tree walkers take minutes and then overflow their stack, so they must be told before they are parsed.
 * Elements that authors commonly leave open are not counted.
 */
export function scanNesting(html: string, enough: number): number {
	let depth = 0;
	let deepest = 0;
	let position = html.indexOf("<");
	while (position !== -1 && deepest < enough) {
		const closing = html[position + 1] === "/";
		const name = readTagName(html, position + (closing ? 2 : 1));
		if (name !== "" && !VOID_ELEMENTS.has(name)) {
			depth = closing ? Math.max(0, depth - 1) : depth + 1;
			deepest = Math.max(deepest, depth);
		}
		position = html.indexOf("<", position + 1);
	}
	return deepest;
}

function readTagName(html: string, start: number): string {
	let end = start;
	while (end < html.length && end - start < 32 && isNameCharacter(html.charCodeAt(end))) end += 1;
	return html.slice(start, end).toLowerCase();
}

function isNameCharacter(code: number): boolean {
	return (
		(code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 45
	);
}
