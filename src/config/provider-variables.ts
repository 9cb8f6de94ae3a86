interface ProviderVariables {
	/** Each of these, or all together, lets pi use the provider. */
	readonly keys: readonly string[];
	/** What goes with the key: regions, endpoints, projects. */
	readonly settings?: readonly string[];
}

const AWS_SETTINGS = [
	"AWS_SESSION_TOKEN",
	"AWS_REGION",
	"AWS_DEFAULT_REGION",
	"AWS_CONFIG_FILE",
	"AWS_SHARED_CREDENTIALS_FILE",
	"AWS_ROLE_ARN",
	"AWS_ROLE_SESSION_NAME",
	"AWS_CONTAINER_AUTHORIZATION_TOKEN",
	"AWS_BEDROCK_SKIP_AUTH",
	"AWS_BEDROCK_FORCE_HTTP1",
	"AWS_BEDROCK_FORCE_CACHE",
];
const AZURE: ProviderVariables = {
	keys: ["AZURE_OPENAI_API_KEY"],
	settings: [
		"AZURE_OPENAI_BASE_URL",
		"AZURE_OPENAI_RESOURCE_NAME",
		"AZURE_OPENAI_API_VERSION",
		"AZURE_OPENAI_DEPLOYMENT_NAME_MAP",
	],
};
const CLOUDFLARE: ProviderVariables = {
	keys: ["CLOUDFLARE_API_KEY", "CLOUDFLARE_API_TOKEN"],
	settings: ["CLOUDFLARE_ACCOUNT_ID", "CLOUDFLARE_GATEWAY_ID"],
};
const key = (...keys: readonly string[]): ProviderVariables => ({ keys });

/**
 * The environment variables of each provider, under the names pi 0.87 to 1.5 gives the providers, in the order in
 * which pi picks a default among those it has a key for. Exact names only: a prefix would let keys of other
 * services through.
 */
export const PROVIDER_VARIABLES: Readonly<Record<string, ProviderVariables>> = {
	"amazon-bedrock": {
		keys: [
			"AWS_PROFILE",
			"AWS_ACCESS_KEY_ID",
			"AWS_SECRET_ACCESS_KEY",
			"AWS_BEARER_TOKEN_BEDROCK",
			"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
			"AWS_CONTAINER_CREDENTIALS_FULL_URI",
			"AWS_WEB_IDENTITY_TOKEN_FILE",
		],
		settings: AWS_SETTINGS,
	},
	"ant-ling": key("ANT_LING_API_KEY"),
	anthropic: {
		keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN"],
		settings: ["ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS"],
	},
	openai: {
		keys: ["OPENAI_API_KEY"],
		settings: ["OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"],
	},
	"azure-openai-responses": AZURE,
	azure: AZURE,
	"openai-codex": key(),
	radius: { keys: ["RADIUS_API_KEY"], settings: ["PI_RADIUS_GATEWAY"] },
	nvidia: key("NVIDIA_API_KEY"),
	deepseek: key("DEEPSEEK_API_KEY"),
	google: key("GEMINI_API_KEY", "GOOGLE_API_KEY"),
	"google-vertex": {
		keys: ["GOOGLE_CLOUD_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
		settings: ["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GCLOUD_PROJECT"],
	},
	"github-copilot": key("COPILOT_GITHUB_TOKEN"),
	openrouter: key("OPENROUTER_API_KEY"),
	"vercel-ai-gateway": key("AI_GATEWAY_API_KEY"),
	xai: key("XAI_API_KEY"),
	groq: key("GROQ_API_KEY"),
	cerebras: key("CEREBRAS_API_KEY"),
	zai: key("ZAI_API_KEY"),
	"zai-coding-cn": key("ZAI_CODING_CN_API_KEY"),
	mistral: key("MISTRAL_API_KEY"),
	minimax: key("MINIMAX_API_KEY"),
	"minimax-cn": key("MINIMAX_CN_API_KEY"),
	moonshotai: key("MOONSHOT_API_KEY"),
	"moonshotai-cn": key("MOONSHOT_API_KEY"),
	huggingface: key("HF_TOKEN"),
	fireworks: key("FIREWORKS_API_KEY"),
	together: key("TOGETHER_API_KEY"),
	baseten: key("BASETEN_API_KEY"),
	opencode: key("OPENCODE_API_KEY"),
	"opencode-go": key("OPENCODE_API_KEY"),
	"kimi-coding": { keys: ["KIMI_API_KEY"], settings: ["KIMI_OAUTH_HOST", "KIMI_CODE_OAUTH_HOST"] },
	meta: key("META_API_KEY"),
	"cloudflare-workers-ai": CLOUDFLARE,
	"cloudflare-ai-gateway": CLOUDFLARE,
	"qwen-token-plan": key("QWEN_TOKEN_PLAN_API_KEY"),
	"qwen-token-plan-cn": key("QWEN_TOKEN_PLAN_CN_API_KEY"),
	"qwen-token-plan-individual": key("QWEN_TOKEN_PLAN_API_KEY"),
	xiaomi: key("XIAOMI_API_KEY"),
	"xiaomi-token-plan-cn": key("XIAOMI_TOKEN_PLAN_CN_API_KEY"),
	"xiaomi-token-plan-ams": key("XIAOMI_TOKEN_PLAN_AMS_API_KEY"),
	"xiaomi-token-plan-sgp": key("XIAOMI_TOKEN_PLAN_SGP_API_KEY"),
};

/** Every variable a provider may need. One that pi's own list does not know gets its conventional key: `ACME_API_KEY`. */
export function listProviderVariables(provider: string): readonly string[] {
	const known = Object.hasOwn(PROVIDER_VARIABLES, provider) ? PROVIDER_VARIABLES[provider] : undefined;
	if (known) return [...known.keys, ...(known.settings ?? [])];
	return [`${provider.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_API_KEY`];
}
