import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { SubagentsConfig } from "../../../contract/config.ts";
import { SUBAGENT_TOOL } from "../../../contract/subagent-tool.ts";
import { listAdvertised } from "../../../delegation/list-advertised.ts";
import { renderPolicy } from "../../../delegation/render-policy.ts";

const SECTION = "delegation";

/**
 * Adds one section to the parent's prompt. Replacing the whole prompt instead would work against the
 * provider's cache and against every other extension.
 */
export function injectPolicy(
	pi: ExtensionAPI,
	options: { readonly config: SubagentsConfig; readonly agentDirectory: string },
): void {
	pi.on("before_agent_start", (event, context) => {
		// From 1.2 on the event also comes for messages of extensions, not all of which carry a prompt.
		const sections = event.systemPromptOptions?.sections;
		if (!sections || !pi.getActiveTools().includes(SUBAGENT_TOOL)) return;
		const agents = listAdvertised(options.config, options.agentDirectory, context);
		if (agents.length > 0) sections[SECTION] = renderPolicy(agents);
	});
}
