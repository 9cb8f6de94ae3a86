import type { JsonObject } from "@deputize/ground";
import type { Surroundings } from "../../config/read-surroundings.ts";
import type { McpServerOptions } from "../../contract/mcp.ts";
import { SUBAGENT_DESCRIPTION, SUBAGENT_PARAMETERS, SUBAGENT_TOOL } from "../../contract/subagent-tool.ts";
import { listAdvertised } from "../../delegation/list-advertised.ts";
import { loadProjectConfig } from "../../delegation/load-project-config.ts";
import { type AdvertisedAgent, renderPolicy } from "../../delegation/render-policy.ts";

interface OfferContext extends Pick<McpServerOptions, "agentsDirectories" | "builtinOnly"> {
	readonly surroundings: Surroundings;
	readonly cwd: string;
	/** Somebody can be asked about agents of the project. */
	readonly hasUI: boolean;
}

/** What this server offers in a directory. Nothing where delegation is switched off or already deep enough. */
export function describeOffer(context: OfferContext): {
	readonly tools: readonly JsonObject[];
	readonly prompts: readonly JsonObject[];
} {
	const { surroundings, cwd, ...advertising } = context;
	const { agentDirectory, depth } = surroundings;
	const { subagents } = loadProjectConfig(cwd, agentDirectory).config;
	if (!subagents.enabled || depth >= subagents.maxDepth) return { tools: [], prompts: [] };
	const agents = listAdvertised(subagents, agentDirectory, { cwd, ...advertising });
	const isApplied = subagents.applyChanges === "auto";
	const mayWrite = agents.some(({ writes }) => writes === "in-place" || (writes === "layer" && isApplied));
	return { tools: [describeTool(agents, mayWrite)], prompts: agents.map(describePrompt) };
}

/**
 * The policy is part of the description, not of the server's instructions: one of five clients does not pass those on. Clients
 * run calls in parallel, and without asking, only where a tool says that it reads.
 */
export function describeTool(agents: readonly AdvertisedAgent[], mayWrite: boolean): JsonObject {
	return {
		name: SUBAGENT_TOOL,
		title: "Subagent",
		description: `${SUBAGENT_DESCRIPTION}\n${renderPolicy(agents)}`,
		inputSchema: SUBAGENT_PARAMETERS,
		annotations: {
			title: "Subagent",
			readOnlyHint: !mayWrite,
			destructiveHint: mayWrite,
			openWorldHint: true,
		},
		// Claude Code otherwise hides the tool behind a search.
		_meta: { "anthropic/alwaysLoad": true },
	};
}

/** Clients show prompts as commands for the person; they cost the model nothing. */
function describePrompt({ name, description }: AdvertisedAgent): JsonObject {
	return {
		name,
		title: `Ask ${name}`,
		description,
		arguments: [{ name: "task", description: `What ${name} should do`, required: true }],
	};
}

export function renderPrompt(agent: string, task: string): JsonObject {
	const text = `Call the tool ${SUBAGENT_TOOL} with agent "${agent}" and this task, completed by the paths and facts of this conversation that it needs:\n\n${task}`;
	return { messages: [{ role: "user", content: { type: "text", text } }] };
}
