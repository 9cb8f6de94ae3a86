import { existsSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { DelegationHost } from "../../../delegation/delegation-context.ts";
import { DEFAULT_PARENT_TOOLS, type ParentTools } from "../../../delegation/filter-tools.ts";
import { findModelExtensions } from "./find-model-extensions.ts";
import type { PiLibrary } from "./pi-library.ts";

/** What a child inherits from the parent it is started by: its tools, model, thinking level and version of pi. */
export async function describeParent(
	pi: ExtensionAPI,
	library: PiLibrary,
	context: ExtensionContext,
): Promise<DelegationHost> {
	const model = context.model;
	return {
		parentTools: describeTools(pi),
		...(model
			? {
					parentModel: `${model.provider}/${model.id}`,
					parentThinkingLevel: pi.getThinkingLevel(),
					modelExtensions: await findModelExtensions(model.provider, library, context),
				}
			: {}),
		piPackage: library.getPackageDir(),
		projectTrust: context.isProjectTrusted(),
	};
}

/**
 * pi's tools and ours can always be granted. A tool of another extension can when that extension has a file
 * a child can load; what an embedding program added in memory exists in this process only.
 */
export function describeTools(pi: Pick<ExtensionAPI, "getAllTools" | "getActiveTools">): ParentTools {
	const known = new Map(DEFAULT_PARENT_TOOLS.known);
	const own = new Set([...known.keys()]);
	for (const { name, sourceInfo } of pi.getAllTools()) {
		const isBuiltin = sourceInfo.source === "builtin";
		if (isBuiltin || name === "subagent" || OWN_TOOLS.has(name)) continue;
		if (existsSync(sourceInfo.path)) known.set(name, sourceInfo.path);
		else if (own.has(name)) known.delete(name);
	}
	return { known, active: pi.getActiveTools() };
}

const OWN_TOOLS: ReadonlySet<string> = new Set([
	"web_search",
	"fetch_content",
	"get_search_content",
	"convert_content",
	"lsp",
]);
