/**
 * Many ordinary requests at a time, or one that shows the server something else than what is on disk. An
 * exclusive one waits for the ordinary ones before it, and ordinary ones wait for it.
 */
export interface Gate {
	readonly shared: <Value>(work: () => Promise<Value>) => Promise<Value>;
	readonly exclusive: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

export function createGate(): Gate {
	let lastExclusive: Promise<unknown> = Promise.resolve();
	const running = new Set<Promise<unknown>>();

	async function shared<Value>(work: () => Promise<Value>): Promise<Value> {
		await lastExclusive;
		const task = work();
		const settled = task.catch(() => undefined);
		running.add(settled);
		try {
			return await task;
		} finally {
			running.delete(settled);
		}
	}

	function exclusive<Value>(work: () => Promise<Value>): Promise<Value> {
		const before = [lastExclusive, ...running];
		const task = Promise.all(before).then(work);
		lastExclusive = task.catch(() => undefined);
		return task;
	}
	return { shared, exclusive };
}
