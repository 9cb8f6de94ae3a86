import type { OpenedLayer } from "./open-layer.ts";
import { removeLayer } from "./remove-layer.ts";

/** For a layer that was opened to be thrown away, with everything in it. */
export function discardLayer({ state, lock }: OpenedLayer): void {
	lock.release();
	removeLayer(state);
}
