/** Without splitting: of a large text only the number of its lines is needed. A line feed at the end begins one more. */
export function countLines(text: string): number {
	let lines = 1;
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
	return lines;
}
