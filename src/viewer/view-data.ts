import { runSteps } from "@deputize/ground";
import type { Surroundings } from "../config/read-surroundings.ts";
import { createRedact } from "../delegation/redact.ts";
import { readDailySums } from "../journal/daily-sums.ts";
import { createRunIndex } from "../runs/create-run-index.ts";
import { readRunDetail } from "../runs/read-run-detail.ts";
import { type BatchQuery, readBatchView } from "./read-batch-view.ts";
import { createBatchList } from "./read-batches.ts";
import { type RunQuery, selectRunPage } from "./select-run-page.ts";
import { sumSpending } from "./sum-spending.ts";

export type ViewData = ReturnType<typeof createViewData>;

/** Everything the page shows, as data. Lists are lean and paged; details are read when asked for; texts are redacted. */
export function createViewData(surroundings: Surroundings) {
	const { agentDirectory } = surroundings;
	const index = createRunIndex(agentDirectory);
	const listBatches = createBatchList(agentDirectory);
	// Created for each answer: keys change, and what it remembers would only grow.
	const redact = () => createRedact(surroundings);
	return {
		index,
		runs(query: RunQuery) {
			index.refresh();
			return selectRunPage(index.runs(), query);
		},
		run: (runId: string) => runSteps(readRunDetail(surroundings, runId, { index, redact: redact() })),
		batches: () => listBatches(redact()),
		async batch(id: string, query: BatchQuery) {
			index.refresh();
			return readBatchView(agentDirectory, id, { query, redact: redact(), runs: index.runs() });
		},
		spending() {
			index.refresh();
			return sumSpending(index.runs(), readDailySums(agentDirectory));
		},
	};
}
