import { isToolName } from "../../toolbox/tool-rows.ts";

/** An agent has the same tools under both runtimes. What belongs to pi or its extensions does not exist in the loop. */
export function toLoopTools(granted: readonly string[]): readonly string[] {
	return granted.filter(isToolName);
}

/** The prompt uses the granted names: the model must know which of them it does not have here. */
export function describeMissingTools(granted: readonly string[]): string {
	const missing = granted.filter((name) => !isToolName(name));
	return missing.length === 0 ? "" : `- Not available here: ${missing.join(", ")}.`;
}
