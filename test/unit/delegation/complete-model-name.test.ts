import { afterEach, expect, it, vi } from "vitest";
import { completeModelName } from "../../../src/delegation/complete-model-name.ts";

const SERVED = ["qwen/qwen3-8b", "qwen/qwen3-8b-coder", "openai/gpt-oss-20b"];
const fetched = vi.fn(async () => Response.json({ data: SERVED.map((id) => ({ id })) }));

afterEach(() => {
	vi.unstubAllGlobals();
	fetched.mockClear();
});

const complete = (named: string, env: Record<string, string> = {}, models = {}) => {
	vi.stubGlobal("fetch", fetched);
	return completeModelName(named, { env, models });
};

it.each([
	["a part of one", "lmstudio/OSS", "lmstudio/openai/gpt-oss-20b"],
	["a part of several", "lmstudio/qwen", "lmstudio/qwen"],
	["a whole name that is a part of another", "lmstudio/qwen/qwen3-8b", "lmstudio/qwen/qwen3-8b"],
	["a part of none", "lmstudio/zephyr", "lmstudio/zephyr"],
])("%s, of a server on this machine", async (_what, named, whole) => {
	expect(await complete(named)).toBe(whole);
	expect(fetched).toHaveBeenCalledOnce();
});

it.each([
	["a vendor", "openai/oss", { OPENAI_API_KEY: "k" }, {}],
	["a server on another machine", "ollama/oss", { OLLAMA_HOST: "192.0.2.1" }, {}],
	["one whose key a command prints", "ollama/oss", {}, { ollama: { keyCommand: ["false"] } }],
	["an address that was set by hand", "custom/oss", { DEPUTIZE_LOOP_URL: "http://127.0.0.1:9/v1" }, {}],
	["the navigator", "offline/navigator", {}, {}],
	["a name that is refused anyway", "openai/oss", {}, {}],
])("%s is not asked before a run", async (_what, named, env, models) => {
	expect(await complete(named, env, models)).toBe(named);
	expect(fetched).not.toHaveBeenCalled();
});

it("a list that does not come changes nothing", async () => {
	fetched.mockRejectedValueOnce(new TypeError("fetch failed"));
	expect(await complete("ollama/oss")).toBe("ollama/oss");
});
