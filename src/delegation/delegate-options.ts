import type { Environment } from "@deputize/ground";
import type { RedactedText } from "@deputize/redaction";
import type { ChildSource } from "../children/child-pool.ts";
import type { AgentDefinition, RuntimeName } from "../contract/agent.ts";
import type { ChildAnswer, ChildQuestion } from "../contract/child-question.ts";
import type { DeputizeConfig } from "../contract/config.ts";
import type { LspSocket } from "../contract/plan.ts";
import type { DelegationUpdate, ResultChanges } from "../contract/result.ts";
import type { TrustAnswer } from "./check-agent-trust.ts";
import type { GrantedTools, ParentTools } from "./filter-tools.ts";
import type { OptionNames } from "./limit-names.ts";

/** The options of a delegation. Each has a sensible default. */
export interface DelegateOptions {
	readonly cwd?: string;
	/** The configuration; loaded from its files when not given. */
	readonly config?: DeputizeConfig;
	readonly env?: Environment;
	/** Further directories with agent files; they win over all others. */
	readonly agentsDirectories?: readonly string[];
	/** Only the agents that ship with this package: a project's or user's agent of the same name is passed over. */
	readonly builtinOnly?: boolean;
	/** A model as `provider/id`, or `offline`. Wins over the agent's own. */
	readonly model?: string;
	readonly offline?: boolean;
	/** With the offline navigator: return everything it found instead of about fifteen lines. */
	readonly verbose?: boolean;
	/** Wins over the agent's own `runtime`. */
	readonly runtime?: RuntimeName;
	readonly timeoutMs?: number;
	readonly idleTimeoutMs?: number;
	/** Cancels the run. If its reason is a string, it becomes the message of the result. */
	readonly signal?: AbortSignal;
	/** The batch this delegation is a task of, for the journal. */
	readonly batch?: string;
	/** Changes that a child made in a layer are applied when it has succeeded and they merge. */
	readonly applyChanges?: boolean;
	readonly onUpdate?: (update: DelegationUpdate) => void;
	/** Receives lines for the user, such as which model answers. */
	readonly onNotice?: (line: string) => void;
	readonly host?: DelegationHost;
}

export type ChangesDecision = "apply" | "keep" | "drop";

interface HandOver {
	readonly maxBytes: number;
	/** What cannot be handed over is kept as a change here; otherwise it is removed as well. */
	readonly keepsRest: boolean;
	/** Called with the exact patch, as `git apply` takes it. */
	take(patch: Buffer): void;
}

/** What only a host that is itself an agent can know. */
export interface DelegationHost {
	/** Who is asking, for the journal: `pi:<session id>`, `mcp:<client>`. */
	readonly parent?: string;
	readonly parentTools?: ParentTools;
	readonly parentModel?: string;
	readonly parentThinkingLevel?: string;
	/** Extension files that a child must load to know a model. */
	readonly findModelExtensions?: (model: string) => readonly string[];
	/** Extension files that refuse tool calls of the host: a child that may write loads them too. */
	readonly findGates?: () => Promise<readonly string[]>;
	/** Every model the host can use, as `provider/id`. */
	readonly listModels?: () => readonly string[];
	/** Directory of the running pi's package. */
	readonly piPackage?: string;
	/** The trust decision about the project for this session; undefined if there is none. */
	readonly projectTrust?: boolean;
	/** Asks the user about an agent of the project, naming the tools it would get. */
	readonly confirmAgent?: (agent: AgentDefinition, granted: GrantedTools) => Promise<TrustAnswer>;
	/** Called with a function that sends the child a message for its next turn, and with undefined once it takes none. */
	readonly onMessageable?: (send: ((text: string) => boolean) | undefined) => void;
	/** Asks the user for an extension in a child of this agent, which waits; absent where there is nobody to ask. */
	readonly askPerson?: (agent: string, question: ChildQuestion) => Promise<ChildAnswer>;
	/**
	 * Asks a person what becomes of the changes of a child that has ended with this answer. Without it they are kept, unless
	 * the configuration applies them.
	 */
	readonly decideChanges?: (changes: ResultChanges, answer: RedactedText) => Promise<ChangesDecision>;
	/** Takes what a child changed along; nothing of it is kept then. For tasks of a batch. */
	readonly handOver?: HandOver;
	readonly lspSocket?: LspSocket;
	/** What the options of `DelegateOptions` are called at this door, for messages. */
	readonly optionNames?: OptionNames;
	/** Shared by many delegations: how many run at once, children that wait, processes that serve several in turn. */
	readonly children?: ChildSource;
	/** The longest text the host's own caller accepts; `LIMITS.resultBytes` by default. Infinity: all of it, for one who reads no text. */
	readonly maxResultBytes?: number;
	/** The name the calling program gives itself: an MCP client such as `claude-code`. */
	readonly callingClient?: string;
}
