/**
 * Escapes only what would change the meaning of the text as Markdown. Turndown's own rules turn every `is_file`
 * into `is\_file`, which a model then copies into code.
 * Angle brackets stay: `Promise<string>` is meant to be read, not rendered.
 */
export function escapeMarkdown(text: string): string {
	return escapeLineStarts(escapeInlineMarkdown(text));
}

export function escapeInlineMarkdown(text: string): string {
	return text
		.replace(/`/g, "\\`")
		.replace(/\*(?=\S)/g, "\\*")
		.replace(/(^|[^\p{L}\p{N}_])_(?=[\p{L}\p{N}])/gu, "$1\\_")
		.replace(/\](?=\()/g, "\\]");
}

/** What would become a heading, a list, a quotation or a rule at the start of a line. */
export function escapeLineStarts(text: string): string {
	return text
		.replace(/^(\s*)(#{1,6}|[-+>])(?=\s)/gm, "$1\\$2")
		.replace(/^(\s*\d{1,9})([.)])(?=\s)/gm, "$1\\$2")
		.replace(/^(\s*)(={3,}|-{3,}|~{3,})/gm, "$1\\$2");
}
