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
	/** Files read because they were new or had changed; 0 when the kept index was up to date. */
	readonly changed: number;
	readonly isPartial: boolean;
}

function createSearch(): (job: LocalSearchJob) => Promise<LocalSearchAnswer> {
	const open = new Map<string, LocalIndex>();
	return async (job) => {
		const index =
			open.get(job.root) ?? createLocalIndex(job.root, await readIndexFile(job.indexFile, job.root));
		// One project at a time: a host that changes its directory must not keep every index it ever used.
		open.clear();
		open.set(job.root, index);
		const refreshed = await index.refresh();
		if (refreshed.changed > 0) await writeIndexFile(job.indexFile, job.root, index.toState());
		return { ...refreshed, hits: await index.search(job.query, job.count) };
	};
}

serveWorkerJobs(createSearch());
