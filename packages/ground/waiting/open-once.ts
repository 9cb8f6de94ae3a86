export interface Once<Value> {
	(): Promise<Value>;
	/** What an earlier call opened; undefined without one. */
	opened(): Promise<Value> | undefined;
}

/** Opens on the first call and gives every caller the same. A failure is not kept: the next call tries again. */
export function openOnce<Value>(open: () => Promise<Value>): Once<Value> {
	let opened: Promise<Value> | undefined;
	const once = (): Promise<Value> => {
		opened ??= open().catch((error: unknown) => {
			opened = undefined;
			throw error;
		});
		return opened;
	};
	return Object.assign(once, { opened: () => opened });
}
