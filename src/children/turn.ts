import type { Slots } from "@deputize/ground";

/**
 * A call's place among those that may run, taken when the call arrives: calls differ in how long they prepare, and without
 * this their order would be that of preparation.
 */
export class Turn {
	readonly #granted: Promise<(() => void) | undefined>;
	readonly #onLeave: () => void;
	#isQueued = false;
	#hasLeft = false;

	constructor(slots: Slots | undefined, signal: AbortSignal | undefined, onLeave: () => void) {
		this.#onLeave = onLeave;
		const onWait = (): void => {
			this.#isQueued = true;
		};
		const granted = slots ? slots.take({ signal, onWait }) : Promise.resolve(() => undefined);
		this.#granted = granted.finally(() => {
			this.#isQueued = false;
		});
	}

	/** Resolves when it has come: false when the wait was cancelled. */
	async wait(onWait: () => void): Promise<boolean> {
		if (this.#isQueued) onWait();
		return (await this.#granted) !== undefined;
	}

	/** Idempotent. */
	leave(): void {
		if (this.#hasLeft) return;
		this.#hasLeft = true;
		void this.#granted.then((giveBack) => giveBack?.());
		this.#onLeave();
	}
}
