import { randomUUID } from "node:crypto";
import { readSurroundings } from "../config/read-surroundings.ts";
import { noteBatch } from "../journal/known-batches.ts";
import { BatchError } from "./batch-error.ts";
import { readBatchState, writeBatchState } from "./batch-state.ts";
import { createEmbeddedLane } from "./create-embedded-lane.ts";
import { createTaskRunner } from "./create-task-runner.ts";
import type { Lane } from "./lane.ts";
import type { LaneInput } from "./lane-input.ts";

/** The lane of a batch. The queue's code and its packages are loaded only when there is a queue. */
export async function openLane(input: LaneInput): Promise<Lane> {
	const { options, files, prepared } = input;
	const earlier = files && readBatchState(files);
	const id = earlier?.id ?? randomUUID();
	// Tasks that are no delegations have no place among the user's runs.
	if (files && options.execute === undefined) {
		const { agentDirectory } = readSurroundings(options.delegate?.env);
		noteBatch(agentDirectory, { id, output: files.output, time: new Date().toISOString() });
	}
	if (options.queue === undefined) {
		const total = prepared.tasks.length;
		if (files) writeBatchState(files, { ...earlier, version: 1, id, lane: "embedded", total });
		const { delegate = {}, maxUsdPerTask, execute } = options;
		const runner = createTaskRunner({ delegate: { ...delegate, batch: id }, maxUsdPerTask, execute });
		return createEmbeddedLane(runner, options);
	}
	if (files === undefined)
		throw new BatchError("A batch on a queue needs an output file: results must survive this process.");
	const { openQueueLane } = await import("./queue/open-queue-lane.ts");
	return openQueueLane({ ...input, files, id, earlier, queue: options.queue });
}
