/** Headings are larger than the body by at least this. */
const LARGER = 1.12;

/**
 * The sizes that headings are set in, largest first: those larger than the body's, which is the size of most letters.
 * `texts` are sizes with a number of letters each.
 */
export function rankHeadingSizes(texts: Iterable<readonly [size: number, letters: number]>): number[] {
	const letters = new Map<number, number>();
	for (const [size, count] of texts) letters.set(size, (letters.get(size) ?? 0) + count);
	const [body] = [...letters].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0]);
	return [...letters.keys()]
		.filter((size) => size > 0 && size >= body * LARGER)
		.sort((one, other) => other - one);
}
