import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

// biome-ignore lint/suspicious/noExplicitAny: five wire formats, read only as far as the script needs
type Loose = Readonly<Record<string, any>>;

/** What the client's model does in one turn: calls of `subagent` at once, or a text. A step is left out once `unless` was said. */
export type ClientStep =
	| { readonly calls: readonly Loose[]; readonly unless?: string }
	| { readonly text: string };

/** What the child's model does: waits, then hands over; or never answers. */
export type ChildStep = { readonly delayMs: number } | { readonly hang: true };

export interface ScriptedModel {
	readonly port: number;
	/** Bodies of the requests of the client that offered tools. */
	readonly requests: Loose[];
	/** When each of them came. */
	readonly requestTimes: number[];
	/** Requests of children: how many, how many at the same time at most, and how many are still open. */
	readonly children: { count: number; atOnce: number; open: number };
	follow(steps: readonly ClientStep[], child: ChildStep): void;
	close(): Promise<void>;
}

/** Replaced in the arguments of a call by the session id that the model was last told. */
export const LAST_SESSION = "$SESSION";

/** One model on loopback for a client of any make and for the children of its delegations. */
export async function startScriptedModel(): Promise<ScriptedModel> {
	let steps: readonly ClientStep[] = [];
	let child: ChildStep = { delayMs: 0 };
	const requests: Loose[] = [];
	const requestTimes: number[] = [];
	const children = { count: 0, atOnce: 0, open: 0 };

	const answerChild = async (response: ServerResponse): Promise<void> => {
		children.count += 1;
		children.open += 1;
		children.atOnce = Math.max(children.atOnce, children.open);
		response.on("close", () => {
			children.open -= 1;
		});
		if ("hang" in child) return;
		await sleep(child.delayMs);
		const handover = { status: "SUCCESS", result: "`hello.txt:1` has **hello world**." };
		chat(response, { calls: [{ name: "subagent_finalize", args: handover }] });
	};
	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		let raw = "";
		for await (const part of request) raw += part;
		const path = new URL(request.url ?? "/", "http://x").pathname;
		if (path.startsWith("/child/")) return answerChild(response);
		const dialect = DIALECTS.find(({ pattern }) => pattern.test(path));
		if (dialect === undefined || request.method !== "POST") {
			const models = { object: "list", data: [{ id: "scripted", object: "model" }], models: [] };
			response.writeHead(path.endsWith("/models") ? 200 : 404, { "content-type": "application/json" });
			response.end(JSON.stringify(models));
			return;
		}
		const body = JSON.parse(raw) as Loose;
		const tool = findTool(body);
		if (tool === undefined) {
			dialect.answer(response, { text: "Nothing to do." }, body, path);
			return;
		}
		requests.push(body);
		requestTimes.push(performance.now());
		const step = chooseStep(steps, raw);
		const sessionId = [...raw.matchAll(/Session ID:\*\* `([0-9a-f-]{36})`/g)].at(-1)?.[1] ?? "";
		const calls =
			"calls" in step ? step.calls.map((args) => ({ ...tool, args: fill(args, sessionId) })) : undefined;
		dialect.answer(response, calls ? { calls } : { text: "text" in step ? step.text : "" }, body, path);
	};
	const server = createServer((request, response) => {
		answer(request, response).catch(() => response.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		port: (server.address() as AddressInfo).port,
		requests,
		requestTimes,
		children,
		follow(newSteps, newChild) {
			steps = newSteps;
			child = newChild;
			requests.length = 0;
			requestTimes.length = 0;
			Object.assign(children, { count: 0, atOnce: 0 });
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

interface ToolName {
	readonly name: string;
	readonly namespace?: string;
}

/** Each client has its own way to name the tool of a server. */
function findTool(body: Loose): ToolName | undefined {
	for (const tool of (body["tools"] ?? []) as Loose[]) {
		if (tool["type"] === "namespace" && /deputize/.test(tool["name"]))
			return { name: "subagent", namespace: tool["name"] };
		const names = tool["functionDeclarations"]?.map((each: Loose) => each["name"]) ?? [
			tool["function"]?.name ?? tool["name"],
		];
		const name = names.find((each: unknown) => typeof each === "string" && each.endsWith("subagent"));
		if (name !== undefined) return { name };
	}
	return undefined;
}

/** The step after as many calls as have results. */
function chooseStep(steps: readonly ClientStep[], raw: string): ClientStep {
	let results =
		raw.match(/"role":"tool"|"type":"tool_result"|"type":"function_call_output"|"functionResponse":/g)
			?.length ?? 0;
	for (const step of steps) {
		if (!("calls" in step)) return step;
		if (results < step.calls.length) {
			if (step.unless !== undefined && raw.includes(step.unless)) continue;
			return step;
		}
		results -= step.calls.length;
	}
	return { text: "The script is over." };
}

function fill(args: Loose, sessionId: string): Loose {
	return Object.fromEntries(
		Object.entries(args).map(([name, value]) => [name, value === LAST_SESSION ? sessionId : value]),
	);
}

type Turn = { readonly text: string } | { readonly calls: readonly (ToolName & { readonly args: Loose })[] };

const newId = (): string => Math.random().toString(36).slice(2, 12);
const callsOf = (turn: Turn) => ("calls" in turn ? turn.calls : []);
const textOf = (turn: Turn): string => ("text" in turn ? turn.text : "");

function stream(
	response: ServerResponse,
	events: readonly Loose[],
	options: { named?: boolean; done?: boolean } = {},
): void {
	response.writeHead(200, { "content-type": "text/event-stream" });
	for (const event of events) {
		response.write(`${options.named ? `event: ${event["type"]}\n` : ""}data: ${JSON.stringify(event)}\n\n`);
	}
	response.end(options.done ? "data: [DONE]\n\n" : "");
}

function chat(response: ServerResponse, turn: Turn, body: Loose = { stream: true }): void {
	const calls = callsOf(turn).map(({ name, args }, index) => ({
		index,
		id: `call_${newId()}`,
		type: "function",
		function: { name, arguments: JSON.stringify(args) },
	}));
	const base = { id: `chat_${newId()}`, object: "chat.completion.chunk", created: 0, model: "scripted" };
	const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
	const finish = calls.length > 0 ? "tool_calls" : "stop";
	const message = {
		role: "assistant",
		content: textOf(turn) || null,
		...(calls.length > 0 ? { tool_calls: calls } : {}),
	};
	if (!body["stream"]) {
		response.writeHead(200, { "content-type": "application/json" });
		const choices = [{ index: 0, message, finish_reason: finish }];
		response.end(JSON.stringify({ ...base, object: "chat.completion", choices, usage }));
		return;
	}
	stream(
		response,
		[
			{ ...base, choices: [{ index: 0, delta: message, finish_reason: null }] },
			{ ...base, choices: [{ index: 0, delta: {}, finish_reason: finish }] },
			{ ...base, choices: [], usage },
		],
		{ done: true },
	);
}

function anthropic(response: ServerResponse, turn: Turn, body: Loose): void {
	const blocks = [
		...(textOf(turn) ? [{ type: "text", text: textOf(turn) }] : []),
		...callsOf(turn).map(({ name, args }) => ({
			type: "tool_use",
			id: `toolu_${newId()}`,
			name,
			input: args,
		})),
	];
	const stop = callsOf(turn).length > 0 ? "tool_use" : "end_turn";
	const usage = { input_tokens: 100, output_tokens: 10 };
	const message = { id: `msg_${newId()}`, type: "message", role: "assistant", model: body["model"], usage };
	if (!body["stream"]) {
		response.writeHead(200, { "content-type": "application/json" });
		response.end(JSON.stringify({ ...message, content: blocks, stop_reason: stop }));
		return;
	}
	const parts = blocks.flatMap((block, index) => {
		const isText = block.type === "text";
		const start = isText ? { type: "text", text: "" } : { ...block, input: {} };
		const delta = isText
			? { type: "text_delta", text: (block as { text: string }).text }
			: { type: "input_json_delta", partial_json: JSON.stringify((block as { input: Loose }).input) };
		return [
			{ type: "content_block_start", index, content_block: start },
			{ type: "content_block_delta", index, delta },
			{ type: "content_block_stop", index },
		];
	});
	stream(
		response,
		[
			{ type: "message_start", message: { ...message, content: [], stop_reason: null } },
			...parts,
			{ type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage },
			{ type: "message_stop" },
		],
		{ named: true },
	);
}

function responses(response: ServerResponse, turn: Turn, body: Loose): void {
	const items = [
		...(textOf(turn)
			? [
					{
						id: `msg_${newId()}`,
						type: "message",
						role: "assistant",
						status: "completed",
						content: [{ type: "output_text", text: textOf(turn), annotations: [] }],
					},
				]
			: []),
		...callsOf(turn).map(({ name, namespace, args }) => ({
			id: `fc_${newId()}`,
			type: "function_call",
			status: "completed",
			call_id: `call_${newId()}`,
			name,
			...(namespace ? { namespace } : {}),
			arguments: JSON.stringify(args),
		})),
	];
	const usage = {
		input_tokens: 100,
		input_tokens_details: { cached_tokens: 0 },
		output_tokens: 10,
		output_tokens_details: { reasoning_tokens: 0 },
		total_tokens: 110,
	};
	const base = { id: `resp_${newId()}`, object: "response", created_at: 0, model: body["model"] };
	stream(
		response,
		[
			{ type: "response.created", response: { ...base, status: "in_progress", output: [] } },
			...items.flatMap((item, output_index) => [
				{ type: "response.output_item.added", output_index, item },
				{ type: "response.output_item.done", output_index, item },
			]),
			{ type: "response.completed", response: { ...base, status: "completed", output: items, usage } },
		],
		{ named: true },
	);
}

function gemini(response: ServerResponse, turn: Turn, _body: Loose, path: string): void {
	const parts = [
		...(textOf(turn) ? [{ text: textOf(turn) }] : []),
		...callsOf(turn).map(({ name, args }) => ({ functionCall: { name, args } })),
	];
	const payload = {
		candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
		usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
		modelVersion: "scripted",
	};
	if (path.includes("stream")) stream(response, [payload]);
	else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(payload));
}

const DIALECTS: readonly {
	readonly pattern: RegExp;
	readonly answer: (response: ServerResponse, turn: Turn, body: Loose, path: string) => void;
}[] = [
	{ pattern: /\/chat\/completions$/, answer: chat },
	{ pattern: /\/responses$/, answer: responses },
	{ pattern: /\/messages$/, answer: anthropic },
	{ pattern: /:(stream)?generateContent$/i, answer: gemini },
];
