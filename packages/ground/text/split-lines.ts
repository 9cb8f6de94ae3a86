/** The lines of a text. A line feed at its end ends the last line and begins no other. */
export function splitLines(text: string): readonly string[] {
	const lines = text.split("\n");
	return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
