/** The last line that is not empty: where programs say what went wrong. */
export function lastLine(text: string): string {
	return text.trimEnd().split("\n").at(-1) ?? "";
}
