import { join } from "node:path";
import { formatMebibytes, sleep } from "@deputize/ground";
import type { Layer } from "./layer.ts";
import { listTouched, MAX_ENTRIES, type Touched } from "./list-touched.ts";

const LOOK_EVERY_MS = 2000;
const MEBIBYTE = 1024 * 1024;

interface LayerWatch {
	readonly maxMb: number;
	/** Called once, with why. */
	readonly onTooLarge: (why: string) => void;
	/** At every look, for a layer; a copy has all files of the project in it. */
	readonly onTouched?: (touched: Touched) => void;
}

/** Looks at what a child writes, and calls back when that is more than it may. Ends with the function that it returns. */
export function watchLayer(
	{ state, isolation }: Layer,
	{ maxMb, onTooLarge, onTouched }: LayerWatch,
): () => void {
	const written = join(state, isolation === "layer" ? "upper" : "copy");
	const ended = new AbortController();
	const watch = async (): Promise<void> => {
		// What a copy begins with is not written by the child.
		const first =
			isolation === "layer" ? 0 : ((await listTouched(written).catch(() => undefined))?.bytes ?? 0);
		while (await sleep(LOOK_EVERY_MS, ended.signal)) {
			// One that fails now, as where too many files are open, says nothing; the next one may.
			const touched = await listTouched(written).catch(() => undefined);
			if (ended.signal.aborted) return;
			if (touched === undefined) continue;
			const why = checkSize({ ...touched, bytes: touched.bytes - first }, maxMb);
			if (why !== undefined) return onTooLarge(why);
			if (isolation === "layer") onTouched?.(touched);
		}
	};
	void watch();
	return () => ended.abort();
}

function checkSize({ bytes, isCut }: Touched, maxMb: number): string | undefined {
	if (isCut) return `it made ${MAX_ENTRIES} files and directories`;
	if (bytes <= maxMb * MEBIBYTE) return undefined;
	return `it wrote ${formatMebibytes(bytes)}, and subagents.maxLayerMb allows ${maxMb} MB`;
}
