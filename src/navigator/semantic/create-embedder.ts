import { join } from "node:path";
import type { Embedder } from "@deputize/navigator";
import { locateEntryPoint } from "../../entry-points.ts";
import { locatePart } from "../../parts/locate-part.ts";
import { SEMANTIC_PACKAGE } from "../../parts/part-rows.ts";
import { createWorkerRunner } from "../../process/run-in-worker.ts";
import type { EmbedJob } from "./embed-worker.ts";

const DEADLINE_MS = 30_000;
const IDLE_MS = 60_000;
/** The model itself is outside of this. */
const MAX_HEAP_MB = 192;

/** Undefined where the part is not installed. */
export function findEmbedder(agentDirectory: string | undefined): Embedder | undefined {
	const located = locatePart("semantic", { agentDirectory });
	return located && createEmbedder(join(located.modules, SEMANTIC_PACKAGE));
}

/** `directory` is that of the package with the model. Nothing is loaded before the first text. */
export function createEmbedder(directory: string): Embedder {
	const runner = createWorkerRunner<EmbedJob, readonly Float32Array[]>({
		file: locateEntryPoint("embed-worker"),
		maxHeapMb: MAX_HEAP_MB,
		idleMs: IDLE_MS,
		// Each thread has a model of its own, 200 MB: opening a second one takes about as long as half of the texts.
		maxThreads: 1,
	});
	return {
		async embed(texts, signal = new AbortController().signal) {
			const outcome = await runner.run({ directory, texts }, { signal, deadlineMs: DEADLINE_MS });
			if (!outcome.ok) throw new Error(outcome.message);
			return outcome.value;
		},
	};
}
