import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { SubagentsConfig } from "../../../contract/config.ts";
import { SUBAGENT_TOOL } from "./subagent-tool.ts";

const SECTION = "delegation";

/**
 * Adds one section to the parent's prompt. Replacing the whole prompt instead would work against the
 * provider's cache and against every other extension.
 */
export function injectPolicy(
	pi: ExtensionAPI,
	options: { readonly config: SubagentsConfig; readonly agentDirectory: string },
): void {
	pi.on("before_agent_start", async (event, context) => {
		if (!pi.getActiveTools().includes(SUBAGENT_TOOL)) return;
		const [{ listAdvertised }, { renderPolicy }] = await Promise.all([
			import("./list-advertised.ts"),
			import("./render-policy.ts"),
		]);
		const agents = listAdvertised(options.config, options.agentDirectory, context);
		if (agents.length > 0) event.systemPromptOptions.sections[SECTION] = renderPolicy(agents);
	});
}
