import { join } from "node:path";
import { formatMebibytes, sleep } from "@deputize/ground";
import type { Layer } from "./layer.ts";
import { listTouched, MAX_ENTRIES } from "./list-touched.ts";

const LOOK_EVERY_MS = 2000;
const MEBIBYTE = 1024 * 1024;

/** Calls back once, with why, when a child has written more than it may. Ends with the function that it returns. */
export function watchLayerSize(
	{ state, isolation }: Layer,
	maxMb: number,
	onTooLarge: (why: string) => void,
): () => void {
	const written = join(state, isolation === "layer" ? "upper" : "copy");
	const ended = new AbortController();
	const watch = async (): Promise<void> => {
		// What a copy begins with is not written by the child.
		const first = isolation === "layer" ? 0 : (await listTouched(written)).bytes;
		while (await sleep(LOOK_EVERY_MS, ended.signal)) {
			const { bytes, isCut } = await listTouched(written);
			if (ended.signal.aborted || (!isCut && bytes - first <= maxMb * MEBIBYTE)) continue;
			ended.abort();
			onTooLarge(
				isCut
					? `it made ${MAX_ENTRIES} files and directories`
					: `it wrote ${formatMebibytes(bytes - first)}, and subagents.maxLayerMb allows ${maxMb} MB`,
			);
		}
	};
	void watch();
	return () => ended.abort();
}
