import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { type CallSubagentContext, callSubagent } from "../../../../src/runtimes/loop/call-subagent.ts";
import { createCallSubagentTool } from "../../../../src/runtimes/loop/create-call-subagent-tool.ts";
import {
	type Answer,
	responsesText,
	type ScriptedServer,
	startScriptedServer,
	writeJson,
	writeSse,
} from "../../../helpers/loop-server.ts";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function serve(answers: Answer | Answer[]): Promise<CallSubagentContext> {
	server = await startScriptedServer(answers);
	return {
		model: "m",
		provider: "openai-responses",
		url: `${server.url}/v1/responses`,
		apiKeyName: "K",
		env: { PATH: process.env["PATH"], K: "key-for-test" },
	};
}

describe("callSubagent with a wrong call", () => {
	const context: CallSubagentContext = { provider: "offline", model: "navigator", url: "" };

	it.each([null, undefined, 7, "context"])(
		"answers a context that is %j instead of throwing",
		async (wrong) => {
			const answer = await callSubagent({ prompt: "Find" }, wrong as unknown as CallSubagentContext);
			expect(answer).toBe("Error: Subagent context is not configured");
		},
	);

	it.each([null, undefined, "Find", {}, { prompt: " " }])(
		"answers a request that is %j instead of throwing",
		async (request) => {
			expect(await callSubagent(request as unknown as { prompt: string }, context)).toBe(
				"Error: prompt must be a non-empty string",
			);
		},
	);
});

/** Children of this process that run the program. */
function listPrograms(): readonly string[] {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.filter((pid) => {
			try {
				const status = readFileSync(`/proc/${pid}/status`, "utf8");
				return (
					status.includes(`PPid:\t${process.pid}\n`) &&
					readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("loop/main")
				);
			} catch {
				return false;
			}
		});
}

const text: Answer = (response) => writeSse(response, responsesText("Hello Zoë"));

describe("callSubagent", () => {
	it("returns the text", async () => {
		const context = await serve(text);
		expect(await callSubagent({ prompt: "hi", systemPrompt: "be brief" }, context)).toBe("Hello Zoë");
		expect(server?.requests[0]?.body).toMatchObject({
			model: "m",
			instructions: "be brief",
			temperature: 0.8,
		});
		expect(server?.requests[0]?.headers.authorization).toBe("Bearer key-for-test");
	});

	it("joins the text of all turns and ignores every other event", async () => {
		const call = {
			type: "function_call",
			id: "fc",
			call_id: "c",
			name: "bash_read",
			arguments: '{"filepath":"package.json","limit":1}',
		};
		const context = await serve([
			(response) =>
				writeSse(response, [
					{ type: "response.created", response: { id: "r" } },
					{ type: "response.reasoning_summary_text.delta", delta: "thinking" },
					{ type: "response.output_text.delta", delta: "one " },
					{ type: "response.output_item.done", item: call },
					{ type: "response.completed", response: { id: "r" } },
				]),
			(response) => writeSse(response, responsesText("two")),
		]);
		expect(await callSubagent({ prompt: "hi", toolSubset: ["bash_read"] }, context)).toBe("one two");
	});

	it("names unknown tools, sorted, and starts nothing", async () => {
		const context = await serve(text);
		expect(
			await callSubagent({ prompt: "hi", toolSubset: ["zed", "bash_read", "call_subagent", "zed"] }, context),
		).toBe("Error: Unknown tool names: call_subagent, zed");
		expect(server?.requests).toHaveLength(0);
	});

	it.each([
		[{ prompt: "" }, "Error: prompt must be a non-empty string"],
		[{ prompt: 7 }, "Error: prompt must be a non-empty string"],
		[{ prompt: "x", systemPrompt: 7 }, "Error: system_prompt must be a string"],
		[{ prompt: "x", toolSubset: "bash_read" }, "Error: tool_subset must be a list of tool names"],
	])("refuses %j", async (request, expected) => {
		expect(await callSubagent(request as never, await serve(text))).toBe(expected);
		expect(server?.requests).toHaveLength(0);
	});

	it("says that it is not configured", async () => {
		expect(await callSubagent({ prompt: "x" }, undefined)).toBe("Error: Subagent context is not configured");
	});

	it("does not start a subagent inside a subagent", async () => {
		const context = await serve(text);
		expect(
			await callSubagent({ prompt: "x" }, { ...context, env: { ...context.env, PI_SUBAGENT_CHILD: "1" } }),
		).toMatch(/^Error: .*cannot call/);
	});

	it("turns a failure of the provider into its message, never into an empty success", async () => {
		const context = await serve((response) =>
			writeJson(response, 400, { error: { message: "the context is too long" } }),
		);
		expect(await callSubagent({ prompt: "x" }, context)).toBe(
			"Error: The provider answered 400: the context is too long",
		);
		const cut = await serve((response) => writeSse(response, responsesText("half").slice(0, 2)));
		expect(await callSubagent({ prompt: "x" }, cut)).toMatch(/^Error: The provider's answer was cut off/);
	});

	it("says what is wrong with its own context", async () => {
		const context = await serve(text);
		expect(await callSubagent({ prompt: "x" }, { ...context, url: "nowhere" })).toMatch(
			/^Error: Invalid payload: "url"/,
		);
		expect(await callSubagent({ prompt: "x" }, { ...context, cwd: "/nonexistent-directory" })).toMatch(
			/^Error: .*nonexistent-directory/,
		);
	});

	it.each([
		[
			{ timeoutMs: 100_000_000_000 },
			"timeoutMs must be a whole number from 1 to 2147483647, not 100000000000",
		],
		[{ idleTimeoutMs: 0.5 }, "idleTimeoutMs must be a whole number from 1 to 2147483647, not 0.5"],
	])("refuses a limit that cannot be kept: %j", async (limits, problem) => {
		const context = await serve(text);
		expect(await callSubagent({ prompt: "x" }, { ...context, ...limits })).toBe(`Error: ${problem}`);
		expect(server?.requests).toHaveLength(0);
	});

	it("repeats nobody's key in an error", async () => {
		const key = `sk-proj-${randomBytes(24).toString("hex")}`;
		const context = await serve((response) =>
			writeJson(response, 401, { error: { message: `bad key ${key}` } }),
		);
		expect(await callSubagent({ prompt: "x" }, context)).toBe(
			"Error: The provider answered 401: bad key [REDACTED]. The key is the one in K.",
		);
		expect(await callSubagent({ prompt: "x", toolSubset: [key] }, context)).toBe(
			"Error: Unknown tool names: [REDACTED]",
		);
	});

	it("ends a silent run", async () => {
		const context = await serve(() => undefined);
		expect(await callSubagent({ prompt: "x" }, { ...context, idleTimeoutMs: 300 })).toBe(
			"Error: The provider sent nothing for 300 ms.",
		);
	});

	it("can be cancelled, and leaves nothing behind", async () => {
		const controller = new AbortController();
		const context = await serve(() => controller.abort());
		expect(await callSubagent({ prompt: "x" }, { ...context, signal: controller.signal })).toBe(
			"Error: Subagent was cancelled",
		);
		expect(listPrograms()).toEqual([]);
		expect(await callSubagent({ prompt: "x" }, { ...context, signal: controller.signal })).toBe(
			"Error: Subagent was cancelled",
		);
	});

	it("bounds what it takes", async () => {
		const piece = "x".repeat(512 * 1024);
		const context = await serve((response) =>
			writeSse(response, [
				{ type: "response.created", response: { id: "r" } },
				...Array.from({ length: 8 }, () => ({ type: "response.output_text.delta", delta: piece })),
				{ type: "response.completed", response: { id: "r" } },
			]),
		);
		expect(await callSubagent({ prompt: "x" }, context)).toMatch(
			/^Error: Subagent wrote more than \d+ characters/,
		);
		expect(listPrograms()).toEqual([]);
	});
});

describe("createCallSubagentTool", () => {
	const signal = new AbortController().signal;

	it("is the function as a tool", async () => {
		const tool = createCallSubagentTool(await serve(text));
		expect(tool.name).toBe("call_subagent");
		expect(Object.keys(tool.parameters["properties"] as object)).toEqual([
			"prompt",
			"system_prompt",
			"tool_subset",
		]);
		expect(await tool.execute({ prompt: "hi", system_prompt: "s" }, { cwd: "/", signal })).toEqual({
			text: "Hello Zoë",
			details: {},
			isError: false,
		});
		expect(server?.requests[0]?.body["instructions"]).toBe("s");
	});

	it("called with the input alone gives the answer, or the error, as a string", async () => {
		expect(await createCallSubagentTool(await serve(text)).execute({ prompt: "hi" })).toBe("Hello Zoë");
		const none = createCallSubagentTool(undefined);
		expect(await none.execute({ prompt: "hi" })).toBe("Error: Subagent context is not configured");
	});

	it("marks an error as one", async () => {
		const outcome = await createCallSubagentTool(undefined).execute({ prompt: "hi" }, { cwd: "/", signal });
		expect(outcome).toMatchObject({ isError: true, text: "Error: Subagent context is not configured" });
	});
});
