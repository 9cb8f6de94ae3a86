/** `a%20b` as `a b`. What is not encoded correctly stays as it is. */
export function decodePercent(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
