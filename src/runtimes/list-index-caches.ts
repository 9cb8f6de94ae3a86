import { locateIndexCache, prepareIndexCache } from "../code-index/index-cache.ts";
import type { ChildPlan } from "../contract/plan.ts";

/**
 * Where a confined child that searches by index keeps the words of its own tree. It sees no other tree's, so what goes
 * wrong in one child changes no search elsewhere.
 */
export function listIndexCaches(plan: ChildPlan, agentDirectory: string): readonly string[] {
	const searches = plan.model?.startsWith("offline/") === true || plan.tools.includes("search_code");
	const directory = searches ? prepareIndexCache(locateIndexCache(agentDirectory, plan.cwd)) : undefined;
	return directory === undefined ? [] : [directory];
}
