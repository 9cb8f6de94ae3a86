const SKIPPED = ["script", "style", "noscript", "template", "svg", "head"];
const BREAKING = new Set(
	"p div br li tr h1 h2 h3 h4 h5 h6 pre section article table ul ol dl dt dd blockquote hr main".split(" "),
);
const ENTITIES: Readonly<Record<string, string>> = {
	amp: "&",
	lt: "<",
	gt: ">",
	quot: '"',
	apos: "'",
	nbsp: " ",
	ndash: "–",
	mdash: "—",
	hellip: "…",
	copy: "©",
};

/**
 * The words of a page in one pass over its characters, without a tree. For pages that are too deep, too large or
 * too slow for the real conversion: structure is lost, text is not.
 */
export function renderPlainText(html: string): string {
	const lower = html.toLowerCase();
	const parts: string[] = [];
	let position = 0;
	while (position < html.length) {
		const open = html.indexOf("<", position);
		if (open === -1) {
			parts.push(html.slice(position));
			break;
		}
		parts.push(html.slice(position, open));
		const tag = readTag(html, lower, open);
		if (tag.breaks) parts.push("\n");
		position = tag.end;
	}
	return tidyLines(decodeEntities(parts.join("")));
}

function readTag(html: string, lower: string, open: number): { end: number; breaks: boolean } {
	if (lower.startsWith("<!--", open)) return { end: endAfter(html, "-->", open + 4), breaks: false };
	const name = /^<\/?([a-z][a-z0-9]{0,15})/.exec(lower.slice(open, open + 20))?.[1];
	// A lone "<" in text is text.
	if (name === undefined && !/^<[/!?]/.test(lower.slice(open, open + 2)))
		return { end: open + 1, breaks: false };
	if (name !== undefined && SKIPPED.includes(name) && lower[open + 1] !== "/")
		return { end: endAfter(lower, `</${name}`, open), breaks: true };
	return { end: endAfter(html, ">", open), breaks: name !== undefined && BREAKING.has(name) };
}

function endAfter(text: string, mark: string, from: number): number {
	const found = text.indexOf(mark, from);
	return found === -1 ? text.length : found + mark.length;
}

export function decodeEntities(text: string): string {
	return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, (whole, hex, decimal, name) => {
		if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
		const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
		return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
			? String.fromCodePoint(code)
			: whole;
	});
}

function tidyLines(text: string): string {
	const lines: string[] = [];
	for (const line of text.split("\n")) {
		const tidy = line.replace(/[\t\f\r ]+/g, " ").trim();
		if (tidy !== "" || lines.at(-1) !== "") lines.push(tidy);
	}
	return lines.join("\n").trim();
}
