/**
 * Keeps the beginning of a text that is too long. The result has at most `maxChars` characters, the mark included,
 * and no half of a surrogate pair. A mark made by a function may come on top: it says how much is missing.
 */
export function cutText(
	text: string,
	maxChars: number,
	mark: string | ((missingChars: number) => string) = "…",
): string {
	if (text.length <= maxChars) return text;
	if (typeof mark === "function") return head(text, maxChars) + mark(text.length - maxChars);
	return head(text, Math.max(0, maxChars - mark.length)) + mark;
}

/** The same, ended before the word that does not fit: half a key is not recognized as one any more. */
export function cutBetweenWords(text: string, maxChars: number): string {
	if (text.length <= maxChars) return text;
	return `${text.slice(0, maxChars).replace(/[^\s"'`,;:{}()[\]<>]*$/, "")}…`;
}

function head(text: string, chars: number): string {
	const last = text.charCodeAt(chars - 1);
	return text.slice(0, last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars);
}
