import { DEFAULT_CONFIG, type WebConfig } from "../../contract/config.ts";
import type { Environment } from "../../contract/environment.ts";
import type { HostNeutralTool, JsonSchema, ToolContext } from "../../contract/tool.ts";
import { openOnce } from "../../waiting/open-once.ts";
import type { WebSession } from "./open-web-session.ts";
import { type PlannedProvider, planProviders } from "./search/plan-providers.ts";
import type { ResponseStore } from "./store/create-response-store.ts";
import {
	FETCH_CONTENT,
	GET_SEARCH_CONTENT,
	SCRAPE_WEBPAGE,
	SEARCH_WEB,
	type ToolDescription,
	WEB_SEARCH,
} from "./tools/describe-tools.ts";
import { type FinishedCall, runWebCall } from "./tools/run-web-call.ts";
import type { WebSessionOptions, WebToolsOptions } from "./web-tools-options.ts";

/** For the loop runtime, whose tools keep nothing between calls. */
export type LoopWebToolsOptions = Pick<WebSessionOptions, "env"> & Partial<WebSessionOptions>;

/**
 * `web_search`, `fetch_content` and `get_search_content`. Everything that costs time to load is loaded by the
 * first call of a tool that needs it.
 */
export function createWebTools(options: WebToolsOptions): readonly HostNeutralTool[] {
	const openSession = openOnce(async () => (await import("./open-web-session.ts")).openWebSession(options));
	const openStore = openOnce(async () => {
		const { createResponseStore } = await import("./store/create-response-store.ts");
		const directory = options.storeDirectory;
		if (options.storesRoot) void sweepOthers(options.storesRoot, directory);
		return createResponseStore({
			directory,
			maxResponses: options.config.maxStoredResults,
			maxTextChars: options.config.maxStoredContentChars,
			now: options.now ?? Date.now,
		});
	});
	return [
		toTool(WEB_SEARCH, (input, context) => searchWith(openSession, input, context, openStore)),
		toTool(FETCH_CONTENT, (input, context) => fetchWith(openSession, input, context, openStore)),
		toTool(GET_SEARCH_CONTENT, async (input) => {
			const { runGetSearchContent } = await import("./tools/run-get-search-content.ts");
			return await runGetSearchContent(input, await openStore(), options.config.maxContentChars);
		}),
	];
}

async function sweepOthers(storesRoot: string, keep: string): Promise<void> {
	const { sweepStores } = await import("./store/sweep-stores.ts");
	await sweepStores(storesRoot, { keep });
}

/** `search_web` and `scrape_webpage`: the same code under the loop runtime's names, without a store. */
export function createLoopWebTools(given: LoopWebToolsOptions): readonly HostNeutralTool[] {
	const options: WebSessionOptions = { config: DEFAULT_CONFIG.web, home: given.env["HOME"] ?? "/", ...given };
	const openSession = openOnce(async () => (await import("./open-web-session.ts")).openWebSession(options));
	return [
		toTool(SEARCH_WEB, (input, context) =>
			searchWith(openSession, input, context, undefined, SEARCH_WEB.parameters),
		),
		toTool(SCRAPE_WEBPAGE, (input, context) =>
			fetchWith(openSession, input, context, undefined, SCRAPE_WEBPAGE.parameters),
		),
	];
}

/** Which provider would answer and why; from the configuration alone, nothing is contacted. */
export function describeSearchProviders(config: WebConfig, env: Environment): readonly PlannedProvider[] {
	return planProviders(config, env);
}

type OpenStore = () => Promise<ResponseStore>;

async function searchWith(
	openSession: () => Promise<WebSession>,
	input: unknown,
	context: ToolContext,
	openStore?: OpenStore,
	parameters?: JsonSchema,
): Promise<FinishedCall> {
	const { runWebSearch } = await import("./tools/run-web-search.ts");
	const { parseWebSearchInput } = await import("./tools/parse-tool-input.ts");
	const request = parseWebSearchInput(input, parameters);
	return await runWebSearch(request, await openSession(), await openStore?.(), context);
}

async function fetchWith(
	openSession: () => Promise<WebSession>,
	input: unknown,
	context: ToolContext,
	openStore?: OpenStore,
	parameters?: JsonSchema,
): Promise<FinishedCall> {
	const { runFetchContent } = await import("./tools/run-fetch-content.ts");
	const { parseFetchContentInput } = await import("./tools/parse-tool-input.ts");
	const request = parseFetchContentInput(input, parameters);
	return await runFetchContent(request, await openSession(), await openStore?.(), context);
}

function toTool(
	description: ToolDescription,
	work: (input: unknown, context: ToolContext) => Promise<FinishedCall>,
): HostNeutralTool {
	return {
		...description,
		execute: (input, context) => runWebCall(() => work(input, context), context),
	};
}
