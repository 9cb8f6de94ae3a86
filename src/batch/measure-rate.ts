/** So many of the newest results say how fast a batch is now. */
const NEWEST = 200;
/** Fewer say nothing. */
const FEWEST = 3;

/** Results in a minute, lately; undefined when that cannot be told. Takes the times of all results, in any order. */
export function measureRate(finishedAt: Iterable<number>, now: number): number | undefined {
	let newest: number[] = [];
	const keepNewest = (): void => {
		newest = newest.sort((left, right) => right - left).slice(0, NEWEST);
	};
	for (const time of finishedAt) {
		// Lines of older versions do not say, and the clock of another machine may be ahead.
		if (time > 0 && time <= now) newest.push(time);
		if (newest.length >= 2 * NEWEST) keepNewest();
	}
	keepNewest();
	const since = newest.at(-1);
	if (newest.length < FEWEST || since === undefined || since === now) return undefined;
	return (newest.length * 60_000) / (now - since);
}
