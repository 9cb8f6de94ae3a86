import { join } from "node:path";
import type { Layer } from "./layer.ts";
import { listTouched, type Touched } from "./list-touched.ts";

const LOOK_EVERY_MS = 2000;

interface LayerWatch {
	readonly maxBytes: number;
	/** Called once. */
	readonly onTooLarge: (bytes: number) => void;
	/** At every look, for a layer; a copy has all files of the project in it. */
	readonly onTouched?: (touched: Touched) => void;
}

/** Looks at what a child writes, and calls back when that is more than it may. Ends with the function that it returns. */
export function watchLayer(
	{ state, isolation }: Layer,
	{ maxBytes, onTooLarge, onTouched }: LayerWatch,
): () => void {
	const written = join(state, isolation === "layer" ? "upper" : "copy");
	const first = isolation === "layer" ? 0 : listTouched(written).bytes;
	const timer = setInterval(() => {
		const touched = listTouched(written);
		const bytes = touched.bytes - first;
		if (bytes <= maxBytes) return isolation === "layer" ? onTouched?.(touched) : undefined;
		clearInterval(timer);
		onTooLarge(bytes);
	}, LOOK_EVERY_MS);
	timer.unref();
	return () => clearInterval(timer);
}
