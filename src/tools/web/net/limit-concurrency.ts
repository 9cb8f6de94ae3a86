import { WebError } from "../web-error.ts";

export interface ConcurrencyLimit {
	/** Waits for a place, runs, and gives the place on. Refuses with QUEUE_FULL rather than waiting without end. */
	run<Value>(work: () => Promise<Value>, options: RunOptions): Promise<Value>;
}

export interface RunOptions {
	readonly signal: AbortSignal;
	/** Called once when the work has to wait, with how many wait before it. */
	readonly onWait?: (ahead: number) => void;
}

export function createConcurrencyLimit(limits: {
	readonly maxConcurrent: number;
	readonly maxQueueSize: number;
}): ConcurrencyLimit {
	const maxConcurrent = Math.max(1, limits.maxConcurrent);
	const waiting: (() => void)[] = [];
	let running = 0;

	function waitForPlace({ signal, onWait }: RunOptions): Promise<void> {
		onWait?.(waiting.length);
		return new Promise((resolve, reject) => {
			const enter = () => {
				signal.removeEventListener("abort", leave);
				resolve();
			};
			const leave = () => {
				waiting.splice(waiting.indexOf(enter), 1);
				reject(new WebError("ABORTED", "The call was cancelled while it waited for a free connection."));
			};
			waiting.push(enter);
			signal.addEventListener("abort", leave, { once: true });
		});
	}

	async function run<Value>(work: () => Promise<Value>, options: RunOptions): Promise<Value> {
		if (options.signal.aborted) throw new WebError("ABORTED", "The call was cancelled.");
		if (running >= maxConcurrent) {
			if (waiting.length >= limits.maxQueueSize) throw queueFull(running, waiting.length);
			// The place is handed over by the one who leaves, so `running` stays as it is.
			await waitForPlace(options);
		} else running += 1;
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else running -= 1;
		}
	}

	return { run };
}

function queueFull(running: number, waiting: number): WebError {
	return new WebError(
		"QUEUE_FULL",
		`${running} web requests are running and ${waiting} are waiting, which is the limit. Try again when some are done, or raise web.concurrency.`,
	);
}

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
