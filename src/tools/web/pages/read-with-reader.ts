import type { FetchOptions } from "../net/fetch-outcome.ts";
import type { SafeClient } from "../safe-fetch.ts";

export const READER_ENDPOINT = "https://r.jina.ai/";

/** Asks a hosted reader, which runs a page's scripts, for the page's text. Undefined when it gives nothing usable. */
export async function readWithReader(
	url: string,
	reader: { readonly client: SafeClient; readonly endpoint: string; readonly key: string },
	limits: Pick<FetchOptions, "timeoutMs" | "maxBytes" | "signal">,
): Promise<string | undefined> {
	const { client, endpoint, key } = reader;
	const answer = await client.fetchBytes(`${endpoint}${url}`, {
		...limits,
		onOversize: "truncate",
		redirects: "refuse",
		headers: { accept: "text/plain", ...(key && { authorization: `Bearer ${key}` }) },
	});
	if (!answer.ok) return undefined;
	const text = new TextDecoder().decode(answer.bytes).trim();
	return text === "" ? undefined : text;
}
