import { BatchError } from "./batch-error.ts";
import { nameBatchFiles } from "./batch-files.ts";
import { type ControlWord, writeControl } from "./batch-state.ts";
import { readBatchStatus } from "./read-batch-status.ts";

const DONE = { pause: "Paused", resume: "Resumed", cancel: "Cancelled" } as const;

/**
 * Pauses, resumes or cancels a batch: through the process that collects it, and on a queue directly when there is none.
 * Returns what was done, for a person.
 */
export async function controlBatch(
	word: ControlWord,
	output: string,
	queue: string | undefined,
): Promise<string> {
	const status = await readBatchStatus(output);
	if (status.process !== undefined) {
		writeControl(nameBatchFiles(output), word);
		return `Asked process ${status.process.pid} to ${word}.`;
	}
	if (status.state.lane === "embedded") {
		throw new BatchError(`The batch of ${output} is not running. Run its command again to continue it.`);
	}
	const { controlQueuedBatch } = await import("./queue/control-queued-batch.ts");
	await controlQueuedBatch(word, status.state, queue);
	return `${DONE[word]} on every worker.`;
}
