import type { Slots } from "@deputize/ground";

/**
 * Takes a place in the queue now, for a run that will ask for it later. Runs differ in how long they prepare;
 * without this the order of the queue would be the order of preparation, not that of the calls.
 */
export function reserveSlot(
	slots: Slots,
	signal: AbortSignal,
): { readonly slots: Slots; release(): Promise<void> } {
	let isWaiting = false;
	const taken = slots.take({
		signal,
		onWait: () => {
			isWaiting = true;
		},
	});
	const reservation = taken.finally(() => {
		isWaiting = false;
	});
	return {
		slots: {
			...slots,
			take({ onWait } = {}) {
				if (isWaiting) onWait?.(slots.waiting() - 1);
				return reservation;
			},
		},
		// Giving a slot back twice is harmless: a run that took it has already done so.
		async release() {
			(await reservation)?.();
		},
	};
}
