/** What a run of text looks like, whatever the format of the document. */
export interface Emphasis {
	readonly code?: boolean;
	readonly strike?: boolean;
	readonly italic?: boolean;
	readonly bold?: boolean;
}

/** Blanks get no tags: emphasis around nothing would show up as stray asterisks. */
export function emphasize(html: string, { code, strike, italic, bold }: Emphasis): string {
	if (html.trim() === "") return html;
	const coded = code ? `<code>${html}</code>` : html;
	const struck = strike ? `<s>${coded}</s>` : coded;
	const leaning = italic ? `<em>${struck}</em>` : struck;
	return bold ? `<strong>${leaning}</strong>` : leaning;
}
