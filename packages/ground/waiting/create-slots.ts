/** How many things run at the same time. The rest wait in the order they came. */
export interface Slots {
	/** Resolves with the function that gives the slot back, or undefined when the wait was aborted. */
	take(options?: TakeSlotOptions): Promise<(() => void) | undefined>;
	/** Slots in use. */
	readonly running: () => number;
	readonly waiting: () => number;
}

export interface TakeSlotOptions {
	readonly signal?: AbortSignal | undefined;
	/** Called once when the caller has to wait, with how many are waiting before it. */
	readonly onWait?: ((ahead: number) => void) | undefined;
}

export function createSlots(maxConcurrency: number): Slots {
	const limit = Math.max(1, maxConcurrency);
	const waiting: (() => void)[] = [];
	let running = 0;

	function occupy(): () => void {
		running += 1;
		let isGivenBack = false;
		return () => {
			if (isGivenBack) return;
			isGivenBack = true;
			running -= 1;
			waiting.shift()?.();
		};
	}

	function take({ signal, onWait }: TakeSlotOptions = {}): Promise<(() => void) | undefined> {
		if (signal?.aborted) return Promise.resolve(undefined);
		if (running < limit) return Promise.resolve(occupy());
		onWait?.(waiting.length);
		return new Promise((resolve) => {
			const enter = (): void => {
				signal?.removeEventListener("abort", leave);
				resolve(occupy());
			};
			const leave = (): void => {
				waiting.splice(waiting.indexOf(enter), 1);
				resolve(undefined);
			};
			waiting.push(enter);
			signal?.addEventListener("abort", leave, { once: true });
		});
	}

	return { take, running: () => running, waiting: () => waiting.length };
}
