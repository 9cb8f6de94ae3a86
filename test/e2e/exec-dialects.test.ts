import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { BASE_PAYLOAD, runProgram } from "../helpers/loop-program.ts";
import { startSeedServer } from "../helpers/loop-seed-server.ts";
import {
	responsesText,
	type ScriptedServer,
	startScriptedServer,
	writeJson,
	writeSse,
} from "../helpers/loop-server.ts";
import { startStrictOpenai } from "../helpers/loop-strict-openai.ts";

const TOOL = { name: "bash_read", args: { filepath: "note.txt" } };

describe("the Responses API in both dialects", () => {
	let cwd: string;
	const servers: ScriptedServer[] = [];
	beforeAll(() => {
		cwd = mkdtempSync(join(tmpdir(), "deputize-dialects-"));
		writeFileSync(join(cwd, "note.txt"), "the treasure is here\n");
	});
	afterAll(() => rmSync(cwd, { recursive: true, force: true }));
	afterEach(async () => {
		for (const server of servers.splice(0)) await server.close();
	});
	const payload = {
		...BASE_PAYLOAD,
		system_prompt: "You read files.",
		tool_subset: ["bash_read"],
		max_tokens: 64,
	};

	it("reads a stream that names its events in `event:` lines only", async () => {
		const server = await startScriptedServer((response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			for (const { type, ...event } of responsesText("Found.") as { type: string }[])
				response.write(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
			response.end();
		});
		servers.push(server);
		const ending = await runProgram({ ...payload, url: server.url }, { cwd });
		expect(ending).toMatchObject({ exitCode: 0, text: "Found.", stderr: "" });
	});

	it("finishes a tool loop with a server that speaks the seed's dialect", async () => {
		const server = await startSeedServer(TOOL);
		servers.push(server);
		const ending = await runProgram({ ...payload, url: server.url }, { cwd });
		expect(ending.stderr).toBe("");
		expect(ending.exitCode).toBe(0);
		expect(ending.text).toContain("the treasure is here");
		expect(server.requests).toHaveLength(2);
		const [first, second] = server.requests.map(({ body }) => body);
		expect(second).toEqual({ ...first, input: second?.["input"], previous_response_id: "resp_seed" });
		expect(Object.keys(second ?? {}).at(-1)).toBe("previous_response_id");
		expect(ending.events.map(({ event }) => event)).toEqual([
			"response_start",
			"reasoning_content",
			"tool_call",
			"tool_call",
			"block_end",
			"tool_result",
			"response_start",
			"output_text",
			"block_end",
			"response_end",
		]);
		expect(ending.events.find(({ event }) => event === "tool_result")?.data.id).toBe("tc_7");
	});

	it("finishes the same loop with a server that enforces OpenAI's rules", async () => {
		const server = await startStrictOpenai(TOOL);
		servers.push(server);
		const ending = await runProgram({ ...payload, url: server.url }, { cwd });
		expect(ending.stderr).toBe("");
		expect(ending.exitCode).toBe(0);
		expect(ending.text).toContain("the treasure is here");
		const last = server.requests.at(-1)?.body;
		expect(last?.["previous_response_id"]).toBeUndefined();
		expect(last?.["instructions"]).toBe("You read files.");
		expect(last?.["tools"]).toHaveLength(1);
		expect(last?.["temperature"]).toBeUndefined();
		expect(last?.["reasoning"]).toEqual({ effort: "low" });
		// Two refusals, each answered by changing the one parameter it named, then two turns.
		expect(server.requests).toHaveLength(4);
		expect(server.requests[1]?.body).toEqual(without(server.requests[0]?.body, "temperature"));
	});

	it("asks for the most thinking the server allows when thinking was asked for", async () => {
		const server = await startStrictOpenai(TOOL);
		servers.push(server);
		const ending = await runProgram({ ...payload, think: true, url: server.url }, { cwd });
		expect(ending.exitCode).toBe(0);
		expect(server.requests.at(-1)?.body["reasoning"]).toEqual({ effort: "high" });
	});

	it("raises a limit that is below the minimum, and drops reasoning where the model has none", async () => {
		const server = await startStrictOpenai(TOOL, {
			efforts: [],
			acceptsTemperature: true,
			organizationVerified: true,
		});
		servers.push(server);
		const ending = await runProgram({ ...payload, max_tokens: 5, url: server.url }, { cwd });
		expect(server.requests.at(-1)?.body["max_output_tokens"]).toBe(16);
		expect(server.requests.at(-1)?.body["reasoning"]).toBeUndefined();
		expect(server.requests.at(-1)?.body["temperature"]).toBe(0.8);
		// 20 tokens were used of the 16 allowed: the server did not say so, but the answer was cut.
		expect(ending.error?.code).toBe("output_limit");
	});

	it("replays the conversation when a server speaks the seed's dialect and refuses to continue in it", async () => {
		const server = await startScriptedServer((response, { body }) => {
			if (body["previous_response_id"] !== undefined) {
				return writeJson(response, 400, {
					error: { message: "llama.cpp does not support 'previous_response_id'." },
				});
			}
			const input = body["input"] as { type?: string; output?: string }[];
			const output = input.find((item) => item.type === "function_call_output");
			if (output !== undefined) return writeSse(response, responsesText(`said ${output.output}`));
			writeSse(response, [
				{ type: "response.created", response: { id: "r" } },
				{
					type: "response.output_item.done",
					item: { type: "tool_call", id: "t", name: "bash_read", arguments: '{"filepath":"note.txt"}' },
				},
				{ type: "response.completed", response: { id: "r" } },
			]);
		});
		servers.push(server);
		const ending = await runProgram({ ...payload, url: server.url }, { cwd });
		expect(ending.exitCode).toBe(0);
		expect(ending.text).toContain("the treasure is here");
		expect(server.requests).toHaveLength(3);
	});

	it.each(["tool_call", "seed"])("keeps to the form of tool_call items when told to by %s", async (named) => {
		const server = await startStrictOpenai(TOOL, {
			efforts: ["none"],
			acceptsTemperature: true,
			organizationVerified: true,
		});
		servers.push(server);
		const ending = await runProgram(
			{ ...payload, url: server.url },
			{ cwd, env: { DEPUTIZE_RESPONSES_DIALECT: named } },
		);
		// Forced to that form, it is refused like any program that knows no other.
		expect(ending.exitCode).toBe(1);
		expect(ending.error?.status).toBe(400);
		expect(ending.error?.message).toContain("tool_result");
	});
});

function without(body: Record<string, unknown> | undefined, name: string) {
	return Object.fromEntries(Object.entries(body ?? {}).filter(([key]) => key !== name));
}
