/** Opens on the first call and gives every caller the same. A failure is not kept: the next call tries again. */
export function openOnce<Value>(open: () => Promise<Value>): () => Promise<Value> {
	let opened: Promise<Value> | undefined;
	return () => {
		opened ??= open().catch((error: unknown) => {
			opened = undefined;
			throw error;
		});
		return opened;
	};
}
