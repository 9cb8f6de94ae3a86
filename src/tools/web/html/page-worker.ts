import { serveWorkerJobs } from "../../../process/serve-worker-jobs.ts";
import { type ConvertedPage, convertPage, toPlainPage } from "./convert-page.ts";

export interface PageJob {
	readonly html: string;
	readonly url: string;
	/** Give the text only, for this reason. */
	readonly plainBecause?: string;
}

async function runPageJob({ html, url, plainBecause }: PageJob): Promise<ConvertedPage> {
	return plainBecause === undefined ? await convertPage(html, url) : toPlainPage(html, plainBecause);
}

serveWorkerJobs(runPageJob);
