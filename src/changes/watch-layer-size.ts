import { join } from "node:path";
import type { Layer } from "./layer.ts";
import { listTouched } from "./list-touched.ts";

const LOOK_EVERY_MS = 2000;

/** Calls back once when a child has written more than it may. Ends with the function that it returns. */
export function watchLayerSize(
	{ state, isolation }: Layer,
	maxBytes: number,
	onTooLarge: (bytes: number) => void,
): () => void {
	const written = join(state, isolation === "layer" ? "upper" : "copy");
	const first = isolation === "layer" ? 0 : listTouched(written).bytes;
	const timer = setInterval(() => {
		const bytes = listTouched(written).bytes - first;
		if (bytes <= maxBytes) return;
		clearInterval(timer);
		onTooLarge(bytes);
	}, LOOK_EVERY_MS);
	timer.unref();
	return () => clearInterval(timer);
}
