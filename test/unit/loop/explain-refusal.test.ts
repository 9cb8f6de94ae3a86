import { describe, expect, it } from "vitest";
import { explainRefusal, mayLackModel } from "../../../src/loop/explain-refusal.ts";
import { LoopError } from "../../../src/loop/loop-error.ts";

const ASKED = {
	provider: "openai-chat",
	url: "http://127.0.0.1:1234/v1/chat/completions",
	model: "m",
	key: "k",
	keyName: "WORK_KEY",
	prefix: "ollama/",
	served: [],
} as const;
const explain = (status: number, message: string, asked: object = {}) =>
	explainRefusal(new LoopError("http_error", message, { status }), { ...ASKED, ...asked }).message;

describe("what a refusal of a service means for a person", () => {
	it.each([
		[
			"the variable of the key",
			401,
			"Incorrect API key",
			{},
			"Incorrect API key. The key is the one in WORK_KEY.",
		],
		["that no key was sent", 401, "Unauthorized.", { key: "" }, "Unauthorized. No API key was sent."],
		[
			"which address would be usual",
			404,
			"The provider answered 404: {}",
			{ url: "http://h:1/v1" },
			"The provider answered 404: {}. Asked was http://h:1/v1. The usual address is http://h:1/v1/chat/completions.",
		],
		["which address was asked", 404, "Not found.", {}, `Not found. Asked was ${ASKED.url}.`],
		[
			"how to get a model of Ollama",
			404,
			'model "qwen3:8b" not found, try pulling it first',
			{ model: "qwen3:8b" },
			'model "qwen3:8b" not found, try pulling it first. Get it with: ollama pull qwen3:8b. What is there: deputize models.',
		],
		[
			"which model was asked for, and where",
			404,
			"The model `m` does not exist.",
			{},
			`The model \`m\` does not exist. It was asked for as "m" at ${ASKED.url}. What is there: deputize models.`,
		],
		[
			"which model was probably meant",
			404,
			'model "qwen3:8x" not found, try pulling it first',
			{ model: "qwen3:8x", served: ["llama3.2:3b", "qwen3:14b", "qwen3:8b"] },
			'model "qwen3:8x" not found, try pulling it first. Get it with: ollama pull qwen3:8x. Did you mean ollama/qwen3:8b, ollama/qwen3:14b?',
		],
		[
			"that the list does not have the model, where the service does not say what is not there",
			404,
			"Not found.",
			{ served: ["a/b"] },
			`Not found. It was asked for as "m" at ${ASKED.url}. What is there: ollama/a/b.`,
		],
		[
			"the address, where the list has the model",
			404,
			"Not found.",
			{ served: ["models/m"] },
			`Not found. Asked was ${ASKED.url}.`,
		],
		[
			"that the context is too short",
			400,
			"the request exceeds the available context size",
			{},
			"the request exceeds the available context size. Ask for less, or take a model or a server setting with a longer context.",
		],
		[
			"that the model takes no tools",
			400,
			"registry.ollama.ai/library/m does not support tools",
			{},
			"registry.ollama.ai/library/m does not support tools. m cannot call tools, and an agent works with nothing else. Take a model that can; deputize models lists those here.",
		],
		["nothing where nothing is known", 400, "bad", {}, "bad"],
		["nothing about a failure of the server", 500, "context length", {}, "context length"],
	])("%s", (_what, status, message, asked, text) => {
		expect(explain(status, message, asked)).toBe(text);
	});
});

it.each([
	[404, "Not found.", true],
	[400, 'Invalid model identifier "m".', true],
	[404, "The API deployment for this resource does not exist.", false],
	[400, "bad", false],
	[500, "model not found", false],
])("%s %s: the service is asked for its list: %s", (status, message, isAsked) => {
	expect(mayLackModel({ facts: { status }, message })).toBe(isAsked);
});
