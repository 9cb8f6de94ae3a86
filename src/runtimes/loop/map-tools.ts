import type { ChildPlan } from "../../contract/plan.ts";
import { isToolName, TOOL_ROWS } from "../../toolbox/tool-rows.ts";

type Granted = Pick<ChildPlan, "tools" | "worksInLayer">;

/**
 * An agent has the same tools under both runtimes. What belongs to pi or its extensions does not exist in the loop, and
 * its own that change files only in a layer.
 */
export function toLoopTools({ tools, worksInLayer }: Granted): readonly string[] {
	return tools.filter((name) => isToolName(name) && (worksInLayer || TOOL_ROWS[name].contract !== "layer"));
}

/** The prompt uses the granted names: the model must know which of them it does not have here. */
export function describeMissingTools(granted: Granted): string {
	const there = toLoopTools(granted);
	const missing = granted.tools.filter((name) => !there.includes(name));
	return missing.length === 0 ? "" : `- Not available here: ${missing.join(", ")}.`;
}
