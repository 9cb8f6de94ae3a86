import { randomUUID } from "node:crypto";
import { defined } from "@deputize/ground";
import { readSurroundings } from "../config/read-surroundings.ts";
import { noteBatch } from "../journal/known-batches.ts";
import { BatchError } from "./batch-error.ts";
import { type BatchState, readBatchState, writeBatchState } from "./batch-state.ts";
import { createEmbeddedLane } from "./create-embedded-lane.ts";
import { createTaskRunner } from "./create-task-runner.ts";
import type { Lane } from "./lane.ts";
import type { LaneInput } from "./lane-input.ts";

/** The lane of a batch. The queue's code and its packages are loaded only when there is a queue. */
export async function openLane(input: LaneInput): Promise<Lane> {
	const { options, files, prepared } = input;
	const earlier = files && readBatchState(files);
	const state = toBatchState(input, earlier);
	const { id } = state;
	// Tasks that are no delegations have no place among the user's runs.
	if (files && options.execute === undefined) {
		const { agentDirectory } = readSurroundings(options.delegate?.env);
		noteBatch(agentDirectory, { id, output: files.output, time: new Date().toISOString() });
	}
	if (options.queue === undefined) {
		if (files) writeBatchState(files, state);
		const runner = createTaskRunner({
			...options,
			delegate: { ...options.delegate, batch: id },
			changes: files === undefined ? "kept-here" : "handed-over",
			isRepeatable: (name) => prepared.agents.get(name)?.mayWrite !== true,
		});
		return createEmbeddedLane(runner, options);
	}
	if (files === undefined)
		throw new BatchError("A batch on a queue needs an output file: results must survive this process.");
	const { openQueueLane } = await import("./queue/open-queue-lane.ts");
	return openQueueLane({ ...input, files, state, queue: options.queue });
}

/** The batch as it is from now on; what it has spent stays with it. */
function toBatchState({ options, prepared }: LaneInput, earlier: BatchState | undefined): BatchState {
	const { queue: _, ...kept } = earlier ?? {};
	const models = [...prepared.agents.values()].flatMap(({ model }) => model ?? []);
	return {
		id: randomUUID(),
		startedAt: new Date().toISOString(),
		...kept,
		version: 1,
		lane: options.queue === undefined ? "embedded" : "queue",
		total: prepared.tasks.size(),
		about: {
			...defined({ template: options.template }),
			agents: [...prepared.agents.keys()],
			models: [...new Set(models)],
		},
	};
}
