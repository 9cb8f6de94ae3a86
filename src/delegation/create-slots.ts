/** How many children of one host run at the same time. The rest wait in the order they came. */
export interface Slots {
	/** Resolves with the function that gives the slot back, or undefined when the wait was aborted. */
	take(options: {
		readonly signal?: AbortSignal;
		readonly onWait?: () => void;
	}): Promise<(() => void) | undefined>;
}

export function createSlots(maxConcurrency: number): Slots {
	let used = 0;
	const waiting: (() => void)[] = [];
	const giveBack = (): void => {
		used -= 1;
		waiting.shift()?.();
	};
	const occupy = (): (() => void) => {
		used += 1;
		let given = false;
		return () => {
			if (!given) giveBack();
			given = true;
		};
	};
	return {
		take({ signal, onWait }) {
			if (signal?.aborted) return Promise.resolve(undefined);
			if (used < maxConcurrency) return Promise.resolve(occupy());
			onWait?.();
			return new Promise((resolve) => {
				const start = (): void => {
					signal?.removeEventListener("abort", leave);
					resolve(occupy());
				};
				const leave = (): void => {
					waiting.splice(waiting.indexOf(start), 1);
					resolve(undefined);
				};
				waiting.push(start);
				signal?.addEventListener("abort", leave, { once: true });
			});
		},
	};
}
