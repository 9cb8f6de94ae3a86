import { describe, expect, it } from "vitest";
import { describeMissingTools, toLoopTools } from "../../../../src/runtimes/loop/map-tools.ts";
import { parseLoopEvent } from "../../../../src/runtimes/loop/parse-loop-event.ts";
import { resolveLoopModel } from "../../../../src/runtimes/loop/resolve-loop-model.ts";

describe("resolveLoopModel", () => {
	it("is offline when asked, and when there is nothing else", () => {
		expect(resolveLoopModel("offline", { OPENAI_API_KEY: "k" })).toMatchObject({
			provider: "offline",
			url: "",
		});
		expect(resolveLoopModel("offline/navigator", {})).toMatchObject({ provider: "offline" });
		expect(resolveLoopModel(undefined, {})).toMatchObject({ provider: "offline" });
	});

	it("finds the service by the name before the slash", () => {
		expect(resolveLoopModel("openai/gpt-x", { OPENAI_API_KEY: "k" })).toEqual({
			provider: "openai-responses",
			url: "https://api.openai.com/v1/responses",
			apiKeyName: "OPENAI_API_KEY",
			model: "gpt-x",
			defaultModel: expect.any(String),
		});
		expect(resolveLoopModel("openrouter/some/model", { OPENROUTER_API_KEY: "k" })).toMatchObject({
			provider: "openai-chat",
			model: "some/model",
		});
	});

	it("takes the service whose key is set when no model is named", () => {
		expect(resolveLoopModel(undefined, { OPENAI_API_KEY: "k" })).toMatchObject({
			provider: "openai-responses",
		});
		expect(resolveLoopModel(undefined, { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" })).toMatchObject({
			provider: "anthropic",
		});
		expect(resolveLoopModel(undefined, { ANTHROPIC_API_KEY: " " })).toMatchObject({ provider: "offline" });
	});

	it("uses an endpoint that was set by hand", () => {
		const env = {
			DEPUTIZE_LOOP_URL: "http://127.0.0.1:8080/v1/messages",
			DEPUTIZE_LOOP_PROVIDER: "anthropic",
			DEPUTIZE_LOOP_MODEL: "local",
			DEPUTIZE_LOOP_API_KEY_NAME: "LOCAL_KEY",
			DEPUTIZE_LOOP_MAX_TOKENS: "99",
			DEPUTIZE_LOOP_PRICE: "3,15",
		};
		expect(resolveLoopModel(undefined, env)).toEqual({
			provider: "anthropic",
			url: env.DEPUTIZE_LOOP_URL,
			model: "local",
			apiKeyName: "LOCAL_KEY",
			maxTokens: 99,
			price: { input: 3, output: 15, cacheRead: 3, cacheWrite: 3 },
		});
		expect(resolveLoopModel("any/other", { DEPUTIZE_LOOP_URL: "http://x/" })).toMatchObject({
			provider: "openai-chat",
			model: "other",
		});
	});

	it.each([
		["an unknown service", "acme/model", {}, /acme\/model.*DEPUTIZE_LOOP_URL/],
		["a missing key", "openai/gpt-x", {}, /OPENAI_API_KEY/],
		["a name without a service", "gpt-x", { OPENAI_API_KEY: "k" }, /service\/model/],
		["an endpoint without a model", undefined, { DEPUTIZE_LOOP_URL: "http://x/" }, /DEPUTIZE_LOOP_MODEL/],
		[
			"an unknown kind of endpoint",
			"a/b",
			{ DEPUTIZE_LOOP_URL: "http://x/", DEPUTIZE_LOOP_PROVIDER: "gemini" },
			/DEPUTIZE_LOOP_PROVIDER/,
		],
		[
			"a price that is none",
			"a/b",
			{ DEPUTIZE_LOOP_URL: "http://x/", DEPUTIZE_LOOP_PRICE: "cheap" },
			/DEPUTIZE_LOOP_PRICE/,
		],
		[
			"a limit that is none",
			"a/b",
			{ DEPUTIZE_LOOP_URL: "http://x/", DEPUTIZE_LOOP_MAX_TOKENS: "-1" },
			/DEPUTIZE_LOOP_MAX_TOKENS/,
		],
	])("refuses %s and says what to do", (_name, model, env, message) => {
		expect(() => resolveLoopModel(model, env)).toThrow(message);
	});
});

describe("toLoopTools", () => {
	it("gives an agent the tools it has in pi, and names those it does not have", () => {
		const granted = [
			"read",
			"grep",
			"find",
			"ls",
			"web_search",
			"fetch_content",
			"get_search_content",
			"lsp",
		];
		expect(toLoopTools([...granted, "write", "other_extension"])).toEqual(granted);
		expect(describeMissingTools(granted)).toBe("");
		expect(describeMissingTools(["read", "write", "bash"])).toBe("- Not available here: write, bash.");
	});
});

describe("parseLoopEvent", () => {
	const line = (data: unknown) => Buffer.from(`data: ${JSON.stringify(data)}`);

	it("reads text, the end, and what the child reports", () => {
		expect(parseLoopEvent(line({ id: "", delta: "hi", type: "output_text" }))).toEqual({
			type: "text-delta",
			text: "hi",
		});
		expect(parseLoopEvent(line({ id: "", delta: "", type: "response_end" }))).toEqual({
			type: "settled",
			aborted: false,
		});
		const event = { type: "tool-start", id: "1", name: "bash_read", args: {} };
		expect(parseLoopEvent(line({ id: "", delta: JSON.stringify(event), type: "child_event" }))).toEqual(
			event,
		);
	});

	it.each([
		["another field", Buffer.from("event: output_text")],
		["an empty line", Buffer.alloc(0)],
		["broken JSON", Buffer.from("data: {")],
		["another event", line({ delta: "x", type: "reasoning_content" })],
		["an event the contract does not know", line({ delta: '{"type":"child-end"}', type: "child_event" })],
		["broken JSON inside", line({ delta: "{", type: "child_event" })],
	])("ignores %s", (_name, bytes) => {
		expect(parseLoopEvent(bytes)).toBeUndefined();
	});
});
