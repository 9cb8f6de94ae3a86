import { serveWorkerJobs } from "../../../process/serve-worker-jobs.ts";
import { readIndexFile, writeIndexFile } from "./index-file.ts";
import { createLocalIndex, type LocalHit, type LocalIndex } from "./local-index.ts";

export interface LocalSearchJob {
	readonly root: string;
	readonly indexFile: string;
	readonly query: string;
	readonly count: number;
}

export interface LocalSearchAnswer {
	readonly hits: readonly LocalHit[];
	readonly files: number;
	readonly isPartial: boolean;
}

function createSearch(): (job: LocalSearchJob) => Promise<LocalSearchAnswer> {
	// One project at a time: a host that changes its directory must not keep every index it ever used.
	let open: { readonly root: string; readonly index: LocalIndex } | undefined;
	return async ({ root, indexFile, query, count }) => {
		if (open?.root !== root)
			open = { root, index: createLocalIndex(root, await readIndexFile(indexFile, root)) };
		const { index } = open;
		const { changed, ...extent } = await index.refresh();
		if (changed > 0) await writeIndexFile(indexFile, root, index.toState());
		return { ...extent, hits: await index.search(query, count) };
	};
}

serveWorkerJobs(createSearch());
