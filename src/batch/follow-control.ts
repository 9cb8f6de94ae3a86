import type { BatchFiles } from "./batch-files.ts";
import { BATCH_LIMITS } from "./batch-limits.ts";
import { type ControlWord, clearControl, readControl } from "./batch-state.ts";

/** Looks for the words of `batch pause`, `resume` and `cancel`. Returns the function that ends it. */
export function followControl(files: BatchFiles, onChange: (word: ControlWord) => void): () => void {
	clearControl(files);
	let known: ControlWord | undefined;
	const timer = setInterval(() => {
		const word = readControl(files);
		if (word !== undefined && word !== known) onChange(word);
		known = word;
	}, BATCH_LIMITS.controlPollMs);
	return () => {
		clearInterval(timer);
		clearControl(files);
	};
}
