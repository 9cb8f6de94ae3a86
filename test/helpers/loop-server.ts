import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface RecordedRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingMessage["headers"];
	/** As it came over the wire. */
	readonly text: string;
	readonly body: Record<string, unknown>;
}

export interface ScriptedServer {
	readonly url: string;
	readonly requests: RecordedRequest[];
	/** Connections that are open now. */
	readonly sockets: ReadonlySet<Socket>;
	close(): Promise<void>;
}

export type Answer = (response: ServerResponse, request: RecordedRequest, index: number) => void;

/** A real server on loopback. Each request gets the answer at its place in the list; the last one repeats. */
export async function startScriptedServer(answers: Answer | readonly Answer[]): Promise<ScriptedServer> {
	const list = typeof answers === "function" ? [answers] : answers;
	const requests: RecordedRequest[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((message, response) => {
		const chunks: Buffer[] = [];
		message.on("data", (chunk: Buffer) => chunks.push(chunk));
		message.on("end", () => {
			const text = Buffer.concat(chunks).toString("utf8");
			const request = {
				method: message.method ?? "",
				path: message.url ?? "",
				headers: message.headers,
				text,
				body: text === "" ? {} : JSON.parse(text),
			};
			requests.push(request);
			const index = requests.length - 1;
			(list[index] ?? list.at(-1))?.(response, request, index);
		});
	});
	server.on("connection", (socket) => {
		sockets.add(socket);
		socket.on("close", () => sockets.delete(socket));
		socket.on("error", () => undefined);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		requests,
		sockets,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

export function writeSse(response: ServerResponse, events: readonly (object | string)[], headers = {}): void {
	response.writeHead(200, { "content-type": "text/event-stream", ...headers });
	for (const event of events)
		response.write(`data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
	response.end();
}

export function writeJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(JSON.stringify(body));
}

/** The least a Responses server says for a text. */
export function responsesText(text: string, id = "resp_1"): object[] {
	return [
		{ type: "response.created", response: { id } },
		{ type: "response.output_text.delta", item_id: "msg_1", delta: text },
		{
			type: "response.completed",
			response: { id, status: "completed", usage: { input_tokens: 3, output_tokens: 2 } },
		},
	];
}

export function chatText(text: string, id = "chatcmpl-1"): (object | string)[] {
	return [
		{ id, choices: [{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }] },
		{ id, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
		{ id, choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
		"[DONE]",
	];
}

export function anthropicText(text: string, id = "msg_1"): object[] {
	return [
		{ type: "message_start", message: { id, usage: { input_tokens: 3, output_tokens: 1 } } },
		{ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
		{ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
		{ type: "content_block_stop", index: 0 },
		{ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
		{ type: "message_stop" },
	];
}
