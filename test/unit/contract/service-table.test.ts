import { describe, expect, it } from "vitest";
import { serviceTable } from "../../../src/contract/service-table.ts";

const { accepts, tighten } = serviceTable("");

describe("models in the configuration", () => {
	it.each([
		[{}],
		[{ ollama: { model: "qwen3:8b", contextLength: 32768, maxTokens: 100 } }],
		[{ work: { baseUrl: "https://h/v1", dialect: "anthropic", keyEnv: "WORK_KEY" } }],
		[{ work: { baseUrl: "https://h", keyCommand: ["pass", "x"], headers: { "x-team": "a" } } }],
		[{ groq: { price: { input: 1, output: 2, cacheRead: 0 } } }],
	])("takes %j", (value) => {
		expect(accepts(value)).toBe(true);
	});

	it.each([
		["a service of the user's own without an address", { work: { model: "m" } }],
		["the names that mean something else", { custom: { baseUrl: "http://h" } }],
		["a key", { openai: { apiKey: "sk-x" } }],
		["a key in a header", { openai: { headers: { Authorization: "Bearer x" } } }],
		["a key under another name in a header", { openai: { headers: { "x-api-key": "x" } } }],
		["a header of two lines", { openai: { headers: { "x-team": "a\nb" } } }],
		["a key in place of a variable's name", { openai: { keyEnv: "sk-x" } }],
		["a command that is one text", { openai: { keyCommand: "pass x" } }],
		["half a price", { openai: { price: { input: 1 } } }],
		["a dialect that nobody speaks", { openai: { dialect: "offline" } }],
		["an address that is none", { openai: { baseUrl: "h:1" } }],
	])("refuses %s", (_what, value) => {
		expect(accepts(value)).toBe(false);
	});

	it("is not for a project to say", () => {
		expect(tighten({}, { ollama: { model: "x" } })).toBeUndefined();
	});
});
