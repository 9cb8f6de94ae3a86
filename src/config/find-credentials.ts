import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Environment variables that give pi a provider, by the provider they belong to. */
export const PROVIDER_KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
	anthropic: ["ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN"],
	openai: ["OPENAI_API_KEY"],
	"azure-openai": ["AZURE_OPENAI_API_KEY"],
	google: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
	"google-vertex": ["GOOGLE_CLOUD_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
	"amazon-bedrock": ["AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_BEARER_TOKEN_BEDROCK"],
	"github-copilot": ["COPILOT_GITHUB_TOKEN"],
	openrouter: ["OPENROUTER_API_KEY"],
	xai: ["XAI_API_KEY"],
	groq: ["GROQ_API_KEY"],
	cerebras: ["CEREBRAS_API_KEY"],
	mistral: ["MISTRAL_API_KEY"],
	deepseek: ["DEEPSEEK_API_KEY"],
	fireworks: ["FIREWORKS_API_KEY"],
	together: ["TOGETHER_API_KEY"],
	huggingface: ["HF_TOKEN"],
	moonshot: ["MOONSHOT_API_KEY", "KIMI_API_KEY"],
	minimax: ["MINIMAX_API_KEY", "MINIMAX_CN_API_KEY"],
	zai: ["ZAI_API_KEY", "ZAI_CODING_CN_API_KEY"],
	nvidia: ["NVIDIA_API_KEY"],
	meta: ["META_API_KEY"],
	baseten: ["BASETEN_API_KEY"],
	opencode: ["OPENCODE_API_KEY"],
	"vercel-ai-gateway": ["AI_GATEWAY_API_KEY"],
	"cloudflare-ai-gateway": ["CLOUDFLARE_API_KEY", "CLOUDFLARE_API_TOKEN"],
	xiaomi: ["XIAOMI_API_KEY"],
	qwen: ["QWEN_TOKEN_PLAN_API_KEY", "QWEN_TOKEN_PLAN_CN_API_KEY", "DASHSCOPE_API_KEY"],
	radius: ["RADIUS_API_KEY"],
};

/** Being able to reach Amazon is common on developers' machines and says nothing about wanting Bedrock. */
const TOO_COMMON_TO_COUNT = ["amazon-bedrock", "google-vertex", "huggingface", "cloudflare-ai-gateway"];

export interface Credential {
	readonly provider: string;
	/** Where it was found: the name of a variable or a file. Never the value. */
	readonly source: string;
}

/** What pi could use without being asked for a model. */
export function findCredentials(options: {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly agentDirectory: string;
}): readonly Credential[] {
	const fromEnvironment = Object.entries(PROVIDER_KEY_VARIABLES)
		.filter(([provider]) => !TOO_COMMON_TO_COUNT.includes(provider))
		.flatMap(([provider, names]) =>
			names.filter((name) => options.env[name]?.trim()).map((name) => ({ provider, source: name })),
		);
	const fromFile = (file: string, section?: string): Credential[] =>
		readProviderNames(join(options.agentDirectory, file), section).map((provider) => ({
			provider,
			source: file,
		}));
	return [...fromEnvironment, ...fromFile("auth.json"), ...fromFile("models.json", "providers")];
}

function readProviderNames(file: string, section: string | undefined): readonly string[] {
	try {
		const parsed = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
		const table = section ? parsed[section] : parsed;
		return typeof table === "object" && table !== null ? Object.keys(table) : [];
	} catch {
		return [];
	}
}
