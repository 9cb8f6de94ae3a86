import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { LLMock } from "@copilotkit/aimock";

/** What the scripted model says in one turn. */
export interface ScriptedTurn {
	readonly text?: string;
	readonly calls?: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
	readonly usage?: { readonly input: number; readonly output: number };
	/** An HTTP error instead of an answer. */
	readonly error?: { readonly status: number; readonly message: string };
	/** Wait before answering. */
	readonly latencyMs?: number;
}

export interface ScriptedProvider {
	readonly baseUrl: string;
	/** Bodies of all requests that were answered so far, as text. */
	requests(): readonly string[];
	/** How many requests have come, answered or not. */
	asked(): number;
	close(): Promise<void>;
}

export const APIS = {
	"openai-completions": "/v1",
	"openai-responses": "/v1",
	"anthropic-messages": "",
} as const;
export type ApiName = keyof typeof APIS;

/** Of a long answer; short ones come in one piece. */
const CHUNK_CHARS = 64 * 1024;

/** A provider on loopback that answers each request with the next turn of the script. */
export async function startScriptedProvider(
	turns: readonly ScriptedTurn[],
	api: ApiName = "openai-completions",
): Promise<ScriptedProvider> {
	const mock = new LLMock({ port: 0, latency: 0, chunkSize: CHUNK_CHARS });
	let next = 0;
	mock.on({}, async () => {
		const turn = turns[next++] ?? { error: { status: 400, message: "the script is over" } };
		if (turn.latencyMs) await setTimeout(turn.latencyMs, undefined, { ref: false });
		return toResponse(turn, api);
	});
	const target = await mock.start();
	const named = api === "openai-responses" ? await startNaming(target) : undefined;
	const url = named?.url ?? target;
	return {
		baseUrl: `${url}${APIS[api]}`,
		requests: () => mock.getRequests().map((entry) => JSON.stringify(entry.body)),
		asked: () => next,
		close: async () => {
			named?.close();
			await mock.stop();
		},
	};
}

/** Codex knows a tool of a server by its name and a namespace, which the mock does not have: `mcp__server__tool` becomes both. */
async function startNaming(target: string): Promise<{ readonly url: string; close(): void }> {
	// The mock stops only when nobody waits for it any more.
	const closed = new AbortController();
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { host: _, "content-length": __, ...headers } = request.headers;
		try {
			const answer = await fetch(`${target}${request.url}`, {
				method: request.method ?? "POST",
				headers: headers as Record<string, string>,
				signal: closed.signal,
				...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
			});
			const text = await answer.text();
			const {
				"content-length": ___,
				"transfer-encoding": ____,
				...told
			} = Object.fromEntries(answer.headers);
			response.writeHead(answer.status, told);
			response.end(text.replace(/"name":"(mcp__\w+?)__(\w+)"/g, '"name":"$2","namespace":"$1"'));
		} catch {
			response.destroy();
		}
	});
	server.on("error", () => undefined);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		close() {
			closed.abort();
			server.close();
			server.closeAllConnections();
		},
	};
}

function toResponse(turn: ScriptedTurn, api: ApiName): never {
	if (turn.error) {
		return {
			error: { message: turn.error.message, type: "invalid_request_error" },
			status: turn.error.status,
		} as never;
	}
	const usage = turn.usage ?? { input: 10, output: 5 };
	const names =
		api === "openai-completions" ? ["prompt_tokens", "completion_tokens"] : ["input_tokens", "output_tokens"];
	return {
		...(turn.text === undefined ? {} : { content: turn.text }),
		...(turn.calls
			? { toolCalls: turn.calls.map((call) => ({ name: call.name, arguments: JSON.stringify(call.args) })) }
			: {}),
		usage: { [names[0]!]: usage.input, [names[1]!]: usage.output },
	} as never;
}

/** pi's models.json for the provider above. */
export function modelsFile(provider: ScriptedProvider, api: ApiName = "openai-completions"): string {
	return JSON.stringify({
		providers: {
			scripted: {
				baseUrl: provider.baseUrl,
				api,
				apiKey: "scripted-key-not-secret",
				models: [
					{
						id: "model",
						name: "Scripted",
						reasoning: false,
						input: ["text"],
						contextWindow: 200_000,
						maxTokens: 8000,
						cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
					},
				],
			},
		},
	});
}

export const SCRIPTED_MODEL = "scripted/model";

/**
 * Names the model and says that it exists, as a host that is an agent does: otherwise each delegation starts a pi of its
 * own to ask for its models. The command line's tests let it ask.
 */
export const SCRIPTED = { model: SCRIPTED_MODEL, host: { listModels: () => [SCRIPTED_MODEL] } } as const;

export const finalize = (result: string): ScriptedTurn => ({
	calls: [{ name: "subagent_finalize", args: { status: "SUCCESS", result } }],
});
