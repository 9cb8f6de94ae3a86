const WORD = /[\p{L}\p{N}_$]+/gu;
const MAX_WORD_CHARS = 64;

/** Words, and the parts of names such as registerTool or max_bytes, so that either way of asking finds them. */
export function tokenize(text: string): string[] {
	const words: string[] = [];
	for (const [word] of text.matchAll(WORD)) {
		if (word.length > MAX_WORD_CHARS) continue;
		words.push(word);
		const parts = splitName(word);
		if (parts.length > 1) words.push(...parts);
	}
	return words;
}

function splitName(word: string): string[] {
	if (!/[a-z][A-Z]|_/.test(word)) return [];
	return word
		.replace(/([a-z0-9])([A-Z])/g, "$1 $2")
		.split(/[\s_$]+/)
		.filter((part) => part.length > 1);
}
