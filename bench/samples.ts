// What benches say of their samples. Those that are no numbers, because something failed, do not count.

export function sortSamples(values: readonly number[]): readonly number[] {
	return values.filter(Number.isFinite).sort((left, right) => left - right);
}

export function median(values: readonly number[]): number {
	const sorted = sortSamples(values);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}
