import type { AgentDefinition } from "./agent.ts";
import type { SubagentsConfig } from "./config.ts";

export interface SessionPlan {
	readonly id: string;
	readonly file: string;
	readonly resumed: boolean;
}

/** Everything a runtime needs to run one child, decided before anything is spawned. The task is sent apart from it. */
export interface ChildPlan {
	readonly runId: string;
	readonly agent: AgentDefinition;
	readonly cwd: string;
	readonly systemPrompt: string;
	/** The exact allow list, `subagent_finalize` not included. Empty means no tools. */
	readonly tools: readonly string[];
	/** Extension files of other packages that some granted tools come from. */
	readonly extensions: readonly string[];
	readonly model?: string;
	readonly thinkingLevel?: string;
	readonly session: SessionPlan;
	/** May this child change files: decides whether the operating system's sandbox is used. */
	readonly mayWrite: boolean;
	/** Load AGENTS.md and the like, and project settings. False in a project that is not trusted. */
	readonly projectTrusted: boolean;
	readonly depth: number;
	readonly limits: Pick<SubagentsConfig, "timeoutMs" | "idleTimeoutMs">;
	readonly sandbox: SubagentsConfig["sandbox"];
	readonly finalize: SubagentsConfig["finalize"];
	readonly lspActions: readonly string[];
	/** Socket of the parent's warm language servers. */
	readonly lspSocket?: string;
}
