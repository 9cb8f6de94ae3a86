import type { Surroundings } from "../config/read-surroundings.ts";
import { createRedact } from "../delegation/redact.ts";
import { createRunIndex, type RunIndex } from "../runs/create-run-index.ts";
import { readRunDetail } from "../runs/read-run-detail.ts";
import type { RunDetail } from "../runs/transcript.ts";
import { type BatchQuery, type BatchView, readBatchView } from "./read-batch-view.ts";
import { type BatchLine, createBatchList } from "./read-batches.ts";
import { type RunPage, type RunQuery, selectRunPage } from "./select-run-page.ts";
import { type Spending, sumSpending } from "./sum-spending.ts";

/** Everything the page shows, as data. Lists are lean and paged; details are read when asked for; texts are redacted. */
export interface ViewData {
	readonly index: RunIndex;
	runs(query: RunQuery): RunPage;
	run(runId: string): RunDetail | undefined;
	batches(): Promise<readonly BatchLine[]>;
	batch(id: string, query: BatchQuery): Promise<BatchView | undefined>;
	spending(): Spending;
}

export function createViewData(surroundings: Surroundings): ViewData {
	const { agentDirectory } = surroundings;
	const index = createRunIndex(agentDirectory);
	const listBatches = createBatchList(agentDirectory);
	// Created for each answer: keys change, and what it remembers would only grow.
	const redact = () => createRedact(surroundings);
	return {
		index,
		runs(query) {
			index.refresh();
			return selectRunPage(index.runs(), query);
		},
		run: (runId) => readRunDetail(surroundings, runId, { index, redact: redact() }),
		batches: () => listBatches(redact()),
		async batch(id, query) {
			index.refresh();
			return readBatchView(agentDirectory, id, { query, redact: redact(), runs: index.runs() });
		},
		spending() {
			index.refresh();
			return sumSpending(index.runs());
		},
	};
}
