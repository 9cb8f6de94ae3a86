import { createJudge, type JudgeOptions } from "../../../judge/create-judge.ts";
import { serveWorkerJobs } from "../../../process/serve-worker-jobs.ts";
import { readIndexFile, writeIndexFile } from "./index-file.ts";
import { createLocalIndex, type LocalHit, type LocalIndex } from "./local-index.ts";

/** Which files may be opened, apart from where the search begins. */
export type SearchRules = Omit<JudgeOptions, "cwd">;

export interface LocalSearchJob {
	readonly root: string;
	readonly rules: SearchRules;
	/** Another one for other rules. */
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
	let open: { readonly indexFile: string; readonly index: LocalIndex } | undefined;
	return async ({ root, rules, indexFile, query, count }) => {
		if (open?.indexFile !== indexFile) {
			const judge = createJudge({ ...rules, cwd: root });
			open = { indexFile, index: createLocalIndex(root, judge, await readIndexFile(indexFile, root)) };
		}
		const { index } = open;
		const { changed, ...extent } = await index.refresh();
		if (changed > 0) await writeIndexFile(indexFile, root, index.toState());
		return { ...extent, hits: index.search(query, count) };
	};
}

serveWorkerJobs(createSearch());
