import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BASE_PAYLOAD, type ProgramEnding, runProgram } from "../helpers/loop-program.ts";

const ANSWER = "Zoë said: 終わり 👩‍👧 — done";
const USAGE = {
	prompt_tokens: 21,
	completion_tokens: 8,
	total_tokens: 29,
	input_tokens: 21,
	output_tokens: 8,
};

const PROVIDERS = [
	["openai-chat", "/v1/chat/completions"],
	["openai-responses", "/v1/responses"],
	["anthropic", "/v1/messages"],
	["vertexai-anthropic", "/v1/projects/p/locations/eu/publishers/anthropic/models/claude-x:streamRawPredict"],
] as const;

/** aimock has no Vertex route: the model is in the path there, and the rest is the Anthropic API. */
function startVertexProxy(target: string): Promise<Server> {
	const server = createServer((message, response) => {
		const chunks: Buffer[] = [];
		message.on("data", (chunk: Buffer) => chunks.push(chunk));
		message.on("end", () => {
			const model = /models\/([^:]+):streamRawPredict$/.exec(message.url ?? "")?.[1];
			const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
			const isVertex = body.model === undefined && body.anthropic_version === "vertex-2023-10-16";
			if (model === undefined || !isVertex)
				return response.writeHead(404).end('{"error":{"message":"not Vertex"}}');
			const { anthropic_version: _version, ...rest } = body;
			const forwarded = JSON.stringify({ ...rest, model });
			const outgoing = sendRequest(
				`${target}/v1/messages`,
				{
					method: "POST",
					headers: {
						"content-type": "application/json",
						"x-api-key": "k",
						"anthropic-version": "2023-06-01",
					},
				},
				(reply) => {
					response.writeHead(reply.statusCode ?? 500, reply.headers);
					reply.on("error", () => response.destroy());
					reply.on("aborted", () => response.destroy());
					reply.pipe(response);
				},
			);
			outgoing.on("error", () => response.destroy());
			outgoing.end(forwarded);
		});
	});
	return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

describe.each(PROVIDERS)("against aimock: %s", (provider, path) => {
	let mock: LLMock;
	let proxy: Server;
	let cwd: string;
	let origin: string;

	beforeAll(async () => {
		mock = new LLMock({ port: 0 });
		mock.on({ userMessage: "say it" }, { content: ANSWER, usage: USAGE }, { chunkSize: 3 });
		mock.on(
			{ userMessage: "think first" },
			{ content: "Because.", reasoning: "Let me think." },
			{ chunkSize: 4 },
		);
		mock.on(
			{ userMessage: "two tools", hasToolResult: true },
			{ content: "Both were read: ALPHA and BETA." },
		);
		mock.on(
			{ userMessage: "two tools" },
			{
				reasoning: "I need both files.",
				toolCalls: [
					{ name: "bash_read", arguments: { filepath: "a.txt" }, id: "call_a" },
					{ name: "bash_read", arguments: { filepath: "b.txt" }, id: "call_b" },
				],
			},
			{ chunkSize: 5 },
		);
		mock.on(
			{ userMessage: "busy", sequenceIndex: 0 },
			{ error: { message: "slow down", type: "rate_limit_error" }, status: 429, retryAfter: 0 },
		);
		mock.on({ userMessage: "busy" }, { content: "now it works" });
		mock.on(
			{ userMessage: "cut off" },
			{ content: "a long answer that never ends properly" },
			{ chunkSize: 4, truncateAfterChunks: 8, latency: 10 },
		);
		await mock.start();
		proxy = await startVertexProxy(mock.url);
		origin =
			provider === "vertexai-anthropic"
				? `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
				: mock.url;
		cwd = mkdtempSync(join(tmpdir(), "deputize-aimock-"));
		writeFileSync(join(cwd, "a.txt"), "ALPHA\n");
		writeFileSync(join(cwd, "b.txt"), "BETA\n");
	});
	afterAll(async () => {
		await mock.stop();
		await new Promise((resolve) => proxy.close(resolve));
		rmSync(cwd, { recursive: true, force: true });
	});

	const ask = (prompt: string, fields: object = {}): Promise<ProgramEnding> =>
		runProgram({ ...BASE_PAYLOAD, provider, url: `${origin}${path}`, prompt, ...fields }, { cwd });

	it("text, with characters cut between chunks", async () => {
		const ending = await ask("say it");
		expect(ending.error).toBeUndefined();
		expect(ending.text).toBe(ANSWER);
		expect(ending.events[0]?.event).toBe("response_start");
		expect(ending.events[0]?.data.id).not.toBe("");
	});

	it("usage", async () => {
		const child = {
			agent: "explorer",
			finalize: { mode: "text", max_corrections: 0 },
			price: { input: 1_000_000, output: 2_000_000, cacheRead: 0, cacheWrite: 0 },
		};
		const ending = await ask("say it", { child });
		const events = ending.events
			.filter(({ event }) => event === "child_event")
			.map(({ data }) => JSON.parse(data.delta));
		expect(events.find((event) => event.type === "assistant-message")).toMatchObject({
			text: ANSWER,
			stopReason: "stop",
			usage: { input: 21, output: 8, turns: 1, cost: 37 },
		});
	});

	it("reasoning, apart from the text", async () => {
		const ending = await ask("think first", { think: true });
		expect(ending.error).toBeUndefined();
		expect(ending.text).toBe("Because.");
		const reasoning = ending.events
			.filter(({ event }) => event === "reasoning_content")
			.map(({ data }) => data.delta);
		expect(reasoning.join("")).toBe("Let me think.");
	});

	it("two tools at once, then the answer", async () => {
		const ending = await ask("two tools", { tool_subset: ["bash_read"], think: true });
		expect(ending.error).toBeUndefined();
		expect(ending.text).toBe("Both were read: ALPHA and BETA.");
		const results = ending.events.filter(({ event }) => event === "tool_result");
		expect(results.map(({ data }) => [data.id, JSON.parse(data.delta).content]).sort()).toEqual([
			["call_a", "ALPHA"],
			["call_b", "BETA"],
		]);
		const calls = ending.events.filter(({ event }) => event === "tool_call");
		expect(
			calls
				.filter(({ data }) => data.id === "call_b")
				.map(({ data }) => data.delta)
				.join(""),
		).toBe('{"filepath":"b.txt"}');
	});

	it("a rate limit, waited out", async () => {
		const ending = await ask("busy");
		expect(ending.error).toBeUndefined();
		expect(ending.text).toBe("now it works");
	});

	it("a truncated answer, which is an error with the text so far", async () => {
		const ending = await ask("cut off");
		expect(ending.error?.code).toBe("stream_truncated");
		expect(ending.exitCode).toBe(1);
		expect("a long answer that never ends properly").toContain(ending.text);
	});
});
