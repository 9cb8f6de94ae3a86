const NOTE =
	/<(?:aside|li|div)\b(?=[^<>]*\s(?:epub:type="(?:foot|end|rear)note"|role="doc-(?:foot|end)note"))[^<>]*?\sid="([\w-]+)"/gi;
const NAME_OR_TARGET = /\s(id="|href="#)([\w-]+)"/gi;
/** The number at the start of a note, a link back to its reference. */
const NUMBER_IN_NOTE =
	/(id="footnote-[\w-]+"[^<>]*>(?:<(?!a\b|sup\b)[^<>]*>){0,4})(?:<sup>)?<a\b[^<>]*>[^<>]*<\/a>(?:<\/sup>)?/g;

/** EPUB 3 and the ARIA roles of documents say what a note is; the shared rules know notes by their ids. */
export function markNotes(html: string): string {
	const ids = new Set(Array.from(html.matchAll(NOTE), (match) => match[1] ?? ""));
	if (ids.size === 0) return html;
	return html
		.replace(NAME_OR_TARGET, (whole, attribute: string, id: string) =>
			ids.has(id) ? ` ${attribute}footnote-${id}"` : whole,
		)
		.replace(NUMBER_IN_NOTE, "$1");
}
