import type { Touched } from "../changes/list-touched.ts";
import type { OpenedLayer } from "../changes/open-layer.ts";
import { peekChanges } from "../changes/peek-changes.ts";
import type { StreamingDisplay } from "../contract/result.ts";
import type { Redact } from "./redact.ts";

/** A card names the first of them. */
const MAX_NAMED = 8;

/** What a child in a layer has changed so far, for whoever watches it. Nothing depends on it: where it cannot be told, it is left out. */
export function createSoFar(redact: Pick<Redact, "text">) {
	let layer: OpenedLayer | undefined;
	let newest: StreamingDisplay["layer"];
	let isLooking = false;
	let notify = (): void => undefined;
	const look = async (opened: OpenedLayer, touched: Touched): Promise<void> => {
		const changed = await peekChanges(opened, touched);
		const files = (changed ?? []).map((file) => ({ ...file, path: redact.text(file.path) }));
		const before = JSON.stringify(newest);
		newest = {
			isolation: opened.isolation,
			files: files.slice(0, MAX_NAMED),
			more: changed === undefined ? touched.paths.size : Math.max(0, files.length - MAX_NAMED),
		};
		if (JSON.stringify(newest) !== before) notify();
	};
	return {
		follow(opened: OpenedLayer): void {
			layer = opened;
			newest = { isolation: opened.isolation, files: [], more: 0 };
		},
		note(touched: Touched): void {
			if (isLooking || layer === undefined) return;
			isLooking = true;
			look(layer, touched)
				.catch(() => undefined)
				.finally(() => {
					isLooking = false;
				});
		},
		/** Undefined before the layer is open. */
		read: (): StreamingDisplay["layer"] => newest,
		onChange(listener: () => void): void {
			notify = listener;
		},
	};
}
