import {
	DEFAULT_SEARCH_PROVIDERS,
	isOnlyWhenNamed,
	REMOTE_SEARCH_PROVIDERS,
	type SearchProviderName,
	type SearchProvidersConfig,
} from "./search-providers.ts";

export const READONLY_LSP_ACTIONS = [
	"definition",
	"references",
	"hover",
	"signature",
	"symbols",
	"diagnostics",
	"workspace-diagnostics",
	"servers",
] as const;

/** Never available in a child, whatever the configuration says. */
export const PRIVILEGED_LSP_ACTIONS = ["rename", "codeAction", "restart"] as const;

export interface SubagentsConfig {
	readonly enabled: boolean;
	readonly maxDepth: number;
	readonly maxConcurrency: number;
	readonly timeoutMs: number;
	readonly idleTimeoutMs: number;
	/** Of a child with everything it started, such as language servers. */
	readonly maxMemoryMb: number;
	readonly allowWrite: boolean;
	readonly allowLspTools: boolean;
	readonly allowedLspActions: readonly string[];
	readonly injectDelegationPolicy: boolean;
	readonly earlyStart: boolean;
	readonly sandbox: "auto" | "off" | "required";
	/** `confirm`: ask once per content, refuse without a UI. `allow`: run. `deny`: never. */
	readonly projectAgents: "confirm" | "allow" | "deny";
	/** Names of agents that are switched off. */
	readonly disabledAgents: readonly string[];
	/** Paths children may read although they are closed by default. */
	readonly readable: readonly string[];
	/** Paths children may not read. */
	readonly unreadable: readonly string[];
	/** Whether children are given AGENTS.md and the like. */
	readonly contextFiles: boolean;
	readonly retry: { readonly enabled: boolean; readonly maxAttempts: number };
	readonly finalize: { readonly mode: "required" | "text"; readonly maxCorrections: number };
	/** So many identical tool calls that fail in a row end the run. */
	readonly maxIdenticalFailures: number;
	readonly sessions: { readonly maxAgeDays: number };
}

export interface WebConfig extends SearchProvidersConfig {
	readonly enabled: boolean;
	readonly provider: "auto" | SearchProviderName;
	readonly providerPriority: readonly SearchProviderName[];
	readonly timeoutMs: number;
	readonly maxResponseBytes: number;
	readonly maxContentChars: number;
	readonly maxResults: number;
	readonly maxStoredResults: number;
	readonly maxStoredContentChars: number;
	readonly allowPrivateNetwork: boolean;
	/** Sending page addresses to r.jina.ai is opt-in. */
	readonly enableJinaFallback: boolean;
	readonly jinaTimeoutMs: number;
	readonly cache: { readonly enabled: boolean; readonly maxEntries: number; readonly ttlMs: number };
	readonly concurrency: { readonly maxConcurrent: number; readonly maxQueueSize: number };
}

export interface ConvertConfig {
	readonly enabled: boolean;
	/** `builtin` needs nothing outside the package; the others run a program the user installed. */
	readonly provider: "builtin" | "markitdown" | "pandoc" | "officeparser";
	/** The program of a provider other than `builtin`; empty means its usual name on PATH. */
	readonly command: string;
	readonly timeoutMs: number;
	readonly maxInputBytes: number;
	readonly maxMemoryMb: number;
	readonly maxContentChars: number;
	readonly allowPrivateNetwork: boolean;
}

export interface LspServerConfig {
	readonly command: readonly string[];
	readonly languages: readonly string[];
	readonly extensions: readonly string[];
	readonly rootMarkers: readonly string[];
	readonly initializationOptions?: unknown;
	readonly settings?: unknown;
}

export interface LspConfig {
	readonly enabled: boolean;
	readonly allowMutatingActions: boolean;
	readonly hook: "off" | "agent_end" | "edit_write";
	readonly requestTimeoutMs: number;
	readonly idleShutdownMs: number;
	/** Children ask the parent's warm servers over a private socket. */
	readonly shareWithChildren: boolean;
	/** Whether each server runs in a bubblewrap of its own. */
	readonly sandbox: "auto" | "off" | "required";
	/** Servers the user adds, or built-in ones overridden by name; `false` switches one off. */
	readonly servers: Readonly<Record<string, LspServerConfig | false>>;
}

export interface DeputizeConfig {
	readonly subagents: SubagentsConfig;
	readonly web: WebConfig;
	readonly convert: ConvertConfig;
	readonly lsp: LspConfig;
}

export const DEFAULT_CONFIG: DeputizeConfig = {
	subagents: {
		enabled: true,
		maxDepth: 1,
		maxConcurrency: 4,
		timeoutMs: 900_000,
		idleTimeoutMs: 180_000,
		maxMemoryMb: 4096,
		allowWrite: false,
		allowLspTools: true,
		allowedLspActions: READONLY_LSP_ACTIONS,
		injectDelegationPolicy: true,
		earlyStart: true,
		sandbox: "auto",
		projectAgents: "confirm",
		disabledAgents: [],
		readable: [],
		unreadable: [],
		contextFiles: true,
		retry: { enabled: true, maxAttempts: 2 },
		finalize: { mode: "required", maxCorrections: 2 },
		maxIdenticalFailures: 5,
		sessions: { maxAgeDays: 30 },
	},
	web: {
		enabled: true,
		provider: "auto",
		providerPriority: REMOTE_SEARCH_PROVIDERS.filter((name) => !isOnlyWhenNamed(name)),
		timeoutMs: 10_000,
		maxResponseBytes: 5 * 1024 * 1024,
		maxContentChars: 30_000,
		maxResults: 5,
		maxStoredResults: 100,
		maxStoredContentChars: 2_000_000,
		allowPrivateNetwork: false,
		enableJinaFallback: false,
		jinaTimeoutMs: 8000,
		cache: { enabled: true, maxEntries: 50, ttlMs: 300_000 },
		concurrency: { maxConcurrent: 3, maxQueueSize: 10 },
		...DEFAULT_SEARCH_PROVIDERS,
	},
	convert: {
		enabled: true,
		provider: "builtin",
		command: "",
		timeoutMs: 30_000,
		maxInputBytes: 20 * 1024 * 1024,
		maxMemoryMb: 1024,
		maxContentChars: 50_000,
		allowPrivateNetwork: false,
	},
	lsp: {
		enabled: true,
		allowMutatingActions: false,
		hook: "off",
		requestTimeoutMs: 15_000,
		idleShutdownMs: 120_000,
		shareWithChildren: true,
		sandbox: "auto",
		servers: {},
	},
};
