import { type Environment, messageOf } from "@deputize/ground";
import { DelegationError } from "../../contract/error-codes.ts";
import { LOOP_PROVIDERS, type LoopProviderName, type TokenPrice } from "../../contract/loop.ts";
import { isOfflineModel } from "../../contract/offline-model.ts";
import { splitModel } from "../../contract/split-model.ts";

export interface LoopModel {
	readonly provider: LoopProviderName;
	readonly model: string;
	readonly url: string;
	readonly apiKeyName: string;
	readonly maxTokens?: number;
	readonly price?: TokenPrice;
}

interface Service {
	readonly provider: LoopProviderName;
	readonly url: string;
	readonly apiKeyName: string;
	/** Used when only the key says which service is wanted. */
	readonly defaultModel?: string;
}

const chat = (url: string, apiKeyName: string): Service => ({ provider: "openai-chat", url, apiKeyName });

/** Services by the name that comes before the slash in `provider/model`. */
const SERVICES: Readonly<Record<string, Service>> = {
	anthropic: {
		provider: "anthropic",
		url: "https://api.anthropic.com/v1/messages",
		apiKeyName: "ANTHROPIC_API_KEY",
		defaultModel: "claude-opus-4-8",
	},
	openai: {
		provider: "openai-responses",
		url: "https://api.openai.com/v1/responses",
		apiKeyName: "OPENAI_API_KEY",
		defaultModel: "gpt-5.5",
	},
	openrouter: chat("https://openrouter.ai/api/v1/chat/completions", "OPENROUTER_API_KEY"),
	xai: chat("https://api.x.ai/v1/chat/completions", "XAI_API_KEY"),
	groq: chat("https://api.groq.com/openai/v1/chat/completions", "GROQ_API_KEY"),
	cerebras: chat("https://api.cerebras.ai/v1/chat/completions", "CEREBRAS_API_KEY"),
	mistral: chat("https://api.mistral.ai/v1/chat/completions", "MISTRAL_API_KEY"),
	deepseek: chat("https://api.deepseek.com/chat/completions", "DEEPSEEK_API_KEY"),
};

const OFFLINE: LoopModel = { provider: "offline", model: "navigator", url: "", apiKeyName: "" };

/**
 * Which model answers: an endpoint set by hand, else the service the model's name begins with, else the first service
 * whose key is set, else the embedded navigator. Refuses rather than sending a request that cannot succeed.
 */
export function resolveLoopModel(wanted: string | undefined, env: Environment): LoopModel {
	if (wanted === "offline" || isOfflineModel(wanted)) return OFFLINE;
	const details = { ...readMaxTokens(env), ...readPrice(env) };
	const url = env["DEPUTIZE_LOOP_URL"]?.trim() ?? "";
	if (url !== "") return { ...readEndpoint(wanted, url, env), ...details };
	const named = wanted ?? env["DEPUTIZE_LOOP_MODEL"];
	if (named !== undefined && named !== "") return { ...findService(named, env), ...details };
	const usable = Object.values(SERVICES).find((row) => row.defaultModel && hasKey(env, row.apiKeyName));
	return usable?.defaultModel ? { ...usable, model: usable.defaultModel, ...details } : OFFLINE;
}

/** Why a model cannot be used here; undefined when it can. */
export function checkLoopModel(wanted: string | undefined, env: Environment): string | undefined {
	try {
		resolveLoopModel(wanted, env);
		return undefined;
	} catch (error) {
		return messageOf(error);
	}
}

function hasKey(env: Environment, name: string): boolean {
	return (env[name] ?? "").trim() !== "";
}

function readEndpoint(wanted: string | undefined, url: string, env: Environment): LoopModel {
	const name = env["DEPUTIZE_LOOP_PROVIDER"]?.trim() || "openai-chat";
	const provider = LOOP_PROVIDERS.find((candidate) => candidate === name);
	if (provider === undefined) {
		throw refuseModel(
			`DEPUTIZE_LOOP_PROVIDER is ${JSON.stringify(name)}; use one of ${LOOP_PROVIDERS.join(", ")}`,
		);
	}
	const model = (env["DEPUTIZE_LOOP_MODEL"]?.trim() || wanted?.replace(/^[^/]*\//, "")) ?? "";
	if (model === "")
		throw refuseModel(
			"DEPUTIZE_LOOP_URL is set but no model is named; set DEPUTIZE_LOOP_MODEL or pass --model",
		);
	return { provider, model, url, apiKeyName: env["DEPUTIZE_LOOP_API_KEY_NAME"]?.trim() ?? "" };
}

function findService(named: string, env: Environment): LoopModel {
	const { provider, name } = splitModel(named);
	const service = SERVICES[provider];
	if (service === undefined) {
		const known = Object.keys(SERVICES).join(", ");
		throw refuseModel(
			`the loop runtime does not know where ${JSON.stringify(named)} is served. Name it as service/model (${known}), or set DEPUTIZE_LOOP_URL and DEPUTIZE_LOOP_PROVIDER`,
		);
	}
	if (!hasKey(env, service.apiKeyName))
		throw refuseModel(`${named} needs a key in ${service.apiKeyName}, which is not set`);
	return { ...service, model: name };
}

function readMaxTokens(env: Environment): { maxTokens?: number } {
	const text = env["DEPUTIZE_LOOP_MAX_TOKENS"]?.trim() ?? "";
	if (text === "") return {};
	const value = Number(text);
	if (!Number.isSafeInteger(value) || value < 1)
		throw refuseModel("DEPUTIZE_LOOP_MAX_TOKENS must be a whole number");
	return { maxTokens: value };
}

/** US dollars for a million tokens: input, output, and optionally cached input and writing to the cache. */
function readPrice(env: Environment): { price?: TokenPrice } {
	const text = env["DEPUTIZE_LOOP_PRICE"]?.trim() ?? "";
	if (text === "") return {};
	const [input = 0, output = 0, cacheRead = input, cacheWrite = input, ...rest] = text.split(",").map(Number);
	const price = { input, output, cacheRead, cacheWrite };
	if (rest.length > 0 || !Object.values(price).every((value) => Number.isFinite(value) && value >= 0)) {
		throw refuseModel('DEPUTIZE_LOOP_PRICE must be two to four numbers, such as "3,15,0.3,3.75"');
	}
	return { price };
}

function refuseModel(problem: string): DelegationError {
	return new DelegationError("SUBAGENT_FAILED", `Nothing was started: ${problem}.`);
}
