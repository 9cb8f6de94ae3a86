import type { AgentDefinition, RuntimeName } from "./agent.ts";
import type { SubagentsConfig } from "./config.ts";
import type { FileRules } from "./file-rules.ts";

export interface SessionPlan {
	readonly id: string;
	readonly file: string;
	readonly resumed: boolean;
}

/** Where a child asks the language servers of its parent. */
export interface LspSocket {
	readonly path: string;
	readonly token: string;
	/** Whether those servers run in a sandbox. A confined child that uses free ones is not confined. */
	readonly isConfined: boolean;
}

/** What a layer over the project is for: changes that a person decides about, or commands whose traces nobody keeps. */
export type LayerUse = "to-change" | "to-try";

/** Where a child that changes files does so. */
export interface LayerPlan {
	/** The top of what it may change, as it sees it. */
	readonly root: string;
	/** What the sandbox shows there (`LayerMount` of the sandbox); undefined where none works. */
	readonly mount:
		| {
				readonly at: string;
				readonly state: string;
				readonly hidden: string;
				readonly kind: "overlay" | "copy";
				readonly shown?: readonly string[];
		  }
		| undefined;
}

export interface RunBounds {
	readonly maxTurns?: number;
	/** US dollars; of no effect where the prices of the model are not known. */
	readonly maxCost?: number;
}

export interface ModelChoice {
	/** Undefined leaves the choice to pi's settings. */
	readonly model?: string;
	readonly thinkingLevel?: string;
}

/** Another model for the same run. */
interface FallbackModel extends ModelChoice {
	readonly extensions: readonly string[];
}

/** Everything a runtime needs to run one child, decided before anything is spawned. The task is sent apart from it. */
export interface ChildPlan extends ModelChoice {
	readonly runId: string;
	readonly agent: AgentDefinition;
	/** Which kind of child it is. */
	readonly runtime: RuntimeName;
	readonly cwd: string;
	readonly systemPrompt: string;
	/** The exact allow list, `subagent_finalize` not included. Empty means no tools. */
	readonly tools: readonly string[];
	/** Asked for by the agent and not granted. */
	readonly notGranted: readonly string[];
	/** Extension files of other packages that some granted tools come from. */
	readonly extensions: readonly string[];
	/** What the run goes on with when the provider of the model refuses, in this order. */
	readonly fallbacks?: readonly FallbackModel[];
	/** The offline navigator shows everything it found. */
	readonly verbose?: boolean;
	readonly session: SessionPlan;
	/** May this child change the user's own files: decides whether the operating system's sandbox is used. */
	readonly mayWrite: boolean;
	/** It works in a layer, which is opened when its turn has come. */
	readonly worksInLayer: LayerUse | false;
	/** Absent until then. */
	readonly layer?: LayerPlan;
	/** What the user decided about the project: its settings load when trusted, its notes for agents unless refused. */
	readonly projectTrust: "trusted" | "undecided" | "refused";
	readonly depth: number;
	readonly limits: Pick<SubagentsConfig, "timeoutMs" | "idleTimeoutMs" | "maxMemoryMb">;
	/** No turn begins beyond these, over all attempts. */
	readonly bounds?: RunBounds;
	readonly sandbox: SubagentsConfig["sandbox"];
	readonly finalize: SubagentsConfig["finalize"];
	readonly lspActions: readonly string[];
	/** Which files the configuration opens and closes. */
	readonly fileRules: FileRules;
	/** The parent's warm language servers. */
	readonly lspSocket?: LspSocket;
}
