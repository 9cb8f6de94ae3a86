import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { BASE_PAYLOAD, runProgram } from "../helpers/loop-program.ts";
import { type Answer, type ScriptedServer, startScriptedServer, writeSse } from "../helpers/loop-server.ts";

const PEERS = fileURLToPath(new URL("../peers/node_modules/", import.meta.url));
const hasPeers = existsSync(join(PEERS, "openai")) && existsSync(join(PEERS, "@anthropic-ai/sdk"));
if (!hasPeers && process.env["CI"])
	throw new Error("The official SDKs are missing: run npm ci in test/peers.");

type Loose = Record<string, unknown>;

/** What a person would write with the official SDK, sent to the same server: the bodies must say the same. */
describe.skipIf(!hasPeers)("request bodies beside the official SDKs", () => {
	let cwd: string;
	let server: ScriptedServer | undefined;
	beforeAll(() => {
		cwd = mkdtempSync(join(tmpdir(), "deputize-peers-"));
		writeFileSync(join(cwd, "a.txt"), "ALPHA\n");
	});
	afterAll(() => rmSync(cwd, { recursive: true, force: true }));
	afterEach(() => server?.close());

	async function runOurs(answers: Answer[], fields: object): Promise<Loose[]> {
		server = await startScriptedServer(answers);
		const ending = await runProgram(
			{ ...BASE_PAYLOAD, url: server.url, tool_subset: ["bash_read"], system_prompt: "Be brief.", ...fields },
			{ cwd },
		);
		expect(ending.error).toBeUndefined();
		const bodies = server.requests.map(({ body }) => body);
		await server.close();
		return bodies;
	}
	const toolResult = JSON.stringify({
		filepath: "a.txt",
		content: "ALPHA",
		total: 1,
		offset: 0,
		limit: 0,
		has_more: false,
		returned: 1,
	});

	it("Chat Completions", async () => {
		const call = {
			index: 0,
			id: "call_1",
			type: "function",
			function: { name: "bash_read", arguments: '{"filepath":"a.txt"}' },
		};
		const answers: Answer[] = [
			(response) =>
				writeSse(response, [
					{
						id: "c1",
						choices: [
							{
								index: 0,
								delta: { role: "assistant", content: null, tool_calls: [call] },
								finish_reason: null,
							},
						],
					},
					{ id: "c1", choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
					"[DONE]",
				]),
			(response) =>
				writeSse(response, [
					{
						id: "c2",
						choices: [{ index: 0, delta: { role: "assistant", content: "ok" }, finish_reason: "stop" }],
					},
					"[DONE]",
				]),
		];
		const [first, second] = await runOurs(answers, { provider: "openai-chat" });
		const { default: OpenAI } = await import(join(PEERS, "openai/index.mjs"));
		server = await startScriptedServer(answers);
		const client = new OpenAI({ apiKey: "k", baseURL: server.url, maxRetries: 0 });
		const common = {
			model: "test-model",
			stream_options: { include_usage: true },
			temperature: 0.8,
			max_tokens: 8192,
			tools: (first as Loose)["tools"],
			tool_choice: "auto",
		};
		const messages: Loose[] = [
			{ role: "system", content: "Be brief." },
			{ role: "user", content: BASE_PAYLOAD.prompt },
		];
		const turn = await client.chat.completions.stream({ ...common, messages }).finalChatCompletion();
		const { role, content, tool_calls } = turn.choices[0].message;
		const calls = tool_calls.map((entry: { id: string; type: string; function: Loose }) => ({
			id: entry.id,
			type: entry.type,
			function: { name: entry.function["name"], arguments: entry.function["arguments"] },
		}));
		messages.push(
			{ role, content, tool_calls: calls },
			{ role: "tool", tool_call_id: "call_1", content: toolResult },
		);
		await client.chat.completions.stream({ ...common, messages }).finalChatCompletion();
		expect(first).toEqual(server.requests[0]?.body);
		expect(second).toEqual(server.requests[1]?.body);
	});

	it("Responses", async () => {
		const item = {
			id: "fc_1",
			type: "function_call",
			call_id: "call_1",
			name: "bash_read",
			arguments: '{"filepath":"a.txt"}',
			status: "completed",
		};
		const reasoning = {
			id: "rs_1",
			type: "reasoning",
			summary: [{ type: "summary_text", text: "why" }],
			encrypted_content: "ENC",
		};
		const done = (id: string, output: object[]) => ({
			type: "response.completed",
			response: {
				id,
				object: "response",
				status: "completed",
				output,
				usage: { input_tokens: 1, output_tokens: 1 },
			},
		});
		const answers: Answer[] = [
			(response) =>
				writeSse(response, [
					{ type: "response.created", response: { id: "r1", output: [] } },
					{ type: "response.output_item.added", output_index: 0, item: reasoning },
					{ type: "response.output_item.done", output_index: 0, item: reasoning },
					{ type: "response.output_item.added", output_index: 1, item: { ...item, arguments: "" } },
					{
						type: "response.function_call_arguments.delta",
						output_index: 1,
						item_id: "fc_1",
						delta: item.arguments,
					},
					{ type: "response.output_item.done", output_index: 1, item },
					done("r1", [reasoning, item]),
				]),
			(response) =>
				writeSse(response, [
					{ type: "response.created", response: { id: "r2", output: [] } },
					{ type: "response.output_text.delta", delta: "ok" },
					done("r2", []),
				]),
		];
		const [first, second] = await runOurs(answers, { provider: "openai-responses", think: true });
		const { default: OpenAI } = await import(join(PEERS, "openai/index.mjs"));
		server = await startScriptedServer(answers);
		const client = new OpenAI({ apiKey: "k", baseURL: server.url, maxRetries: 0 });
		const common = {
			model: "test-model",
			instructions: "Be brief.",
			stream: true,
			store: false,
			temperature: 0.8,
			max_output_tokens: 8192,
			reasoning: { effort: "high", summary: "detailed" },
			tools: (first as Loose)["tools"],
			tool_choice: "auto",
		};
		const input: Loose[] = [{ role: "user", content: [{ type: "input_text", text: BASE_PAYLOAD.prompt }] }];
		let output: Loose[] = [];
		for await (const event of await client.responses.create({ ...common, input })) {
			if (event.type === "response.completed") output = event.response.output;
		}
		input.push(...output, { type: "function_call_output", call_id: "call_1", output: toolResult });
		for await (const _event of await client.responses.create({ ...common, input }));
		expect(first).toEqual(server.requests[0]?.body);
		// Ours differs only in leaving out what refers to the server's storage.
		const theirs = server.requests[1]?.body as { input: Loose[] };
		const withoutIds = theirs.input.map(({ id: _id, status: _status, ...rest }) => rest);
		expect(second).toEqual({ ...theirs, input: withoutIds });
	});

	it("Anthropic Messages, thinking included", async () => {
		const answers: Answer[] = [
			(response) =>
				writeNamed(response, [
					{
						type: "message_start",
						message: {
							id: "m1",
							type: "message",
							role: "assistant",
							model: "test-model",
							content: [],
							stop_reason: null,
							stop_sequence: null,
							usage: { input_tokens: 1, output_tokens: 1 },
						},
					},
					{
						type: "content_block_start",
						index: 0,
						content_block: { type: "thinking", thinking: "", signature: "" },
					},
					{ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Let me " } },
					{ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "see." } },
					{ type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "SIG==" } },
					{ type: "content_block_stop", index: 0 },
					{
						type: "content_block_start",
						index: 1,
						content_block: { type: "redacted_thinking", data: "OPAQUE" },
					},
					{ type: "content_block_stop", index: 1 },
					{ type: "content_block_start", index: 2, content_block: { type: "text", text: "" } },
					{ type: "content_block_delta", index: 2, delta: { type: "text_delta", text: "Reading." } },
					{ type: "content_block_stop", index: 2 },
					{
						type: "content_block_start",
						index: 3,
						content_block: { type: "tool_use", id: "toolu_1", name: "bash_read", input: {} },
					},
					{
						type: "content_block_delta",
						index: 3,
						delta: { type: "input_json_delta", partial_json: '{"filepath":"a.t' },
					},
					{
						type: "content_block_delta",
						index: 3,
						delta: { type: "input_json_delta", partial_json: 'xt"}' },
					},
					{ type: "content_block_stop", index: 3 },
					{
						type: "message_delta",
						delta: { stop_reason: "tool_use", stop_sequence: null },
						usage: { output_tokens: 9 },
					},
					{ type: "message_stop" },
				]),
			(response) =>
				writeNamed(response, [
					{
						type: "message_start",
						message: {
							id: "m2",
							type: "message",
							role: "assistant",
							model: "test-model",
							content: [],
							stop_reason: null,
							stop_sequence: null,
							usage: { input_tokens: 1, output_tokens: 1 },
						},
					},
					{ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
					{ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "ok" } },
					{ type: "content_block_stop", index: 0 },
					{
						type: "message_delta",
						delta: { stop_reason: "end_turn", stop_sequence: null },
						usage: { output_tokens: 2 },
					},
					{ type: "message_stop" },
				]),
		];
		const [first, second] = await runOurs(answers, { provider: "anthropic", think: true });
		const { default: Anthropic } = await import(join(PEERS, "@anthropic-ai/sdk/index.mjs"));
		server = await startScriptedServer(answers);
		const client = new Anthropic({ apiKey: "k", baseURL: server.url, maxRetries: 0 });
		const common = {
			model: "test-model",
			max_tokens: 32_000,
			system: "Be brief.",
			thinking: { type: "enabled", budget_tokens: 24_000 },
			tools: (first as Loose)["tools"],
		};
		const messages: Loose[] = [{ role: "user", content: BASE_PAYLOAD.prompt }];
		const turn = await client.messages.stream({ ...common, messages }).finalMessage();
		messages.push(
			{ role: "assistant", content: turn.content },
			{ role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: toolResult }] },
		);
		await client.messages.stream({ ...common, messages }).finalMessage();
		expect(first).toEqual(server.requests[0]?.body);
		expect(second).toEqual(server.requests[1]?.body);
	});
});

/** The official client dispatches on the event's name. */
function writeNamed(
	response: Parameters<Answer>[0],
	events: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[],
): void {
	response.writeHead(200, { "content-type": "text/event-stream" });
	for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
	response.end();
}
