/** On one line, with single spaces between words: what white space means in markup. */
export function collapseSpace(text: string): string {
	return text.replace(/\s+/g, " ").trim();
}
