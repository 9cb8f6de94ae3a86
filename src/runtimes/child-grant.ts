import { defined, parseJsonObject } from "@deputize/ground";
import { isOfflineModel } from "../contract/offline-model.ts";
import type { ChildPlan } from "../contract/plan.ts";
import type { JsonSchema } from "../contract/tool.ts";
import type { Workspace } from "../sandbox/workspace.ts";

type GrantedInPlan = Pick<
	ChildPlan,
	"tools" | "mayWrite" | "model" | "finalize" | "lspActions" | "lspSocket" | "fileRules" | "verbose"
>;

/** What the parent allows, handed to the child in one environment variable. The child enforces it again. */
export interface ChildGrant extends GrantedInPlan {
	readonly agent: string;
	/** The schema of the data it hands over. */
	readonly output?: JsonSchema;
	readonly projectTrusted: boolean;
	/** No turn begins beyond it. */
	readonly maxTurns?: number;
	/** The child is in a sandbox. */
	readonly isConfined: boolean;
	/** The child's model is the embedded navigator. */
	readonly offline: boolean;
	readonly agentDirectory: string;
	/** Where it may write, when it works in a layer. */
	readonly workspace?: Workspace | undefined;
	/** The run's own directory; the child removes it if the parent dies. */
	readonly runDirectory: string;
}

export const GRANT_VARIABLE = "PI_SUBAGENT_GRANT";

export function toChildGrant(
	plan: ChildPlan,
	launch: Pick<ChildGrant, "runDirectory" | "agentDirectory" | "isConfined" | "workspace">,
): ChildGrant {
	return {
		agent: plan.agent.name,
		tools: plan.tools,
		mayWrite: plan.mayWrite,
		finalize: plan.finalize,
		lspActions: plan.lspActions,
		...defined({
			model: plan.model,
			lspSocket: plan.lspSocket,
			output: plan.agent.output,
			verbose: plan.verbose,
			maxTurns: plan.bounds?.maxTurns,
		}),
		fileRules: plan.fileRules,
		projectTrusted: plan.projectTrust === "trusted",
		offline: isOfflineModel(plan.model),
		...launch,
	};
}

/** Undefined when the variable is missing or does not contain a grant: the child must then refuse to work. */
export function parseChildGrant(text: string | undefined): ChildGrant | undefined {
	const parsed = parseJsonObject(text ?? "") as ChildGrant | undefined;
	const valid = Array.isArray(parsed?.tools) && typeof parsed.finalize?.maxCorrections === "number";
	return valid && typeof parsed.runDirectory === "string" ? parsed : undefined;
}
