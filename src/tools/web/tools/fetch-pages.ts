import type { ToolContext } from "../../../contract/tool.ts";
import type { WebSession } from "../open-web-session.ts";
import type { NewDocument } from "../store/stored-response.ts";
import { WebError } from "../web-error.ts";
import { isSameUrl } from "./is-same-url.ts";
import type { FetchContentInput } from "./parse-web-input.ts";

type FetchPagesOptions = Pick<FetchContentInput, "preferReader" | "raw">;

/** Fetches addresses side by side. What goes wrong with one is in its own document and nowhere else. */
export async function fetchPages(
	urls: readonly string[],
	options: FetchPagesOptions,
	session: WebSession,
	context: ToolContext,
): Promise<NewDocument[]> {
	let done = 0;
	return await session.mapLimited(urls, async (url) => {
		const document = await fetchOne(url, options, session, context);
		done += 1;
		context.onProgress?.(`${done} of ${urls.length} fetched`);
		return document;
	});
}

async function fetchOne(
	url: string,
	{ preferReader = false, raw = false }: FetchPagesOptions,
	session: WebSession,
	context: ToolContext,
): Promise<NewDocument> {
	try {
		const { finalUrl, ...page } = await session.limit.run(
			() => session.fetchPage(url, { preferReader, raw, signal: context.signal }),
			{
				signal: context.signal,
				onWait: (ahead) => context.onProgress?.(`waiting for a free connection, ${ahead} before this one`),
			},
		);
		return isSameUrl(url, finalUrl) ? page : { ...page, finalUrl };
	} catch (error) {
		if (!(error instanceof WebError) || error.code === "ABORTED") throw error;
		return { url, title: "", error: { code: error.code, message: error.message } };
	}
}
