import { openOnce } from "@deputize/ground";
import { DEFAULT_CONFIG } from "../../contract/config.ts";
import type { HostNeutralTool, ToolOutcome } from "../../contract/tool.ts";
import {
	FETCH_CONTENT,
	GET_SEARCH_CONTENT,
	SCRAPE_WEBPAGE,
	SEARCH_WEB,
	type ToolDescription,
	WEB_SEARCH,
} from "./tools/describe-tools.ts";
import { runWebCall, type WebCall, type WebParts } from "./tools/run-web-call.ts";
import type { WebSessionOptions, WebToolsOptions } from "./web-tools-options.ts";

/** For the loop runtime, whose tools keep nothing between calls. */
export type LoopWebToolsOptions = Pick<WebSessionOptions, "env"> & Partial<WebSessionOptions>;

/**
 * `web_search`, `fetch_content` and `get_search_content`. Everything that costs time to load is loaded by the
 * first call of a tool that needs it.
 */
export function createWebTools(options: WebToolsOptions): readonly HostNeutralTool[] {
	const openStore = openOnce(async () => {
		const { createResponseStore } = await import("./store/create-response-store.ts");
		const directory = options.storeDirectory;
		if (options.storesRoot) void sweepOthers(options.storesRoot, directory);
		return createResponseStore({
			directory,
			maxResponses: options.config.maxStoredResults,
			maxTextChars: options.config.maxStoredContentChars,
		});
	});
	const parts = { ...openParts(options), openStore };
	return [
		toTool(WEB_SEARCH, runSearch, parts),
		toTool(FETCH_CONTENT, runFetch, parts),
		toTool(
			GET_SEARCH_CONTENT,
			async ({ input }) => {
				const { runGetSearchContent } = await import("./tools/run-get-search-content.ts");
				return await runGetSearchContent(input, await openStore(), options.config.maxContentChars);
			},
			parts,
		),
	];
}

async function sweepOthers(storesRoot: string, keep: string): Promise<void> {
	const { sweepStores } = await import("./store/sweep-stores.ts");
	await sweepStores(storesRoot, { keep });
}

/** `search_web` and `scrape_webpage`: the same code under the loop runtime's names, without a store. */
export function createLoopWebTools(given: LoopWebToolsOptions): readonly HostNeutralTool[] {
	const parts = openParts({ config: DEFAULT_CONFIG.web, home: given.env["HOME"] ?? "/", ...given });
	return [toTool(SEARCH_WEB, runSearch, parts), toTool(SCRAPE_WEBPAGE, runFetch, parts)];
}

function openParts(options: WebSessionOptions): WebParts {
	return {
		openSession: openOnce(async () => (await import("./open-web-session.ts")).openWebSession(options)),
	};
}

type RunCall = (call: WebCall) => Promise<ToolOutcome>;

const runSearch: RunCall = async (call) => (await import("./tools/run-web-search.ts")).runWebSearch(call);

const runFetch: RunCall = async (call) =>
	(await import("./tools/run-fetch-content.ts")).runFetchContent(call);

function toTool(description: ToolDescription, run: RunCall, parts: WebParts): HostNeutralTool {
	const { parameters } = description;
	return {
		...description,
		execute: (input, context) => runWebCall(() => run({ ...parts, input, parameters, context }), context),
	};
}
