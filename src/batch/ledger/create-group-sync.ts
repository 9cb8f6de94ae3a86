/**
 * One sync for everything that was written before it began. A disk takes milliseconds for each; tasks that end at
 * the same time share one.
 */
export function createGroupSync(sync: () => Promise<void>): () => Promise<void> {
	let current: Promise<void> | undefined;
	let next: Promise<void> | undefined;
	return () => {
		next ??= (current ?? Promise.resolve())
			// Whoever waited for the earlier one heard of its failure.
			.catch(() => undefined)
			.then(() => {
				current = next;
				next = undefined;
				return sync();
			});
		return next;
	};
}
