import { describe, expect, it } from "vitest";
import type { ServiceTable } from "../../../../src/contract/model-services.ts";
import { describeMissingTools, toLoopTools } from "../../../../src/runtimes/loop/map-tools.ts";
import { parseLoopEvent } from "../../../../src/runtimes/loop/parse-loop-event.ts";
import { resolveLoopModel } from "../../../../src/runtimes/loop/resolve-loop-model.ts";

const resolve = (named: string, env: Record<string, string> = {}, models: ServiceTable = {}) =>
	resolveLoopModel(named, { env, models });

describe("resolveLoopModel", () => {
	it("is the navigator when asked", () => {
		expect(resolve("offline", { OPENAI_API_KEY: "k" })).toMatchObject({ provider: "offline", url: "" });
		expect(resolve("offline/navigator")).toMatchObject({ provider: "offline" });
	});

	it("finds the service by the name before the slash", () => {
		expect(resolve("openai/gpt-x", { OPENAI_API_KEY: "k" })).toEqual({
			name: "openai/gpt-x",
			provider: "openai-responses",
			url: "https://api.openai.com/v1/responses",
			apiKeyName: "OPENAI_API_KEY",
			model: "gpt-x",
		});
	});

	it.each([
		["ollama/qwen3:8b", "qwen3:8b", "http://127.0.0.1:11434/v1/chat/completions"],
		[
			"ollama/hf.co/unsloth/Qwen3-GGUF:Q4",
			"hf.co/unsloth/Qwen3-GGUF:Q4",
			"http://127.0.0.1:11434/v1/chat/completions",
		],
		["lmstudio/publisher/model", "publisher/model", "http://127.0.0.1:1234/v1/chat/completions"],
		["llamacpp/any", "any", "http://127.0.0.1:8080/v1/chat/completions"],
		["vllm/Qwen/Qwen3-8B", "Qwen/Qwen3-8B", "http://127.0.0.1:8000/v1/chat/completions"],
	])("%s needs no key and keeps every part of its name", (named, model, url) => {
		expect(resolve(named)).toMatchObject({
			name: named,
			model,
			url,
			apiKeyName: "",
			provider: "openai-chat",
		});
	});

	const gateway = "http://127.0.0.1:9";
	it.each([
		["anthropic", "ANTHROPIC_BASE_URL", "/v1/messages"],
		["openai", "OPENAI_BASE_URL", "/v1/chat/completions"],
		["openai", "OPENAI_API_BASE", "/v1/chat/completions"],
		["google", "GOOGLE_GEMINI_BASE_URL", "/v1beta/openai/chat/completions"],
		["azure", "AZURE_OPENAI_BASE_URL", "/v1/responses"],
		["openrouter", "OPENROUTER_BASE_URL", "/api/v1/chat/completions"],
		["xai", "XAI_BASE_URL", "/v1/chat/completions"],
		["groq", "GROQ_BASE_URL", "/openai/v1/chat/completions"],
		["cerebras", "CEREBRAS_BASE_URL", "/v1/chat/completions"],
		["mistral", "MISTRAL_BASE_URL", "/v1/chat/completions"],
		["deepseek", "DEEPSEEK_BASE_URL", "/v1/chat/completions"],
		["ollama", "OLLAMA_BASE_URL", "/v1/chat/completions"],
		["ollama", "OLLAMA_HOST", "/v1/chat/completions"],
		["lmstudio", "LMSTUDIO_BASE_URL", "/v1/chat/completions"],
		["llamacpp", "LLAMACPP_BASE_URL", "/v1/chat/completions"],
		["vllm", "VLLM_BASE_URL", "/v1/chat/completions"],
	])("%s goes where %s says, and needs no key there", (service, variable, path) => {
		expect(resolve(`${service}/m`, { [variable]: gateway }).url).toBe(`${gateway}${path}`);
		expect(resolve(`${service}/m`, { [variable]: `${gateway}/` }).url).toBe(`${gateway}${path}`);
	});

	it("asks Vertex for the model in its path", () => {
		const env = { GOOGLE_CLOUD_PROJECT: "p", CLOUD_ML_REGION: "europe-west1" };
		expect(resolve("vertex/claude-x", env)).toMatchObject({
			provider: "vertexai-anthropic",
			url: "https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1/publishers/anthropic/models/claude-x:streamRawPredict",
		});
		const gateway = { ...env, ANTHROPIC_VERTEX_BASE_URL: "http://h:1/v1/" };
		expect(resolve("vertex/claude-x", gateway).url).toMatch(
			/^http:\/\/h:1\/v1\/projects\/p\/.*claude-x:stream/,
		);
		expect(() => resolve("vertex/claude-x")).toThrow(/the address of vertex is not known/);
	});

	it.each([
		["http://h:1/v1", "http://h:1/v1/chat/completions"],
		["http://h:1/v1/", "http://h:1/v1/chat/completions"],
		["http://h:1", "http://h:1/v1/chat/completions"],
		["http://h:1/proxy/openai/", "http://h:1/proxy/openai/chat/completions"],
		["http://h:1/v1?team=a", "http://h:1/v1/chat/completions?team=a"],
		["http://h:1/v1/chat/completions", "http://h:1/v1/chat/completions"],
		["http://h:1/v1/responses", "http://h:1/v1/responses"],
		["h:1", "http://h:1/v1/chat/completions"],
		["0.0.0.0:1", "http://127.0.0.1:1/v1/chat/completions"],
		[":1", "http://127.0.0.1:1/v1/chat/completions"],
	])("takes a base URL as people write it: %s", (written, url) => {
		expect(resolve("openai/m", { OPENAI_BASE_URL: written, OPENAI_API_KEY: "k" }).url).toBe(url);
	});

	it("takes a host alone with the usual port", () => {
		expect(resolve("ollama/m", { OLLAMA_HOST: "gpu" }).url).toBe("http://gpu:11434/v1/chat/completions");
	});

	it("takes the configuration where no variable is set, and a service of the user's own", () => {
		const models = {
			openai: { baseUrl: "http://file/v1" },
			work: {
				baseUrl: "https://gateway.example/llm/v1",
				keyEnv: "WORK_KEY",
				headers: { "x-team": "a" },
				price: { input: 1, output: 2 },
			},
		};
		expect(resolve("openai/m", {}, models).url).toBe("http://file/v1/chat/completions");
		const env = { OPENAI_BASE_URL: "http://variable/v1", WORK_KEY: "k" };
		expect(resolve("openai/m", env, models).url).toBe("http://variable/v1/chat/completions");
		expect(resolve("work/a/b", env, models)).toEqual({
			name: "work/a/b",
			provider: "openai-chat",
			model: "a/b",
			url: "https://gateway.example/llm/v1/chat/completions",
			apiKeyName: "WORK_KEY",
			headers: { "x-team": "a" },
			price: { input: 1, output: 2, cacheRead: 1, cacheWrite: 1 },
		});
		expect(() => resolve("work/a", {}, models)).toThrow(/WORK_KEY/);
	});

	it("takes a name alone for the only service that can be meant", () => {
		expect(resolve("gpt-x", { OPENAI_API_KEY: "k" })).toMatchObject({ name: "openai/gpt-x" });
		const models = { ollama: { model: "qwen3:8b" } };
		expect(resolve("hf.co/unsloth/Qwen3-GGUF:Q4", {}, models)).toMatchObject({
			name: "ollama/hf.co/unsloth/Qwen3-GGUF:Q4",
			model: "hf.co/unsloth/Qwen3-GGUF:Q4",
		});
	});

	it("takes a misspelled service for no part of a name", () => {
		const models = { work: { baseUrl: "http://x/v1", model: "a" } };
		expect(() => resolve("wrok/a", {}, models)).toThrow(
			'there is no service "wrok". Did you mean work/a? A model of work that is called so is work/wrok/a.',
		);
		expect(() => resolve("olama/a", {}, models)).toThrow("Did you mean ollama/a?");
		expect(resolve("mistralai/Mistral-7B", {}, models)).toMatchObject({ name: "work/mistralai/Mistral-7B" });
		expect(resolve("x-ai/grok-4", {}, models)).toMatchObject({ name: "work/x-ai/grok-4" });
		expect(resolve("Google/gemma-3", {}, models)).toMatchObject({ name: "work/Google/gemma-3" });
		expect(resolve("work/wrok/a", {}, models)).toMatchObject({ model: "wrok/a" });
	});

	it("uses an endpoint that was set by hand", () => {
		const env = {
			DEPUTIZE_LOOP_URL: "http://127.0.0.1:8080/v1/messages",
			DEPUTIZE_LOOP_PROVIDER: "anthropic",
			DEPUTIZE_LOOP_API_KEY_NAME: "LOCAL_KEY",
			DEPUTIZE_LOOP_MAX_TOKENS: "99",
			DEPUTIZE_LOOP_PRICE: "3,15",
		};
		expect(resolve("local", env)).toEqual({
			name: "local",
			provider: "anthropic",
			url: env.DEPUTIZE_LOOP_URL,
			model: "local",
			apiKeyName: "LOCAL_KEY",
			maxTokens: 99,
			price: { input: 3, output: 15, cacheRead: 3, cacheWrite: 3 },
		});
	});

	it.each([
		["qwen3", "qwen3"],
		["publisher/model", "publisher/model"],
		["hf.co/unsloth/Qwen3-GGUF:Q4", "hf.co/unsloth/Qwen3-GGUF:Q4"],
		["ollama/qwen3", "qwen3"],
		["custom/openai/gpt-oss-20b", "openai/gpt-oss-20b"],
		["openai/its-own-name", "openai/its-own-name"],
	])("asks that endpoint for %s as %s", (named, model) => {
		const env = { DEPUTIZE_LOOP_URL: "http://x/v1", DEPUTIZE_LOOP_MODEL: "openai/its-own-name" };
		expect(resolve(named, env)).toMatchObject({ name: named, model, url: "http://x/v1/chat/completions" });
	});

	it.each([
		["http://x", "http://x/v1/chat/completions"],
		["http://x/v1/", "http://x/v1/chat/completions"],
		["http://x/v1/responses", "http://x/v1/responses"],
		["http://x/some/place", "http://x/some/place"],
	])("completes a base URL there, and takes anything else as it is: %s", (written, url) => {
		expect(resolve("m", { DEPUTIZE_LOOP_URL: written }).url).toBe(url);
	});

	it.each([
		["an unknown service", "acme/model", { OPENAI_API_KEY: "k" }, /acme\/model.*DEPUTIZE_LOOP_URL.*pi/],
		["a missing key", "openai/gpt-x", {}, /OPENAI_API_KEY/],
		[
			"a name that several could serve",
			"m",
			{ OPENAI_API_KEY: "k", GROQ_API_KEY: "k" },
			/openai\/m, groq\/m/,
		],
		["a service without a model", "ollama/", {}, /ollama\/qwen3/],
		["an address that is none", "openai/m", { OPENAI_BASE_URL: "ftp://x" }, /OPENAI_BASE_URL is "ftp:\/\/x"/],
		[
			"an address with a password",
			"openai/m",
			{ OPENAI_BASE_URL: "http://u:pass@x" },
			/with a user name(?!.*pass)/,
		],
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
	])("refuses %s and says what to do", (_name, model, env: Record<string, string>, message) => {
		expect(() => resolve(model, env)).toThrow(message);
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
		expect(toLoopTools({ tools: [...granted, "write", "other_extension"], worksInLayer: false })).toEqual(
			granted,
		);
		expect(describeMissingTools({ tools: granted, worksInLayer: false })).toBe("");
		expect(describeMissingTools({ tools: ["read", "write", "bash"], worksInLayer: false })).toBe(
			"- Not available here: write, bash.",
		);
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
