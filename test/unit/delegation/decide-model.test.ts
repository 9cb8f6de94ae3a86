import { describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../../src/contract/config.ts";
import { decideModel, type ModelFacts, type ModelWishes } from "../../../src/delegation/decide-model.ts";

const MISSING = { why: "pi was not found", gain: "To use pi, install it." };
const NAVIGATOR = "offline/navigator";

type Agent = Parameters<typeof decideModel>[0];
interface State {
	readonly agent?: Agent;
	readonly wishes?: Partial<ModelWishes>;
	readonly facts?: Partial<ModelFacts>;
	readonly env?: Record<string, string>;
}

/** Nothing on the machine but what a state adds. */
function decide({ agent = {}, wishes = {}, facts = {}, env = {} }: State) {
	const { runtime, model, thinking } = DEFAULT_CONFIG.subagents;
	return decideModel(
		agent,
		{ runtime, model, thinking, ...wishes },
		{ env, models: {}, pi: MISSING, piProviders: [], piAddresses: [], programs: [], ...facts },
	);
}

const pi = (...piProviders: string[]): Partial<ModelFacts> => ({
	pi: "installed",
	piProviders,
	piDefault: piProviders[0],
});
const inside = (...piProviders: string[]): Partial<ModelFacts> => ({
	...pi(...piProviders),
	pi: "around us",
});
const both = { programs: ["claude", "codex"] } as const;
const local = { models: { ollama: { model: "qwen3:8b" } } };
const URL_ONLY = { DEPUTIZE_LOOP_URL: "http://127.0.0.1:9/v1" };
const ENDPOINT = { ...URL_ONLY, DEPUTIZE_LOOP_MODEL: "llama3" };
const OPENAI = { OPENAI_API_KEY: "k" };
const GATEWAY = { ...OPENAI, OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
const asked = (requestedModel: string): Partial<ModelWishes> => ({ requestedModel });

describe("which model answers, and in which runtime", () => {
	// What is there, the runtime, the model (undefined: the runtime's own choice), and who decides.
	it.each<[string, State, string, string | undefined, RegExp]>([
		// Nothing is named: what the person has, in this order.
		["nothing at all", {}, "loop", NAVIGATOR, /no credentials/],
		["pi without a key or login", { facts: pi() }, "pi", NAVIGATOR, /no credentials/],
		["pi with a login", { facts: pi("anthropic") }, "pi", undefined, /pi's default/],
		[
			"pi with a login beside programs",
			{ facts: { ...pi("xai"), ...both } },
			"pi",
			undefined,
			/pi's default/,
		],
		["a key without pi", { env: OPENAI }, "loop", "openai/gpt-5.5", /OPENAI_API_KEY/],
		[
			"two keys",
			{ env: { ...OPENAI, ANTHROPIC_API_KEY: "k" } },
			"loop",
			"anthropic/claude-opus-4-8",
			/ANTHROPIC/,
		],
		["a blank key", { env: { OPENAI_API_KEY: " " } }, "loop", NAVIGATOR, /no credentials/],
		["a key beside programs", { env: OPENAI, facts: both }, "loop", "openai/gpt-5.5", /OPENAI_API_KEY/],
		["a key that needs a name", { env: { GROQ_API_KEY: "k" } }, "loop", NAVIGATOR, /no model is named/],
		[
			"a key that needs a name, and its name in the file",
			{ env: { GROQ_API_KEY: "k" }, facts: { models: { groq: { model: "m" } } } },
			"loop",
			"groq/m",
			/GROQ_API_KEY/,
		],
		[
			"a key that needs a name, and Codex",
			{ env: { XAI_API_KEY: "k" }, facts: { programs: ["codex"] } },
			"codex",
			undefined,
			/codex's default/,
		],
		["Claude Code", { facts: { programs: ["claude"] } }, "claude", undefined, /claude's default/],
		["Codex", { facts: { programs: ["codex"] } }, "codex", undefined, /codex's default/],
		["both programs", { facts: both }, "claude", undefined, /claude's default/],
		[
			"pi without a login beside programs",
			{ facts: { ...pi(), ...both } },
			"claude",
			undefined,
			/claude's default/,
		],
		["a server in the file", { facts: local }, "loop", "ollama/qwen3:8b", /models\.ollama\.model/],
		[
			"a server in the file beside Codex",
			{ facts: { ...local, programs: ["codex"] } },
			"codex",
			undefined,
			/codex's/,
		],
		[
			"a server in the file beside an idle pi",
			{ facts: { ...pi(), ...local } },
			"loop",
			"ollama/qwen3:8b",
			/models/,
		],
		[
			"a server in the file beside pi's login",
			{ facts: { ...pi("xai"), ...local } },
			"pi",
			undefined,
			/pi's default/,
		],
		[
			"only a login of a pi that is gone",
			{ facts: { piProviders: ["anthropic"] } },
			"loop",
			NAVIGATOR,
			/no model/,
		],
		[
			"a command that prints a key",
			{ facts: { models: { mistral: { model: "m", keyCommand: ["pass"] } }, programs: ["claude"] } },
			"loop",
			"mistral/m",
			/keyCommand/,
		],
		// Variables.
		["an endpoint", { env: ENDPOINT }, "loop", "llama3", /DEPUTIZE_LOOP_MODEL/],
		[
			"an endpoint beside pi's login",
			{ env: ENDPOINT, facts: pi("xai") },
			"loop",
			"llama3",
			/DEPUTIZE_LOOP_MODEL/,
		],
		["an endpoint and a flag", { env: ENDPOINT, wishes: asked("x/b") }, "loop", "x/b", /asked for/],
		[
			"an endpoint and an agent's model",
			{ env: ENDPOINT, agent: { model: "x/b" } },
			"loop",
			"x/b",
			/its file/,
		],
		[
			"an endpoint and subagents.model",
			{ env: ENDPOINT, wishes: { model: "x/b" } },
			"loop",
			"llama3",
			/DEPUTIZE/,
		],
		["an endpoint inside pi", { env: ENDPOINT, facts: inside("xai") }, "pi", undefined, /pi's default/],
		[
			"an endpoint, asked to work offline",
			{ env: ENDPOINT, wishes: { offline: true } },
			"loop",
			NAVIGATOR,
			/asked for/,
		],
		[
			"a model in a variable",
			{ env: { ...OPENAI, DEPUTIZE_LOOP_MODEL: "openai/x" } },
			"loop",
			"openai/x",
			/DEPUTIZE_LOOP_MODEL/,
		],
		["a gateway", { env: GATEWAY }, "loop", "openai/gpt-5.5", /OPENAI_API_KEY/],
		[
			"a gateway without a key",
			{ env: { OPENAI_BASE_URL: "http://h" } },
			"loop",
			"openai/gpt-5.5",
			/OPENAI_BASE_URL/,
		],
		[
			"a gateway that pi would pass by",
			{ env: GATEWAY, facts: pi("openai") },
			"loop",
			"openai/gpt-5.5",
			/OPENAI_API_KEY/,
		],
		[
			"a gateway that pi would pass by, and a name",
			{ env: GATEWAY, facts: pi("openai"), wishes: asked("openai/x") },
			"loop",
			"openai/x",
			/asked for/,
		],
		[
			"a gateway in pi's own file",
			{ env: GATEWAY, facts: { ...pi("openai"), piAddresses: ["openai"] } },
			"pi",
			undefined,
			/pi's default/,
		],
		[
			"a gateway of another service",
			{ env: GATEWAY, facts: pi("xai", "openai") },
			"pi",
			undefined,
			/pi's default/,
		],
		[
			"a gateway inside pi",
			{ env: GATEWAY, facts: inside("openai"), wishes: { parentModel: "openai/p" } },
			"pi",
			"openai/p",
			/main agent's/,
		],
		// Names.
		["a flag with a key", { env: OPENAI, wishes: asked("openai/x") }, "loop", "openai/x", /asked for/],
		[
			"a flag with a name alone",
			{ env: OPENAI, wishes: asked("gpt-x:high") },
			"loop",
			"openai/gpt-x",
			/asked for/,
		],
		["a flag with pi", { facts: pi("xai"), wishes: asked("openai/x") }, "pi", "openai/x", /asked for/],
		["a local flag", { wishes: asked("ollama/qwen3:8b") }, "loop", "ollama/qwen3:8b", /asked for/],
		[
			"a local flag with pi",
			{ facts: pi("xai"), wishes: asked("lmstudio/a/b") },
			"loop",
			"lmstudio/a/b",
			/asked for/,
		],
		[
			"a local flag that pi knows",
			{ facts: pi("ollama"), wishes: asked("ollama/a") },
			"pi",
			"ollama/a",
			/asked for/,
		],
		[
			"a local flag inside pi",
			{ facts: inside("xai"), wishes: asked("vllm/a/b") },
			"loop",
			"vllm/a/b",
			/asked for/,
		],
		[
			"a model that Claude Code has",
			{ facts: both, wishes: asked("anthropic/x") },
			"claude",
			"anthropic/x",
			/asked for/,
		],
		["a model that Codex has", { facts: both, wishes: asked("openai/x") }, "codex", "openai/x", /asked for/],
		[
			"an agent's own model",
			{ env: OPENAI, agent: { model: "openai/a" }, wishes: { model: "openai/all" } },
			"loop",
			"openai/a",
			/its file/,
		],
		[
			"subagents.model",
			{ env: OPENAI, wishes: { model: "openai/all" } },
			"loop",
			"openai/all",
			/subagents\.model/,
		],
		[
			"subagents.model before the parent's",
			{ facts: inside("x"), wishes: { model: "x/all", parentModel: "x/p" } },
			"pi",
			"x/all",
			/subagents\.model/,
		],
		[
			"the parent's model",
			{ facts: inside("x"), wishes: { parentModel: "x/p" } },
			"pi",
			"x/p",
			/main agent's/,
		],
		["the navigator by name", { facts: pi("xai"), wishes: asked("offline") }, "pi", NAVIGATOR, /asked for/],
		// Runtimes by name, and the calling client.
		[
			"--runtime loop beside pi",
			{ env: OPENAI, facts: pi("openai"), wishes: { requestedRuntime: "loop" } },
			"loop",
			"openai/gpt-5.5",
			/OPENAI/,
		],
		[
			"--runtime loop with a login of pi only",
			{ facts: pi("xai"), wishes: { requestedRuntime: "loop" } },
			"loop",
			NAVIGATOR,
			/no model/,
		],
		[
			"--runtime codex",
			{ wishes: { requestedRuntime: "codex", model: "anthropic/x, openai/y" } },
			"codex",
			"openai/y",
			/subagents/,
		],
		[
			"the agent's runtime",
			{ agent: { runtime: "claude" }, facts: pi("xai") },
			"claude",
			undefined,
			/claude's/,
		],
		[
			"subagents.runtime",
			{ facts: { ...pi("xai"), ...both }, wishes: { runtime: "codex" } },
			"codex",
			undefined,
			/codex's/,
		],
		["a calling client", { facts: { ...pi("xai"), clientProgram: "codex" } }, "codex", undefined, /codex's/],
		[
			"a calling client, asked for another's model",
			{ facts: { ...pi("xai"), clientProgram: "codex" }, wishes: asked("xai/x") },
			"pi",
			"xai/x",
			/asked for/,
		],
		[
			"a calling client inside pi",
			{ facts: { ...inside("xai"), clientProgram: "codex" } },
			"pi",
			undefined,
			/pi's default/,
		],
		[
			"a calling client, asked to work offline",
			{ facts: { ...pi(), clientProgram: "claude" }, wishes: { offline: true } },
			"pi",
			NAVIGATOR,
			/asked for/,
		],
	])("%s", (_state, state, runtime, model, why) => {
		const decision = decide(state);
		expect(decision.runtime.name).toBe(runtime);
		expect(decision.model.model).toBe(model);
		expect(decision.model.why).toMatch(why);
	});

	it.each<[string, State, RegExp]>([
		["an endpoint without a model", { env: URL_ONLY }, /DEPUTIZE_LOOP_URL is set but no model is named/],
		[
			"pi by name beside a gateway that it would pass by",
			{ env: GATEWAY, facts: pi("openai"), wishes: { requestedRuntime: "pi" } },
			/OPENAI_BASE_URL is set, and pi would send its requests past that address/,
		],
		[
			"pi by name with a model whose gateway it would pass by",
			{
				env: { ANTHROPIC_BASE_URL: "http://h" },
				facts: pi("xai"),
				wishes: { requestedRuntime: "pi", requestedModel: "anthropic/x" },
			},
			/ANTHROPIC_BASE_URL/,
		],
	])("refuses %s", (_state, state, message) => {
		expect(() => decide(state)).toThrow(message);
	});

	it.each<[string, State, RegExp]>([
		[
			"what it looked for",
			{},
			/not by a language model.*ANTHROPIC_API_KEY.*pi, Claude Code or Codex.*"models"/,
		],
		[
			"which key needs a name",
			{ env: { OPENROUTER_API_KEY: "k" } },
			/OPENROUTER_API_KEY is set.*--model openrouter\//,
		],
		[
			"that pi is gone",
			{ facts: { piProviders: ["anthropic"] } },
			/credentials \(anthropic\), but pi was not found/,
		],
	])("a navigator that nobody asked for says %s", (_what, state, notice) => {
		expect(decide(state).model.notice).toMatch(notice);
	});

	it("a thinking level goes with every model of a list, unless one has its own", () => {
		const agent: Agent = { model: "x/a", fallbackModels: ["x/b:off", "offline"], thinking: "high" };
		expect(decide({ agent, facts: pi("x"), wishes: { thinking: "low" } }).model).toMatchObject({
			model: "x/a",
			thinkingLevel: "high",
			fallbacks: [{ model: "x/b", thinkingLevel: "off" }, { model: NAVIGATOR }],
		});
	});

	it("the parent's thinking level comes with the parent's model, unless one is configured", () => {
		const wishes = { parentModel: "x/p", parentThinkingLevel: "high" };
		expect(decide({ facts: inside("x"), wishes }).model).toMatchObject({ thinkingLevel: "high" });
		expect(decide({ facts: inside("x"), wishes: { ...wishes, thinking: "low" } }).model).toMatchObject({
			model: "x/p",
			thinkingLevel: "low",
		});
		expect(decide({ facts: pi("x"), wishes: { thinking: "minimal" } }).model).toMatchObject({
			thinkingLevel: "minimal",
			isNamed: false,
		});
	});

	it("says that pi is missing where an agent runs without it", () => {
		expect(decide({ env: OPENAI }).runtime.notice).toContain("pi was not found");
		expect(decide({ wishes: asked("nobody/knows-it") }).runtime.name).toBe("loop");
	});
});
