import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../../../contract/environment.ts";

/** pi-ai's `streamSimple`, as far as it is needed. A version of pi without it has nothing to rehearse with. */
export type StreamModel = (
	model: object,
	context: object,
	options: { readonly apiKey: string; readonly maxRetries: number; readonly signal: AbortSignal },
) => AsyncIterable<unknown>;

export interface Rehearsal {
	readonly streamModel: StreamModel;
	/** Which of pi's provider APIs the real request will use. */
	readonly api: string;
	readonly env: Environment;
	/** pi has started and reads its task. */
	isWaiting(): boolean;
	/** How long to wait for that. */
	readonly patienceMs?: number;
}

/** Those that were seen to send a request where the model says. Others might send it to their real provider. */
const REHEARSABLE = ["anthropic-messages", "google-generative-ai", "openai-completions", "openai-responses"];
const POLL_MS = 5;
const PATIENCE_MS = 5000;
const MAX_REHEARSAL_MS = 1000;

/**
 * A child that was started early has time before its task comes: it makes one request, to itself, so that the library
 * of the provider, HTTP and all the code between are loaded and compiled when the real one is made. Nothing leaves the
 * process, and whatever goes wrong here does not matter.
 */
export async function rehearseRequest(rehearsal: Rehearsal): Promise<void> {
	if (!REHEARSABLE.includes(rehearsal.api)) return;
	if (!(await becomesIdle(rehearsal)) || usesProxy(rehearsal.env)) return;
	const server = createServer((request, response) => {
		request.resume();
		response.writeHead(200, { "content-type": "text/event-stream" }).end("data: {}\n\n");
	}).unref();
	try {
		const events = rehearsal.streamModel(
			buildRehearsalModel(rehearsal.api, await listenOnLoopback(server)),
			{
				systemPrompt: "-",
				messages: [{ role: "user", content: [{ type: "text", text: "-" }], timestamp: 0 }],
			},
			{ apiKey: "none", maxRetries: 0, signal: AbortSignal.timeout(MAX_REHEARSAL_MS) },
		);
		for await (const _ of events);
	} catch {
		// The answer above is one for no provider: an error is how most of them end.
	} finally {
		server.close();
		server.closeAllConnections();
	}
}

async function becomesIdle({ isWaiting, patienceMs = PATIENCE_MS }: Rehearsal): Promise<boolean> {
	for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += POLL_MS) {
		if (isWaiting()) return true;
		await sleep(POLL_MS, undefined, { ref: false });
	}
	return false;
}

/** pi would send even this request through it. */
function usesProxy(env: Rehearsal["env"]): boolean {
	return ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"].some((name) => Boolean(env[name]));
}

async function listenOnLoopback(server: Server): Promise<string> {
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function buildRehearsalModel(api: string, baseUrl: string): object {
	return {
		id: "rehearsal",
		name: "rehearsal",
		api,
		provider: "rehearsal",
		baseUrl,
		reasoning: false,
		input: ["text"],
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
		contextWindow: 1000,
		maxTokens: 100,
	};
}
