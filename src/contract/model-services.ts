import type { Environment } from "@deputize/ground";
import type { LoopProviderName } from "./loop-providers.ts";
import type { TokenKinds } from "./usage.ts";

/** Who serves models: one row each, under the name that comes before the slash in `service/model`. */
export interface ModelService {
	readonly dialect: LoopProviderName;
	/** Empty where it is different for every user. */
	readonly baseUrl: string;
	/** Variables with its key, of which the first that is set counts. None: it needs no key. */
	readonly keyNames: readonly string[];
	/** Variables with a base URL in place of the usual one, likewise. */
	readonly addressNames: readonly string[];
	/** Taken when only the key says which service is wanted. */
	readonly defaultModel?: string;
	/** For messages that ask for a name. */
	readonly example: string;
	/** Other variables that the base URL is made of. */
	findBaseUrl?(env: Environment): string | undefined;
}

/** What the user's configuration says about a service, or about one that only the user has. */
export interface ServiceSettings {
	readonly baseUrl?: string;
	readonly dialect?: LoopProviderName;
	/** The model when none is named. */
	readonly model?: string;
	readonly keyEnv?: string;
	/** Prints the key. */
	readonly keyCommand?: readonly string[];
	readonly headers?: Readonly<Record<string, string>>;
	/** US dollars for a million tokens. */
	readonly price?: Pick<TokenKinds, "input" | "output"> & Partial<TokenKinds>;
	/** Tokens that fit into a request and its answer. */
	readonly contextLength?: number;
	readonly maxTokens?: number;
}

export type ServiceTable = Readonly<Record<string, ServiceSettings>>;

const cloud = (
	name: string,
	baseUrl: string,
	example: string,
	more: Partial<ModelService> = {},
): ModelService => ({
	dialect: "openai-chat",
	baseUrl,
	keyNames: [`${name}_API_KEY`],
	addressNames: [`${name}_BASE_URL`],
	example,
	...more,
});

const local = (name: string, port: number, example: string, ...more: readonly string[]): ModelService =>
	cloud(name, `http://127.0.0.1:${port}/v1`, example, {
		keyNames: [],
		addressNames: [`${name}_BASE_URL`, ...more],
	});

/** In the order in which a key decides when no model is named. */
export const MODEL_SERVICES: Readonly<Record<string, ModelService>> = {
	anthropic: cloud("ANTHROPIC", "https://api.anthropic.com/v1", "claude-opus-4-8", {
		dialect: "anthropic",
		defaultModel: "claude-opus-4-8",
	}),
	openai: cloud("OPENAI", "https://api.openai.com/v1", "gpt-5.5", {
		dialect: "openai-responses",
		addressNames: ["OPENAI_BASE_URL", "OPENAI_API_BASE"],
		defaultModel: "gpt-5.5",
	}),
	google: cloud("GEMINI", "https://generativelanguage.googleapis.com/v1beta/openai", "gemini-2.5-pro", {
		keyNames: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
		addressNames: ["GOOGLE_GEMINI_BASE_URL", "GEMINI_BASE_URL"],
	}),
	azure: cloud("AZURE_OPENAI", "", "the-name-of-your-deployment", {
		dialect: "openai-responses",
		findBaseUrl: ({ AZURE_OPENAI_RESOURCE_NAME: name }) =>
			name && `https://${name}.openai.azure.com/openai/v1`,
	}),
	vertex: {
		dialect: "vertexai-anthropic",
		baseUrl: "",
		// The login program of Google gives a token.
		keyNames: [],
		addressNames: [],
		example: "claude-opus-4-8",
		findBaseUrl: findVertexUrl,
	},
	openrouter: cloud("OPENROUTER", "https://openrouter.ai/api/v1", "anthropic/claude-opus-4.8"),
	xai: cloud("XAI", "https://api.x.ai/v1", "grok-4"),
	groq: cloud("GROQ", "https://api.groq.com/openai/v1", "openai/gpt-oss-120b"),
	cerebras: cloud("CEREBRAS", "https://api.cerebras.ai/v1", "gpt-oss-120b"),
	mistral: cloud("MISTRAL", "https://api.mistral.ai/v1", "mistral-large-latest"),
	deepseek: cloud("DEEPSEEK", "https://api.deepseek.com/v1", "deepseek-chat"),
	ollama: local("OLLAMA", 11434, "qwen3:8b", "OLLAMA_HOST"),
	lmstudio: local("LMSTUDIO", 1234, "qwen/qwen3-8b"),
	llamacpp: local("LLAMACPP", 8080, "the-name-in-its-list"),
	vllm: local("VLLM", 8000, "Qwen/Qwen3-8B"),
};

/** `custom/name` is a model at the endpoint of `DEPUTIZE_LOOP_URL`. */
export const CUSTOM_SERVICE = "custom";

/** Usually on this machine, and without a key. */
export function isLocalService(name: string): boolean {
	return (
		Object.hasOwn(MODEL_SERVICES, name) && (MODEL_SERVICES[name]?.baseUrl ?? "").startsWith("http://127.")
	);
}

/** Google's own path names project, place and publisher; the model comes behind it. */
function findVertexUrl(env: Environment): string | undefined {
	const project = env["ANTHROPIC_VERTEX_PROJECT_ID"] || env["GOOGLE_CLOUD_PROJECT"];
	const place = env["CLOUD_ML_REGION"] || env["GOOGLE_CLOUD_LOCATION"] || "global";
	const host = `${place === "global" ? "" : `${place}-`}aiplatform.googleapis.com`;
	const base = (env["ANTHROPIC_VERTEX_BASE_URL"] || `https://${host}`).replace(/\/+(?:v1\/*)?$/, "");
	return project && `${base}/v1/projects/${project}/locations/${place}/publishers/anthropic/models`;
}
