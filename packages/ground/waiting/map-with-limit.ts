/** Runs `work` over all items, at most `limit` at once, and keeps the order of the results. */
export async function mapWithLimit<Item, Value>(
	items: readonly Item[],
	limit: number,
	work: (item: Item, index: number) => Promise<Value>,
): Promise<Value[]> {
	const results: Value[] = new Array(items.length);
	let next = 0;
	async function drain(): Promise<void> {
		while (next < items.length) {
			const index = next;
			next += 1;
			results[index] = await work(items[index] as Item, index);
		}
	}
	await Promise.all(Array.from({ length: Math.min(Math.max(1, limit), items.length) }, drain));
	return results;
}
