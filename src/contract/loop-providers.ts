/** The dialects in which `exec` speaks to a model. */
export const LOOP_PROVIDERS = [
	"openai-chat",
	"openai-responses",
	"anthropic",
	"vertexai-anthropic",
	"offline",
] as const;

export type LoopProviderName = (typeof LOOP_PROVIDERS)[number];
