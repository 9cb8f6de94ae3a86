import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ServiceServer {
	readonly port: number;
	/** Every request so far: its path, the model it asks for, and its headers. */
	readonly requests: {
		readonly path: string;
		readonly model: string;
		readonly headers: IncomingMessage["headers"];
	}[];
	close(): Promise<void>;
}

export const SERVED = ["qwen3:8b", "publisher/model"];
const ANSWER = { status: "SUCCESS", result: "answered by the service" };
const TOOL = "subagent_finalize";

/** A service on loopback in all three dialects: it lists two models and hands over at once, whatever it is asked, or refuses other models. */
export async function startServiceServer(
	port = 0,
	onRequest?: () => void,
	refusesOthers = false,
): Promise<ServiceServer> {
	const requests: ServiceServer["requests"] = [];
	const server = createServer(async (request, response) => {
		let text = "";
		for await (const part of request) text += part;
		const path = request.url ?? "";
		if (request.method === "GET") return answerList(path, response);
		const model = String(JSON.parse(text).model ?? /models\/([^:]+):/.exec(path)?.[1]);
		onRequest?.();
		requests.push({ path, model, headers: request.headers });
		if (refusesOthers && !SERVED.includes(model)) {
			const error = { message: `The model \`${model}\` does not exist.` };
			return void response.writeHead(404).end(JSON.stringify({ error }));
		}
		response.writeHead(200, { "content-type": "text/event-stream" });
		for (const event of toEvents(path, model)) response.write(`data: ${JSON.stringify(event)}\n\n`);
		response.end(path.endsWith("/chat/completions") ? "data: [DONE]\n\n" : "");
	});
	await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
	return {
		port: (server.address() as AddressInfo).port,
		requests,
		close: () =>
			new Promise((resolve) => {
				server.closeAllConnections();
				server.close(() => resolve());
			}),
	};
}

function answerList(path: string, response: ServerResponse): void {
	response.writeHead(path.endsWith("/models") ? 200 : 404, { "content-type": "application/json" });
	response.end(JSON.stringify({ data: SERVED.map((id) => ({ id })) }));
}

function toEvents(path: string, model: string): readonly object[] {
	const input = JSON.stringify(ANSWER);
	if (path.endsWith("/chat/completions")) {
		const call = { index: 0, id: "call_1", type: "function", function: { name: TOOL, arguments: input } };
		return [
			{ id: "c", model, choices: [{ index: 0, delta: { role: "assistant", tool_calls: [call] } }] },
			{ id: "c", model, choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
		];
	}
	if (path.endsWith("/responses")) {
		const item = { type: "function_call", id: "fc_1", call_id: "call_1", name: TOOL, arguments: input };
		return [
			{ type: "response.created", response: { id: "r", model } },
			{ type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
			{ type: "response.output_item.done", output_index: 0, item },
			{ type: "response.completed", response: { id: "r", model, status: "completed", output: [item] } },
		];
	}
	return [
		{
			type: "message_start",
			message: { id: "m", model, content: [], usage: { input_tokens: 1, output_tokens: 1 } },
		},
		{
			type: "content_block_start",
			index: 0,
			content_block: { type: "tool_use", id: "t", name: TOOL, input: {} },
		},
		{ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: input } },
		{ type: "content_block_stop", index: 0 },
		{ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } },
		{ type: "message_stop" },
	];
}
