import type { PanelKey } from "./panel.ts";

/** Two letters of a word come faster than this, and a key that is held repeats faster. */
const SOONEST_MS = 300;
const LATEST_MS = 5000;

/**
 * Stops a run, or does something else that cannot be taken back, when it is pressed twice, with nothing else in between and not in a hurry: whoever types a message where
 * none is taken must not stop an agent with a letter of it.
 */
export function createStopKey(
	now: () => number = Date.now,
	what = "stop",
): (id: string, stop: () => void) => PanelKey {
	let pressed: { readonly id: string; readonly at: number } | undefined;
	return (id, stop) => {
		const readAge = (): number => (pressed?.id === id ? now() - pressed.at : Number.POSITIVE_INFINITY);
		return {
			key: "x",
			label: readAge() < LATEST_MS ? `x again to ${what} it` : `x ${what} it`,
			press() {
				const age = readAge();
				if (age >= LATEST_MS) pressed = { id, at: now() };
				else if (age >= SOONEST_MS) {
					pressed = undefined;
					stop();
				}
			},
			release() {
				pressed = undefined;
			},
		};
	};
}
