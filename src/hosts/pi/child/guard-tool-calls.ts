import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { FINALIZE_TOOL } from "../../../contract/finalization.ts";
import type { ChildGrant } from "../../../runtimes/child-grant.ts";

/**
 * The second lock behind `--tools`. Denies by default: a call runs only if its tool was granted, and a child that
 * finds it has more tools than that does not start.
 */
export function guardToolCalls(pi: ExtensionAPI, grant: ChildGrant): void {
	const granted = new Set([...grant.tools, FINALIZE_TOOL]);
	const surplus = (): readonly string[] => pi.getActiveTools().filter((name) => !granted.has(name));
	const refuseToStart = (): void => {
		const extra = surplus();
		if (extra.length === 0) return;
		process.stderr.write(`deputize: the child has tools that were not granted: ${extra.join(", ")}\n`);
		process.exit(1);
	};
	pi.on("session_start", refuseToStart);
	pi.on("before_agent_start", refuseToStart);
	pi.on("tool_call", (event) =>
		granted.has(event.toolName)
			? undefined
			: { block: true, reason: `The tool ${event.toolName} was not granted to this subagent.` },
	);
}
