import type { BatchFiles } from "./batch-files.ts";
import type { BatchOptions } from "./batch-options.ts";
import type { PreparedTasks } from "./build-batch-tasks.ts";

/** What a lane is opened for. */
export interface LaneInput {
	readonly options: BatchOptions;
	readonly files: BatchFiles | undefined;
	readonly prepared: PreparedTasks;
}
