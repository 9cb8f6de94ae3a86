/** Escapes text that is already JSON: outside of strings JSON has no other characters to escape. */
export function escapeNonAscii(json: string): string {
	return json.replace(
		/[\u007f-\uffff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}

/**
 * In ASCII only. Every byte of a stream is then a whole character, and line separators that some languages split on
 * (U+2028, U+0085) cannot appear inside a line.
 */
export function renderSseEvent(event: string, data: unknown): string {
	return `event: ${event}\ndata: ${escapeNonAscii(JSON.stringify(data))}\n\n`;
}
