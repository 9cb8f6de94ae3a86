import type { WebConfig } from "./config.ts";

/** The six tools a loop child can be given. There is none that starts another agent. */
export const LOOP_TOOL_NAMES = [
	"search_web",
	"scrape_webpage",
	"bash_find",
	"bash_ripgrep",
	"bash_read",
	"python_execute",
] as const;

export type LoopToolName = (typeof LOOP_TOOL_NAMES)[number];

export const LOOP_PROVIDERS = [
	"openai-chat",
	"openai-responses",
	"anthropic",
	"vertexai-anthropic",
	"offline",
] as const;

export type LoopProviderName = (typeof LOOP_PROVIDERS)[number];

/** Set by a parent that gives the child a lifeline to watch. */
export const LIFELINE_VARIABLE = "DEPUTIZE_LIFELINE";

/** US dollars for a million tokens. */
export interface TokenPrice {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
}

/**
 * What the runtime adds to the payload and no other caller does: without this field the program behaves exactly
 * as `call_subagent` describes. With it, the child holds `subagent_finalize`, keeps its transcript, and reports
 * what it does in `child_event` events besides the usual ones.
 */
export interface LoopChildExtension {
	readonly agent: string;
	readonly finalize: { readonly mode: "required" | "text"; readonly max_corrections: number };
	readonly session?: { readonly id: string; readonly file: string; readonly resumed: boolean };
	readonly price?: TokenPrice;
	/** The parent's configuration of the web tools. */
	readonly web?: WebConfig;
}

/** The payload as it travels, field for field. `null` means the same as an absent field. */
export interface LoopPayloadJson {
	readonly model: string;
	readonly provider: LoopProviderName;
	readonly url: string;
	readonly api_key_name?: string | null;
	readonly prompt: string;
	readonly system_prompt?: string | null;
	readonly tool_subset?: readonly string[] | null;
	readonly think?: boolean | null;
	readonly temperature?: number | null;
	readonly max_tokens?: number | null;
	readonly max_turns?: number | null;
	readonly output_mode?: "json_schema" | "json_object" | null;
	readonly output_schema?: Readonly<Record<string, unknown>> | null;
	readonly output_name?: string | null;
	readonly child?: LoopChildExtension | null;
}
