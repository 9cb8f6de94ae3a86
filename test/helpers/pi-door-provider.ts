import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What the scripted model says in one turn. */
export interface ScriptedTurn {
	readonly text?: string;
	readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
	/** Spreads the text and the arguments of the calls over this time. */
	readonly streamMs?: number;
	/** Waits before it answers, or until the client goes away. */
	readonly delayMs?: number;
	/** Waits for this before it answers. */
	readonly after?: Promise<unknown>;
	/** Never finishes: the connection stays open until the client closes it. */
	readonly hang?: boolean;
	/** Answers with this HTTP status instead. */
	readonly status?: number;
}

export interface ScriptedRequest {
	readonly body: Readonly<Record<string, unknown>>;
	readonly bytes: number;
	readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
	readonly tools: readonly string[];
	/** True for a request of a child of deputize. */
	readonly isChild: boolean;
	/** How many answers the conversation already holds. */
	readonly turn: number;
	readonly receivedAt: number;
}

export interface ScriptedProvider {
	readonly baseUrl: string;
	readonly requests: ScriptedRequest[];
	close(): Promise<void>;
}

/** An OpenAI-compatible model on loopback that follows a script. Parent and children talk to the same one. */
export async function startScriptedProvider(
	script: (request: ScriptedRequest) => ScriptedTurn,
): Promise<ScriptedProvider> {
	const requests: ScriptedRequest[] = [];
	const server = createServer((request, response) => {
		void answer(request, response, requests, script).catch(() => response.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		requests,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function answer(
	request: IncomingMessage,
	response: ServerResponse,
	requests: ScriptedRequest[],
	script: (request: ScriptedRequest) => ScriptedTurn,
): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const parsed = parseRequest(Buffer.concat(chunks));
	requests.push(parsed);
	const turn = script(parsed);
	if (turn.delayMs) await sleep(turn.delayMs);
	await turn.after;
	if (turn.status) {
		response.writeHead(turn.status, { "content-type": "application/json" });
		response.end(JSON.stringify({ error: { message: "scripted failure" } }));
		return;
	}
	response.writeHead(200, { "content-type": "text/event-stream" });
	await writeTurn(response, turn);
	if (!turn.hang) response.end("data: [DONE]\n\n");
}

function parseRequest(bytes: Buffer): ScriptedRequest {
	const body = JSON.parse(bytes.toString("utf8")) as ScriptedRequest["body"];
	const messages = body["messages"] as ScriptedRequest["messages"];
	const tools = ((body["tools"] ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name);
	return {
		body,
		bytes: bytes.length,
		messages,
		tools,
		isChild: tools.includes("subagent_finalize"),
		turn: messages.filter((message) => message.role === "assistant").length,
		receivedAt: performance.now(),
	};
}

async function writeTurn(response: ServerResponse, turn: ScriptedTurn): Promise<void> {
	const send = (delta: unknown, finish: string | null = null, usage?: unknown): void => {
		const chunk = { id: "scripted", object: "chat.completion.chunk", created: 1, model: "scripted" };
		const choices = [{ index: 0, delta, finish_reason: finish }];
		response.write(`data: ${JSON.stringify({ ...chunk, choices, ...(usage ? { usage } : {}) })}\n\n`);
	};
	const calls = turn.calls ?? [];
	const pieces = calls.map((call) => split(JSON.stringify(call.arguments)));
	const textPieces = turn.text ? split(turn.text) : [];
	const total = textPieces.length + pieces.flat().length;
	const pauseMs = turn.streamMs ? turn.streamMs / Math.max(1, total) : 0;
	send({ role: "assistant", content: "" });
	for (const piece of textPieces) {
		send({ content: piece });
		if (pauseMs) await sleep(pauseMs);
	}
	for (const [index, call] of calls.entries()) {
		const id = `call_${index}_${Math.random().toString(36).slice(2, 10)}`;
		const start = { index, id, type: "function", function: { name: call.name, arguments: "" } };
		send({ tool_calls: [start] });
		for (const piece of pieces[index] ?? []) {
			send({ tool_calls: [{ index, function: { arguments: piece } }] });
			if (pauseMs) await sleep(pauseMs);
		}
	}
	if (turn.hang) return;
	const usage = { prompt_tokens: 1000, completion_tokens: 50, total_tokens: 1050 };
	send({}, calls.length > 0 ? "tool_calls" : "stop", usage);
}

function split(text: string): readonly string[] {
	const size = Math.max(1, Math.ceil(text.length / 30));
	return text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
}
