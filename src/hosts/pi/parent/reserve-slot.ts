import type { Slots } from "../../../delegation/create-slots.ts";

/**
 * Takes a place in the queue now, for a run that will ask for it later. Runs differ in how long they prepare;
 * without this the order of the queue would be the order of preparation, not that of the calls.
 */
export function reserveSlot(
	slots: Slots,
	signal: AbortSignal,
): { readonly slots: Slots; release(): Promise<void> } {
	let isFree = false;
	const reservation = slots.take({ signal }).then((giveBack) => {
		isFree = true;
		return giveBack;
	});
	return {
		slots: {
			take({ onWait }) {
				if (!isFree) onWait?.();
				return reservation;
			},
		},
		// Giving a slot back twice is harmless: a run that took it has already done so.
		async release() {
			(await reservation)?.();
		},
	};
}
