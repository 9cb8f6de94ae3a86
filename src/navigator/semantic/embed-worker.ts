import { openOnce } from "@deputize/ground";
import { type EmbedTexts, openModel } from "@deputize/navigator";
import { serveWorkerJobs } from "../../process/serve-worker-jobs.ts";

export interface EmbedJob {
	/** Of the package with the model. */
	readonly directory: string;
	readonly texts: readonly string[];
}

/** Every job of this thread has the same directory. */
function createEmbedding(): (job: EmbedJob) => Promise<readonly Float32Array[]> {
	let open: (() => Promise<EmbedTexts>) | undefined;
	return async ({ directory, texts }) => {
		open ??= openOnce(() => openModel(directory));
		return await (await open())(texts);
	};
}

serveWorkerJobs(createEmbedding());
