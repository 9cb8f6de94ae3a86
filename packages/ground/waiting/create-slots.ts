/** How many things run at the same time. The rest wait by rank, and in the order they came. */
export interface Slots {
	/** Resolves with the function that gives the slot back, or undefined when the wait was aborted. */
	take(options?: TakeSlotOptions): Promise<(() => void) | undefined>;
	/** Slots in use. */
	readonly running: () => number;
	readonly waiting: () => number;
}

export interface TakeSlotOptions {
	readonly signal?: AbortSignal | undefined;
	/** Whoever has a higher one is next; 0 when not given. */
	readonly rank?: number | undefined;
	/** Called once when the caller has to wait, with how many are waiting before it. */
	readonly onWait?: ((ahead: number) => void) | undefined;
}

export function createSlots(maxConcurrency: number): Slots {
	const limit = Math.max(1, maxConcurrency);
	const waiting: { readonly rank: number; enter(): void }[] = [];
	let running = 0;

	function occupy(): () => void {
		running += 1;
		let isGivenBack = false;
		return () => {
			if (isGivenBack) return;
			isGivenBack = true;
			running -= 1;
			waiting.shift()?.enter();
		};
	}

	function take({ signal, rank = 0, onWait }: TakeSlotOptions = {}): Promise<(() => void) | undefined> {
		if (signal?.aborted) return Promise.resolve(undefined);
		if (running < limit) return Promise.resolve(occupy());
		onWait?.(waiting.length);
		return new Promise((resolve) => {
			const place = {
				rank,
				enter(): void {
					signal?.removeEventListener("abort", leave);
					resolve(occupy());
				},
			};
			const leave = (): void => {
				waiting.splice(waiting.indexOf(place), 1);
				resolve(undefined);
			};
			const behind = waiting.findIndex((other) => other.rank < rank);
			waiting.splice(behind === -1 ? waiting.length : behind, 0, place);
			signal?.addEventListener("abort", leave, { once: true });
		});
	}

	return { take, running: () => running, waiting: () => waiting.length };
}

/** A slot of each, in this order; undefined when the wait was aborted. */
export async function takeAll(
	all: readonly Slots[],
	options: TakeSlotOptions,
): Promise<(() => void) | undefined> {
	const taken: (() => void)[] = [];
	const giveBack = (): void => {
		for (const one of taken) one();
	};
	for (const slots of all) {
		const one = await slots.take(options);
		if (one === undefined) {
			giveBack();
			return undefined;
		}
		taken.push(one);
	}
	return giveBack;
}
