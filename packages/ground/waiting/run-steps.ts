/** A computation that can be interrupted after each of its steps. One that gives a promise goes on when it is kept. */
export type Steps<Result> = Generator<undefined | Promise<unknown>, Result, void>;

/** After this time, whatever else waits for the thread has its turn. */
const TURN_MS = 15;

/** A long computation that keeps nobody waiting: timers, signals and streams are served between its steps. */
export async function runSteps<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result> {
	signal?.throwIfAborted();
	let begunAt = performance.now();
	for (;;) {
		const { done, value } = steps.next();
		if (done === true) return value;
		if (value !== undefined) await value;
		if (performance.now() - begunAt < TURN_MS) continue;
		// Not of a module of Node: the page has this file too.
		await new Promise<void>((resolve) => setImmediate(resolve));
		signal?.throwIfAborted();
		begunAt = performance.now();
	}
}

/** The same without a pause, for steps that give no promises. */
export function finishSteps<Result>(steps: Steps<Result>): Result {
	for (;;) {
		const { done, value } = steps.next();
		if (done === true) return value;
		if (value !== undefined) throw new Error("These steps have to be waited for.");
	}
}

export function* mapSteps<Item, Result>(
	items: Iterable<Item>,
	work: (item: Item) => Result,
): Steps<Result[]> {
	const results: Result[] = [];
	for (const item of items) {
		results.push(work(item));
		yield;
	}
	return results;
}
