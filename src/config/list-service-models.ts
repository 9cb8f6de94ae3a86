import { asList, asObject, asText, messageOf, parseJson, toOneLine } from "@deputize/ground";
import type { LoopProviderName } from "../contract/loop-providers.ts";
import { toModelList } from "../contract/to-endpoint.ts";

const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_NAME_CHARS = 200;
/** Models that cannot answer. */
const NOT_FOR_ANSWERS = /embed|rerank|whisper|tts|moderation/i;

/** What a service says that it serves, or why it did not say. */
export type ServedModels = readonly string[] | { readonly problem: string };

interface ServiceAddress {
	readonly provider: LoopProviderName;
	/** Where its models are asked. */
	readonly url: string;
	readonly headers?: Readonly<Record<string, string>>;
}

/** Whether asking is cheap, and stays on this machine. */
export function isLoopback(url: string): boolean {
	return /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname);
}

/** Asks the service itself, at the address that its models would be asked at. */
export async function listServiceModels(
	{ provider, url, headers }: ServiceAddress,
	key: string,
	timeoutMs: number,
): Promise<ServedModels> {
	if (provider === "vertexai-anthropic") return { problem: "it has no list; name a model" };
	const address = toModelList(url);
	const login =
		provider === "anthropic"
			? { "anthropic-version": "2023-06-01", ...(key && { "x-api-key": key }) }
			: { ...(key && { authorization: `Bearer ${key}` }) };
	try {
		const signal = AbortSignal.timeout(timeoutMs);
		// Another address must not get the key.
		const reply = await fetch(address, { headers: { ...headers, ...login }, redirect: "error", signal });
		if (!reply.ok) return { problem: `${address} answered ${reply.status}` };
		const names = parseModelNames(parseJson(await readListText(reply)));
		return names ?? { problem: `${address} is not a list of models` };
	} catch (error) {
		const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
		return { problem: `${address} does not answer (${messageOf(cause)})` };
	}
}

/** OpenAI's list, which Anthropic's and those of local servers look like, and Ollama's older one. */
function parseModelNames(body: unknown): readonly string[] | undefined {
	const { data, models } = asObject(body);
	if (!Array.isArray(data) && !Array.isArray(models)) return undefined;
	const names = asList(Array.isArray(data) ? data : models).map((entry) => {
		const { id, name } = asObject(entry);
		return asText(id) || asText(name);
	});
	// Names are shown in messages and typed again: one line, and not a long one.
	const isName = (name: string): boolean =>
		name !== "" && name.length <= MAX_NAME_CHARS && toOneLine(name) === name;
	return names.filter((name) => isName(name) && !NOT_FOR_ANSWERS.test(name));
}

async function readListText(reply: Response): Promise<string> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of reply.body ?? []) {
		chunks.push(chunk);
		bytes += chunk.length;
		if (bytes > MAX_LIST_BYTES) throw new Error(`more than ${MAX_LIST_BYTES} bytes`);
	}
	return Buffer.concat(chunks).toString("utf8");
}
