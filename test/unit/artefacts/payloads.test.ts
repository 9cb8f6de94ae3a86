import { describe, expect, it } from "vitest";
import { parsePayload } from "../../../src/loop/parse-payload.ts";

const EXAMPLE = {
	model: "m",
	provider: "openai-chat",
	url: "https://models.example/v1/chat/completions",
	api_key_name: "MY_KEY",
	prompt: "Find it",
	system_prompt: "You search.",
	tool_subset: ["search_web", "scrape_webpage"],
	think: false,
	temperature: 0.8,
	max_tokens: 8192,
};
const parse = (text: string) => parsePayload(text, { isFromParent: false });
const write = (change: object = {}): string => JSON.stringify({ ...EXAMPLE, ...change });

describe("a payload that works as it is", () => {
	it.each<[string, string, object]>([
		[
			"the example",
			write(),
			{ model: "m", temperature: 0.8, maxTokens: 8192, tools: expect.arrayContaining(["search_web"]) },
		],
		["of Anthropic", write({ provider: "anthropic" }), { provider: "anthropic" }],
		["of Vertex", write({ provider: "vertexai-anthropic" }), { provider: "vertexai-anthropic" }],
		["over several lines", JSON.stringify(EXAMPLE, undefined, 2), { model: "m" }],
		["with tabs", JSON.stringify(EXAMPLE, undefined, "\t"), { model: "m" }],
		[
			"with line ends of Windows",
			JSON.stringify(EXAMPLE, undefined, 2).replaceAll("\n", "\r\n"),
			{ model: "m" },
		],
		["with a line break at its end", `${write()}\n`, { model: "m" }],
		["with a byte order mark", `\uFEFF${write()}`, { model: "m" }],
		[
			"with Python's None",
			write({ system_prompt: null, tool_subset: null, max_tokens: null }),
			{ systemPrompt: "", tools: [] },
		],
		["with Python's floats", write().replace("8192", "8192.0"), { maxTokens: 8192 }],
		["with escaped surrogates", write().replace("Find it", "\\ud83d\\ude00"), { prompt: "😀" }],
		["with a prompt over several lines", write({ prompt: "a\nb" }), { prompt: "a\nb" }],
		[
			"without what is optional",
			JSON.stringify({ provider: "offline", prompt: "x" }),
			{ provider: "offline", think: false },
		],
		["with think", write({ think: true }), { think: true }],
	])("%s", (_name, text, expected) => {
		expect(parse(text)).toMatchObject(expected);
	});

	it.each(["stream", "request_id"])("with a further field, which is named: %s", (name) => {
		expect(parse(write({ [name]: "x" }))).toMatchObject({ model: "m", ignored: [name] });
	});
});

describe("a payload that is refused by name", () => {
	it.each([
		["a word for false", write({ think: "false" }), '"think" must be true or false, not "false"'],
		[
			"another spelling of a provider",
			write({ provider: "OpenAI-Chat" }),
			'"provider" is "OpenAI-Chat"; use one of',
		],
		["an unknown tool", write({ tool_subset: ["shell"] }), "Unknown tool names: shell"],
	])("%s", (_name, text, message) => {
		expect(() => parse(text)).toThrow(message);
	});
});
