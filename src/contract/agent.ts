import type { ThinkingLevel } from "./thinking.ts";
import type { JsonSchema } from "./tool.ts";

export type AgentSource = "builtin" | "user" | "project";

/**
 * Which program runs the child: a real `pi` process, this package's own provider loop, or the command line program of
 * another agent, on the login the user has there.
 */
export const RUNTIME_NAMES = ["pi", "loop", "claude", "codex"] as const;
export type RuntimeName = (typeof RUNTIME_NAMES)[number];

export function isRuntimeName(value: unknown): value is RuntimeName {
	return RUNTIME_NAMES.some((name) => name === value);
}

/**
 * What the agent file says about tools.
 * `default` means no list at all; an empty allow list means no tools, never the host's defaults.
 */
export type ToolRule =
	| { readonly kind: "default" }
	| { readonly kind: "allow"; readonly names: readonly string[] }
	| { readonly kind: "deny"; readonly names: readonly string[] };

export interface AgentDefinition {
	readonly name: string;
	readonly description: string;
	/** The Markdown body: the role the child plays. */
	readonly prompt: string;
	readonly readonly: boolean;
	readonly tools: ToolRule;
	readonly model?: string;
	/** Models a run falls back on, in this order, if the one before cannot be used. */
	readonly fallbackModels?: readonly string[];
	/** The configuration keys that override the file's model and tools. */
	readonly modelFrom?: string;
	readonly toolsFrom?: string;
	readonly thinking?: ThinkingLevel;
	/** No turn begins after this many. */
	readonly maxTurns?: number;
	/** US dollars: no turn begins once they are spent. */
	readonly maxCost?: number;
	/** Names of skills it may read. */
	readonly skills?: readonly string[];
	/** The JSON Schema of the data it hands over. */
	readonly output?: JsonSchema;
	/** Its runs go to the background if the host can deliver the answer later. */
	readonly background?: true;
	/** Its commands may use the network, if the user lists it as a writer. */
	readonly network?: true;
	readonly runtime?: RuntimeName;
	readonly source: AgentSource;
	readonly file: string;
	/** Of a project's agent: its skills, each with a fingerprint of what is in it; empty where it is not there. */
	readonly skillHashes?: Readonly<Record<string, string>>;
	/** SHA-256 of the file and of everything it names, skills and schema: a trust decision is about this content only. */
	readonly contentHash: string;
	/** The source of the agent of the same name that this one replaces. */
	readonly shadows?: AgentSource;
	/** Likely mistakes in the file: they do not keep the agent from running. */
	readonly doubts?: readonly string[];
}

/** A file that looked like an agent and was not loaded. Nothing is skipped silently. */
export interface SkippedAgentFile {
	readonly file: string;
	readonly source: AgentSource;
	readonly reason: string;
}

export interface DiscoveredAgents {
	/** One per name, the winning definition; sorted by name. */
	readonly agents: readonly AgentDefinition[];
	readonly skipped: readonly SkippedAgentFile[];
	/** The directories that were looked at, whether or not they exist. */
	readonly directories: readonly { readonly source: AgentSource; readonly path: string }[];
}
