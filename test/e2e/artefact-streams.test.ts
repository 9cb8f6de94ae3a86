import { afterEach, describe, expect, it } from "vitest";
import { runProgram } from "../helpers/loop-program.ts";
import { type ScriptedServer, startScriptedServer } from "../helpers/loop-server.ts";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

const RESPONSES = [
	{ type: "response.created", response: { id: "r" } },
	{ type: "response.output_text.delta", item_id: "m", delta: "Hello " },
	{ type: "response.output_text.delta", item_id: "m", delta: "Zoë" },
	{
		type: "response.completed",
		response: { id: "r", status: "completed", usage: { input_tokens: 3, output_tokens: 2 } },
	},
];
const CHAT = [
	{ id: "c", choices: [{ index: 0, delta: { role: "assistant", content: "Hello " } }] },
	{ id: "c", choices: [{ index: 0, delta: { content: "Zoë" }, finish_reason: "stop" }] },
];
const ANTHROPIC = [
	{ type: "message_start", message: { id: "a", usage: { input_tokens: 3, output_tokens: 1 } } },
	{ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
	{ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello Zoë" } },
	{ type: "content_block_stop", index: 0 },
	{ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
	{ type: "message_stop" },
];
const lines = (events: readonly object[], before = ""): string =>
	events.map((event) => `${before}data: ${JSON.stringify(event)}\n\n`).join("");
const named = (events: readonly { readonly type?: string }[]): string =>
	events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
/** The type in the `event:` line alone. */
const typedByName = (events: readonly { readonly type?: string }[]): string =>
	events.map(({ type, ...data }) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`).join("");

describe("a stream of a provider that is read as it is", () => {
	it.each<[string, string, string]>([
		["Responses, data only", "openai-responses", lines(RESPONSES)],
		["Responses, with event lines", "openai-responses", named(RESPONSES)],
		["Responses, with its types in event lines only", "openai-responses", typedByName(RESPONSES)],
		["Responses, line ends of Windows", "openai-responses", named(RESPONSES).replaceAll("\n", "\r\n")],
		[
			"Responses, no blank after the colon",
			"openai-responses",
			lines(RESPONSES).replaceAll("data: ", "data:"),
		],
		["Responses, comments", "openai-responses", lines(RESPONSES, ": ping\n")],
		["Responses, a byte order mark", "openai-responses", `\uFEFF${lines(RESPONSES)}`],
		["Responses, id and retry", "openai-responses", lines(RESPONSES, "id: 1\nretry: 500\n")],
		[
			"Responses, an event nobody knows",
			"openai-responses",
			lines([{ type: "response.from_the_future" }, ...RESPONSES]),
		],
		["Chat, with [DONE]", "openai-chat", `${lines(CHAT)}data: [DONE]\n\n`],
		["Chat, without [DONE]", "openai-chat", lines(CHAT)],
		["Anthropic", "anthropic", named(ANTHROPIC)],
		["Anthropic, with its types in event lines only", "anthropic", typedByName(ANTHROPIC)],
	])("%s", async (_name, provider, body) => {
		server = await startScriptedServer((response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.end(body);
		});
		const ending = await runProgram({
			provider,
			model: "m",
			url: `${server.url}/x`,
			api_key_name: "TEST_KEY",
			prompt: "hi",
		});
		expect(ending.error).toBeUndefined();
		expect(ending.text).toBe("Hello Zoë");
		expect(ending.exitCode).toBe(0);
	});
});
