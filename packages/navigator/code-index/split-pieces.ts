/** Cuts a word into pieces of a word list, the longest first. None when the list does not make up the whole word. */
export function splitPieces(
	pieces: ReadonlyMap<string, number>,
	word: string,
	limits: { readonly maxPieces: number; readonly maxChars: number },
): number[] {
	if (word.length > limits.maxChars) return [];
	const found: number[] = [];
	let start = 0;
	while (start < word.length && found.length < limits.maxPieces) {
		let end = word.length;
		let piece: number | undefined;
		while (end > start && piece === undefined) {
			piece = pieces.get((start > 0 ? "##" : "") + word.slice(start, end));
			if (piece === undefined) end -= 1;
		}
		if (piece === undefined) return [];
		found.push(piece);
		start = end;
	}
	return found;
}
