/** A letter forgotten, doubled or changed. */
const MAX_TYPOS = 2;

/** The known word that was probably meant; undefined when none is near. */
export function findNearWord(word: string, known: readonly string[]): string | undefined {
	const find = (shorten: (candidate: string) => string): string | undefined =>
		known.find((candidate) => isNear(word, shorten(candidate)));
	// `--timeout` is `--timeout-ms`.
	return find((candidate) => candidate) ?? find((candidate) => candidate.replace(/(?<=\w)-.*/s, ""));
}

function isNear(word: string, known: string): boolean {
	const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, "");
	const sorted = (text: string): string => [...letters(text)].sort().join("");
	return (
		sorted(word) === sorted(known) ||
		countEdits(letters(word), letters(known)) <= Math.min(MAX_TYPOS, known.length / 4)
	);
}

/** Levenshtein's distance. The words are names that somebody typed, and short. */
function countEdits(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i += 1) {
		const next = [i];
		for (let j = 1; j <= b.length; j += 1) {
			const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
		}
		row = next;
	}
	return row[b.length] ?? 0;
}
