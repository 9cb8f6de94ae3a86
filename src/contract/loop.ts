import type { ConvertConfig, LspConfig, WebConfig } from "./config.ts";
import type { FileRules } from "./file-rules.ts";
import type { LoopProviderName } from "./loop-providers.ts";
import type { TokenKinds } from "./usage.ts";

/** Set by a parent that gives the child a lifeline to watch. */
export const LIFELINE_VARIABLE = "DEPUTIZE_LIFELINE";

/** The code of a program that its own watch ended, because its thread did not pause any more. */
export const UNRESPONSIVE = "unresponsive";

/** For whoever writes the payload. Other callers cannot set it and must not be advised to. */
export const MAX_TURNS_ADVICE = " Raise max_turns or ask for less.";

/**
 * What the runtime adds to the payload and no other caller does: without this field the program behaves exactly
 * as `call_subagent` describes. With it, the child has `subagent_finalize`, keeps its transcript, and reports
 * what it does in `child_event` events in addition to the usual ones.
 */
export interface LoopChildExtension {
	readonly agent: string;
	readonly finalize: {
		readonly mode: "required" | "text";
		readonly max_corrections: number;
		/** The schema of the data the child hands over. */
		readonly output?: Readonly<Record<string, unknown>>;
	};
	readonly session?: { readonly id: string; readonly file: string; readonly resumed: boolean };
	/** What comes before a model's own name when a person names it, such as `ollama/`. */
	readonly model_prefix?: string;
	/** US dollars for a million tokens. */
	readonly price?: TokenKinds;
	/** Of the user's own service, sent with every request. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Tokens. Some servers drop the beginning of what is too long without a word. */
	readonly context_length?: number;
	/** The offline navigator shows everything it found. */
	readonly verbose?: boolean;
	readonly tools?: LoopChildTools;
	/** Keys by the name of their variable. Over stdin: everything that a process starts could read its environment in /proc. */
	readonly keys?: Readonly<Record<string, string>>;
}

/** What the parent decided about the child's tools. */
export interface LoopChildTools {
	readonly web: WebConfig;
	readonly convert: ConvertConfig;
	readonly lsp: LspConfig;
	readonly lsp_actions: readonly string[];
	/** The parent's warm language servers. */
	readonly lsp_socket?: { readonly path: string; readonly token: string };
	readonly project_trusted: boolean;
	readonly files: FileRules;
	readonly agent_directory: string;
	/** For what the tools store during the run; removed by the parent. */
	readonly run_directory: string;
	/** What trying a sandbox inside the child would show; the parent knows. `parseSandboxProbe` reads it. */
	readonly sandbox_probe?: object;
	/** The child is in a sandbox. */
	readonly confined?: boolean;
	/** Where it may write, when it works in a layer (`Workspace` of the sandbox). */
	readonly workspace?: object;
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
