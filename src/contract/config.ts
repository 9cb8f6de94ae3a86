import { RUNTIME_NAMES } from "./agent.ts";
import { ISOLATIONS } from "./changes.ts";
import {
	agentTable,
	bound,
	type ConfigKey,
	type ConfigTable,
	type ConfigValues,
	choice,
	integer,
	isConfigKey,
	names,
	patterns,
	servers,
	string,
	TIGHTEN,
	url,
	yesOrNo,
} from "./config-key.ts";
import {
	isOnlyWhenNamed,
	REMOTE_SEARCH_PROVIDERS,
	type RemoteSearchProvider,
	SEARCH_PROVIDERS,
	type SearchProviderName,
} from "./search-providers.ts";
import { serviceTable } from "./service-table.ts";
import { THINKING_LEVELS } from "./thinking.ts";

export type { AgentSettings, LspServerConfig } from "./config-key.ts";

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

const SEARCH_ORDER: readonly SearchProviderName[] = [...REMOTE_SEARCH_PROVIDERS, "local"];

/**
 * Every configuration key, once: types, defaults, checks and `docs/reference/configuration.md` follow from these rows
 * (`node scripts/generate-configuration-page.mjs` writes the page).
 */
export const CONFIG_TABLE = {
	subagents: {
		enabled: yesOrNo(true),
		maxDepth: integer(1, [0, 8], "children never get the tool, so more changes nothing inside pi"),
		maxConcurrency: integer(4, [1, 32], "further calls wait in order"),
		timeoutMs: integer(900_000, [1], "from the start of the run"),
		idleTimeoutMs: integer(
			180_000,
			[1],
			"since the last structured event; a running tool and pi's back-off are activity",
		),
		maxMemoryMb: integer(
			4096,
			[128],
			"resident memory of a child with everything it started, looked at five times a second on Linux; more ends the run",
		),
		allowWrite: yesOrNo(false, "unsafe, see SECURITY.md"),
		writers: names<string>(
			[],
			TIGHTEN.intersection,
			'agents that may change files, such as `["fixer"]`: in a layer over the project, which you apply or drop; see [writers](writers.md). An agent of a project only once you approved its content',
		),
		tryCommands: yesOrNo(
			false,
			"agents that only read and list `try_command`, `tester` and `reviewer` among ours, may run commands in a layer that is thrown away, without network; see [writers](writers.md#readers-that-run-commands)",
		),
		applyChanges: choice(
			["auto", "ask", "keep"],
			"ask",
			"what becomes of a writer's changes at the end of its run: applied where they merge, asked about where somebody can be asked, or kept",
		),
		isolation: choice(
			ISOLATIONS,
			"layer",
			"where an agent that writes works: `layer` over the project, or where none can be mounted a private `copy` of it; `in-place` is the project itself, unsafe. See [changes](changes.md)",
		),
		keepChanges: {
			maxAgeDays: integer(
				30,
				[1],
				"applied changes are kept for so long; others are removed a week after that was told",
			),
			maxMb: integer(
				4096,
				[1],
				"for all changes together: the oldest applied ones are removed; others never are",
			),
		},
		maxLayerMb: integer(
			2048,
			[1],
			"what an agent may write in one layer; more ends its run and keeps what is there",
		),
		readonlyTools: patterns(
			'tools of other extensions and MCP servers that only read, by your word, such as `["docs_lookup", "mcp__context7__*"]`; see [agents](agent-definition.md#tools-of-others)',
		),
		allowLspTools: yesOrNo(true),
		allowedLspActions: names<string>(
			READONLY_LSP_ACTIONS,
			TIGHTEN.intersection,
			"`rename`, `codeAction` and `restart` are never passed to a child",
			[...READONLY_LSP_ACTIONS, ...PRIVILEGED_LSP_ACTIONS],
		),
		injectDelegationPolicy: yesOrNo(true, "tells the parent's model when to delegate, and to whom"),
		mainTools: choice(
			["always", "on-demand"],
			"on-demand",
			"`always` registers the web, document and language tools in the main agent; otherwise its model loads them with `load_tools`. `/toolkit tools` sets it",
		),
		earlyStart: yesOrNo(true, "start the child while the call is still being written"),
		keepWarm: integer(
			1,
			[0, 4],
			"agents inside pi for which a child waits for two minutes, after a delegation to them and where one is likely; about 115 MB each",
		),
		sandbox: choice(["off", "auto", "required"], "auto"),
		projectAgents: choice(
			["allow", "confirm", "deny"],
			"confirm",
			"`confirm` asks once for each content and refuses where nobody can be asked",
		),
		runtime: choice(
			["auto", ...RUNTIME_NAMES],
			"auto",
			"what children are when neither the call nor the agent's file says; `auto`: see [runtimes](runtimes.md#which-one)",
			TIGHTEN.noSay,
		),
		model: string(
			"",
			"the model of agents whose file names none, in place of the parent's; several with commas, the first that can be used",
		),
		thinking: choice(
			["inherit", ...THINKING_LEVELS],
			"inherit",
			"the thinking level of agents whose file names none; `inherit`: the parent's, with the parent's model",
			TIGHTEN.noSay,
		),
		maxTurns: bound(
			"no turn of a child begins after so many; see [agents](agent-definition.md#limits)",
			true,
		),
		maxCost: bound("US dollars: no turn of a child begins once they are spent", false),
		agents: agentTable(
			'by name, built-in ones too, such as `{ "explorer": { "model": "provider/id", "thinking": "low" } }`; wins over the agent\'s file. For agents of a project only `disabled`, `maxTurns` and `maxCost` count',
		),
		disabledAgents: names<string>([], TIGHTEN.union, "agents that are switched off"),
		readable: names<string>(
			[],
			TIGHTEN.noSay,
			"paths children may read although they are closed; `~` and relative ones too; see [files](files.md)",
		),
		unreadable: names<string>([], TIGHTEN.union, "paths children may not read"),
		contextFiles: yesOrNo(true, "`false` gives children no `AGENTS.md` or `CLAUDE.md`"),
		retry: {
			enabled: yesOrNo(true, "only crashes before anything with side effects ran"),
			maxAttempts: integer(2, [1, 10]),
		},
		finalize: {
			mode: choice(["text", "required"], "required", "`text` takes the last message as the answer"),
			maxCorrections: integer(2, [0, 10], "a refused `subagent_finalize` call uses up a correction too"),
		},
		maxIdenticalFailures: integer(
			5,
			[2, 1000],
			"so many identical tool calls that fail in a row end the run",
		),
		sessions: {
			maxAgeDays: integer(30, [1]),
			ofBatches: choice(
				["keep", "failed", "none"],
				"keep",
				"which sessions of a batch's tasks are kept once the task has ended: all, those of failed tasks, or none",
				TIGHTEN.noSay,
			),
		},
	},
	models: serviceTable(
		"services of models by name; see [models](../models.md). Keys are in variables, never here",
	),
	web: {
		enabled: yesOrNo(true),
		provider: choice(["auto", ...SEARCH_ORDER], "auto", "", TIGHTEN.noSay),
		providerPriority: names<SearchProviderName>(
			REMOTE_SEARCH_PROVIDERS.filter((name) => !isOnlyWhenNamed(name)),
			TIGHTEN.noSay,
			"the order in which `auto` asks",
			SEARCH_ORDER,
		),
		timeoutMs: integer(10_000, [1]),
		maxResponseBytes: integer(5 * 1024 * 1024, [1024]),
		maxContentChars: integer(30_000, [100]),
		maxResults: integer(5, [1, 50]),
		maxStoredResults: integer(100, [1]),
		maxStoredContentChars: integer(2_000_000, [1000]),
		allowPrivateNetwork: yesOrNo(false),
		enableJinaFallback: yesOrNo(false, "sends addresses of pages to r.jina.ai"),
		jinaTimeoutMs: integer(8000, [1]),
		cache: { enabled: yesOrNo(true), maxEntries: integer(50, [1]), ttlMs: integer(300_000, [0]) },
		concurrency: { maxConcurrent: integer(3, [1, 32]), maxQueueSize: integer(10, [0]) },
		...createSearchProviderKeys(),
	},
	convert: {
		enabled: yesOrNo(true),
		provider: choice(
			["builtin", "markitdown", "pandoc", "officeparser"],
			"builtin",
			"the others run a program of yours",
			TIGHTEN.noSay,
		),
		command: string("", "that program; empty means its usual name on PATH"),
		timeoutMs: integer(30_000, [1]),
		maxInputBytes: integer(20 * 1024 * 1024, [1024]),
		maxMemoryMb: integer(1024, [128]),
		maxContentChars: integer(50_000, [100]),
		allowPrivateNetwork: yesOrNo(false),
	},
	lsp: {
		enabled: yesOrNo(true),
		allowMutatingActions: yesOrNo(false),
		hook: choice(["edit_write", "agent_end", "off"], "off"),
		requestTimeoutMs: integer(15_000, [1]),
		idleShutdownMs: integer(120_000, [1]),
		maxMemoryMb: integer(
			4096,
			[128],
			"resident memory of a server with everything it started, looked at five times a second on Linux; more ends it",
		),
		shareWithChildren: yesOrNo(true, "children ask the parent's warm servers over a private socket"),
		sandbox: choice(["off", "auto", "required"], "auto", "each server in a sandbox of its own"),
		servers: servers(
			"`{ name: { command, languages, extensions, rootMarkers } }`, or `false` to switch one off",
		),
	},
} satisfies ConfigTable;

/** The rows of every search service; empty `baseUrl`: its public endpoint. */
function createSearchProviderKeys() {
	const rows = REMOTE_SEARCH_PROVIDERS.map((name) => [
		name,
		{
			baseUrl: url("", "empty means the public endpoint"),
			apiKeyEnv: string(
				SEARCH_PROVIDERS[name].apiKeyEnv,
				"the variable with the key, which is never in a file",
			),
		},
	]);
	return Object.fromEntries(rows) as Record<
		RemoteSearchProvider,
		{ readonly baseUrl: ConfigKey<string>; readonly apiKeyEnv: ConfigKey<string> }
	>;
}

export type DeputizeConfig = ConfigValues<typeof CONFIG_TABLE>;
export type SubagentsConfig = DeputizeConfig["subagents"];
export type WebConfig = DeputizeConfig["web"];
export type ConvertConfig = DeputizeConfig["convert"];
export type LspConfig = DeputizeConfig["lsp"];

export const DEFAULT_CONFIG = collectDefaults(CONFIG_TABLE) as DeputizeConfig;

function collectDefaults(table: ConfigTable): Readonly<Record<string, unknown>> {
	return Object.fromEntries(
		Object.entries(table).map(([name, row]) => [
			name,
			isConfigKey(row) ? row.byDefault : collectDefaults(row),
		]),
	);
}
