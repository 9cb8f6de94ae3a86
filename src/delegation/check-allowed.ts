import type { SubagentsConfig } from "../contract/config.ts";
import { DelegationError } from "../contract/error-codes.ts";

/** The two questions that come before any other: is delegation on, and are we shallow enough. */
export function checkAllowed(config: SubagentsConfig, depth: number): void {
	if (!config.enabled) {
		throw new DelegationError(
			"SUBAGENTS_DISABLED",
			"Subagents are switched off. Set subagents.enabled to true in deputize.json to use them.",
		);
	}
	if (depth >= config.maxDepth) {
		throw new DelegationError(
			"SUBAGENT_DEPTH_EXCEEDED",
			`A subagent cannot delegate further: this process is at depth ${depth} and subagents.maxDepth is ${config.maxDepth}. Do the task here.`,
		);
	}
}
