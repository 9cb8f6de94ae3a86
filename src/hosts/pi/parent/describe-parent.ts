import { existsSync } from "node:fs";
import { defined } from "@deputize/ground";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { SUBAGENT_TOOL } from "../../../contract/subagent-tool.ts";
import { isMcpTool, MCP_EXTENSION } from "../../../contract/tool.ts";
import type { DelegationHost } from "../../../delegation/delegate-options.ts";
import { DEFAULT_PARENT_TOOLS, type ParentTools } from "../../../delegation/filter-tools.ts";
import { listAgentTools } from "../../../toolbox/tool-rows.ts";
import type { ReadExplicitTrust } from "./explicit-trust.ts";
import { createModelExtensions } from "./find-model-extensions.ts";
import { listExtensions } from "./list-extensions.ts";
import { TOOL_LOADER } from "./offer-own-tools.ts";
import type { PiLibrary } from "./pi-library.ts";
import { chooseGates } from "./read-extension-source.ts";

/** What a child inherits from its parent: tools, model, thinking level and version of pi. */
export async function describeParent(
	pi: ExtensionAPI,
	library: PiLibrary,
	context: ExtensionContext,
	readExplicitTrust: ReadExplicitTrust,
): Promise<DelegationHost> {
	return {
		parent: `pi:${context.sessionManager.getSessionId()}`,
		parentTools: describeTools(pi),
		...describeModel(pi, context),
		findModelExtensions: await createModelExtensions(library, context),
		findGates: async () => chooseGates(await listExtensions(library, context)),
		listModels: () => listModels(context),
		piPackage: library.getPackageDir(),
		...defined({ projectTrust: readExplicitTrust() }),
	};
}

export function describeModel(
	pi: Pick<ExtensionAPI, "getThinkingLevel">,
	{ model }: Pick<ExtensionContext, "model">,
): Pick<DelegationHost, "parentModel" | "parentThinkingLevel"> {
	if (!model) return {};
	return { parentModel: `${model.provider}/${model.id}`, parentThinkingLevel: pi.getThinkingLevel() };
}

/** What pi itself would let the user choose. */
export function listModels(context: Pick<ExtensionContext, "modelRegistry">): readonly string[] {
	return context.modelRegistry.getAvailable().map(({ provider, id }) => `${provider}/${id}`);
}

/**
 * pi's tools and ours can always be granted. Another extension's tool can be granted if that extension has a file a
 * child can load; what an embedding program added in memory exists only in this process.
 */
export function describeTools(pi: Pick<ExtensionAPI, "getAllTools" | "getActiveTools">): ParentTools {
	const known = new Map(DEFAULT_PARENT_TOOLS.known);
	for (const { name, sourceInfo } of pi.getAllTools()) {
		// pi provides its MCP servers through an extension, which a child can load too.
		if (sourceInfo.path === MCP_EXTENSION && isMcpTool(name)) known.set(name, MCP_EXTENSION);
		if (sourceInfo.source === "builtin" || PACKAGE_TOOLS.includes(name)) continue;
		if (existsSync(sourceInfo.path)) known.set(name, sourceInfo.path);
		else known.delete(name);
	}
	// Ours count as active even if the main agent has not loaded them, so that a deny list always leaves the same tools.
	const active = new Set([...pi.getActiveTools(), ...OWN_TOOLS]);
	return { known, active: [...active].filter((name) => known.has(name)) };
}

const OWN_TOOLS: readonly string[] = listAgentTools("web", "convert", "lsp");

const PACKAGE_TOOLS: readonly string[] = [...OWN_TOOLS, SUBAGENT_TOOL, TOOL_LOADER];
