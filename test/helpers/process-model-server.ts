import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";

/** What the model does on one request. The last step repeats. */
export type ModelStep =
	| { readonly say: string }
	| { readonly call: string; readonly args: Readonly<Record<string, unknown>> }
	/** Begins an answer and never ends it. */
	| { readonly hang: string }
	| { readonly status: number; readonly message: string }
	/** Breaks the connection in the middle of an answer. */
	| { readonly reset: string };

export interface ModelServer {
	readonly port: number;
	/** Bodies of the requests so far. */
	readonly requests: string[];
	/** Settled when the given number of requests has come. */
	arrived(count: number): Promise<void>;
	/** Makes pi find this server as the provider `local` with the model `scripted`. */
	configure(agentDirectory: string): void;
	close(): Promise<void>;
}

/** A model on loopback that speaks the OpenAI chat protocol, from a script or by what it is asked, for real children. */
export async function startModelServer(
	steps: readonly ModelStep[] | ((body: string) => ModelStep),
): Promise<ModelServer> {
	const requests: string[] = [];
	const waiting: { count: number; resolve: () => void }[] = [];
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const part of request) body += part;
		requests.push(body);
		const step =
			typeof steps === "function" ? steps(body) : steps[Math.min(requests.length, steps.length) - 1];
		if (step !== undefined) answer(response, step);
		for (const { count, resolve } of waiting) if (requests.length >= count) resolve();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;
	return {
		port,
		requests,
		arrived: (count) =>
			new Promise((resolve) =>
				requests.length >= count ? resolve() : void waiting.push({ count, resolve }),
			),
		configure(agentDirectory) {
			mkdirSync(agentDirectory, { recursive: true });
			const model = { id: "scripted", cost: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } };
			const local = {
				baseUrl: `http://127.0.0.1:${port}/v1`,
				api: "openai-completions",
				apiKey: "not-a-secret",
				models: [model],
			};
			writeFileSync(join(agentDirectory, "models.json"), JSON.stringify({ providers: { local } }));
		},
		close: () =>
			new Promise((resolve) => {
				server.closeAllConnections();
				server.close(() => resolve());
			}),
	};
}

function answer(response: ServerResponse, step: ModelStep): void {
	if ("status" in step) {
		response.writeHead(step.status, { "content-type": "application/json" });
		response.end(JSON.stringify({ error: { message: step.message, type: "test" } }));
		return;
	}
	response.writeHead(200, { "content-type": "text/event-stream" });
	const send = (delta: unknown, finish: string | null = null, more: object = {}) =>
		response.write(
			`data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "scripted", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`,
		);
	const end = (finish: string) => {
		send({}, finish);
		const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
		response.write(
			`data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "scripted", choices: [], usage })}\n\n`,
		);
		response.end("data: [DONE]\n\n");
	};
	if ("call" in step) {
		const call = { name: step.call, arguments: JSON.stringify(step.args) };
		send({
			role: "assistant",
			tool_calls: [{ index: 0, id: `call_${Date.now()}`, type: "function", function: call }],
		});
		end("tool_calls");
	} else if ("say" in step) {
		send({ role: "assistant", content: step.say });
		end("stop");
	} else if ("hang" in step) {
		send({ role: "assistant", content: step.hang });
	} else {
		send({ role: "assistant", content: step.reset });
		setTimeout(() => response.destroy(), 20);
	}
}
