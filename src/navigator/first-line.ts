const MAX_CHARS = 200;

/** What a line of an answer can take of a text that may be long. */
export function firstLine(text: string): string {
	return (text.split("\n", 1)[0] ?? "").slice(0, MAX_CHARS).toWellFormed();
}
