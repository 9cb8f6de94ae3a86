import { locateEntryPoint } from "../../../entry-points.ts";
import { heavyWork } from "../../../process/heavy-work.ts";
import { createWorkerRunner } from "../../../process/run-in-worker.ts";
import { WebError } from "../web-error.ts";
import type { ConvertedPage } from "./convert-page.ts";
import type { PageJob } from "./page-worker.ts";

/** A 700 KB reference page takes about two seconds of an idle machine. */
const DEADLINE_MS = 30_000;
const PLAIN_DEADLINE_MS = 20_000;
const MAX_HEAP_MB = 512;
const IDLE_MS = 30_000;
const MAX_THREADS = 2;

const EXPLANATIONS = {
	deadline: "The page took too long to convert.",
	memory: "The page needs too much memory to convert.",
	crashed: "The page could not be converted.",
} as const;

export type PageConverter = (html: string, url: string, signal: AbortSignal) => Promise<ConvertedPage>;

/**
 * HTML to Markdown in a separate thread, so that no page can stall or exhaust the host. A page that is too slow
 * or too large for that still gives its text, which takes one pass over its characters.
 */
export function createPageConverter(deadlineMs: number = DEADLINE_MS): PageConverter {
	const runner = createWorkerRunner<PageJob, ConvertedPage>({
		file: locateEntryPoint("page-worker"),
		maxHeapMb: MAX_HEAP_MB,
		idleMs: IDLE_MS,
		maxThreads: MAX_THREADS,
	});
	async function convert(html: string, url: string, signal: AbortSignal): Promise<ConvertedPage> {
		const outcome = await runner.run({ html, url }, { signal, deadlineMs });
		if (outcome.ok) return outcome.value;
		if (outcome.reason === "aborted") throw new WebError("ABORTED", outcome.message);
		const plainBecause = `${EXPLANATIONS[outcome.reason]} This is its text only, without structure.`;
		const plain = await runner.run({ html, url, plainBecause }, { signal, deadlineMs: PLAIN_DEADLINE_MS });
		if (plain.ok) return plain.value;
		if (plain.reason === "aborted") throw new WebError("ABORTED", plain.message);
		throw new WebError("CONTENT_FETCH_FAILED", `${url}: ${EXPLANATIONS[plain.reason]} ${plain.message}`);
	}

	return async (html, url, signal) => {
		const leave = await heavyWork().take({ signal });
		if (!leave) throw new WebError("ABORTED", "The call was cancelled.");
		try {
			return await convert(html, url, signal);
		} finally {
			leave();
		}
	};
}
