import type { SafeClient } from "../safe-fetch.ts";

export const READER_ENDPOINT = "https://r.jina.ai/";

/** Asks a hosted reader, which runs a page's scripts, for the page's text. Undefined when it gives nothing usable. */
export async function readWithReader(
	url: string,
	options: {
		readonly client: SafeClient;
		readonly endpoint: string;
		readonly key: string;
		readonly timeoutMs: number;
		readonly maxBytes: number;
		readonly signal: AbortSignal;
	},
): Promise<string | undefined> {
	const answer = await options.client.fetchBytes(`${options.endpoint}${url}`, {
		signal: options.signal,
		timeoutMs: options.timeoutMs,
		maxBytes: options.maxBytes,
		onOversize: "truncate",
		redirects: "refuse",
		headers: {
			accept: "text/plain",
			...(options.key === "" ? {} : { authorization: `Bearer ${options.key}` }),
		},
	});
	if (!answer.ok) return undefined;
	const text = new TextDecoder().decode(answer.bytes).trim();
	return text === "" ? undefined : text;
}
