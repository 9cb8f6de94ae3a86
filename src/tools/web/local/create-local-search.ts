import { realpath } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Environment, fingerprint } from "@deputize/ground";
import { locateEntryPoint } from "../../../entry-points.ts";
import { createWorkerRunner } from "../../../process/run-in-worker.ts";
import type { SearchHit } from "../search/search-provider.ts";
import { WebError } from "../web-error.ts";
import type { LocalHit } from "./local-index.ts";
import type { LocalSearchAnswer, LocalSearchJob, SearchRules } from "./local-search-worker.ts";

/** Building the index of a large project for the first time takes seconds; a loaded machine needs far longer. */
const DEADLINE_MS = 120_000;
const MAX_HEAP_MB = 1024;
const IDLE_MS = 60_000;
const SNIPPET_CHARS = 300;

interface LocalSearchOutcome extends Omit<LocalSearchAnswer, "hits"> {
	readonly hits: readonly SearchHit[];
}

type LocalSearch = (
	query: string,
	options: { readonly root: string; readonly count: number; readonly signal: AbortSignal },
) => Promise<LocalSearchOutcome>;

/** Searches the documentation of a project and of its installed packages, without a key and without the network. */
export function createLocalSearch(cacheDirectory: string, rules: SearchRules): LocalSearch {
	const runner = createWorkerRunner<LocalSearchJob, LocalSearchAnswer>({
		file: locateEntryPoint("local-search-worker"),
		maxHeapMb: MAX_HEAP_MB,
		idleMs: IDLE_MS,
		// One index in memory, and one writer of its file.
		maxThreads: 1,
	});
	return async (query, { root, count, signal }) => {
		const realRoot = await realpath(root).catch(() => {
			throw new WebError("WEB_SEARCH_FAILED", `local: the directory ${root} cannot be read.`);
		});
		const indexFile = join(cacheDirectory, `${fingerprint(JSON.stringify([realRoot, rules]), 24)}.gz`);
		const outcome = await runner.run(
			{ root: realRoot, rules, indexFile, query, count },
			{ signal, deadlineMs: DEADLINE_MS },
		);
		if (outcome.ok)
			return { ...outcome.value, hits: outcome.value.hits.map((hit) => toSearchHit(hit, realRoot, query)) };
		if (outcome.reason === "aborted") throw new WebError("ABORTED", outcome.message);
		const code = outcome.reason === "deadline" ? "WEB_SEARCH_TIMEOUT" : "WEB_SEARCH_FAILED";
		throw new WebError(
			code,
			`local: the documentation of ${realRoot} could not be searched. ${outcome.message}`,
		);
	};
}

/** Shared by all sessions of a user, because the index belongs to the project. */
export function chooseCacheDirectory(env: Environment, home: string): string {
	const declared = env["XDG_CACHE_HOME"] ?? "";
	return join(isAbsolute(declared) ? declared : join(home, ".cache"), "deputize", "local-search");
}

function toSearchHit(hit: LocalHit, root: string, query: string): SearchHit {
	const url = pathToFileURL(join(root, hit.path));
	url.hash = `L${hit.line}`;
	const name = hit.packageName === "" ? hit.path : `${hit.packageName} — ${hit.path}`;
	return {
		title: hit.heading === "" ? name : `${hit.heading} (${name})`,
		url: url.href,
		snippet: chooseSnippet(hit.text, query),
		source: "local",
		content: hit.text,
	};
}

/** The stretch of text around the first word of the query that occurs in it. */
function chooseSnippet(text: string, query: string): string {
	const line = text.replace(/\s+/g, " ");
	const lower = line.toLowerCase();
	const words = query
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter((word) => word.length > 2);
	const positions = words.map((word) => lower.indexOf(word)).filter((position) => position >= 0);
	const start = positions.length === 0 ? 0 : Math.max(0, Math.min(...positions) - 60);
	return line.slice(start, start + SNIPPET_CHARS).trim();
}
