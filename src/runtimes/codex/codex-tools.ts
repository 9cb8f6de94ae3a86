import type { ChildPlan } from "../../contract/plan.ts";
import type { ToolKind } from "../../toolbox/tool-rows.ts";
import { listServedTools } from "../program/tool-server.ts";

const READING = ["read", "grep", "find", "ls"];
const WRITING = ["bash", "edit", "write"];

/** In a layer it has no shell of its own, so it reads with our tools too. */
export const CODEX_SERVED: readonly ToolKind[] = ["files", "work"];

/** Codex has no list of tools, but a shell whose file system is read-only; these switches are all there is to grant. */
export function toCodexTools({ tools, worksInLayer }: Pick<ChildPlan, "tools" | "worksInLayer">) {
	return {
		shell: !worksInLayer && tools.some((tool) => READING.includes(tool) || WRITING.includes(tool)),
		webSearch: tools.includes("web_search"),
	};
}

export function nameCodexTools(plan: Pick<ChildPlan, "tools" | "worksInLayer">): readonly string[] {
	const { shell, webSearch } = toCodexTools(plan);
	return [
		...(shell ? ["a shell without network, for commands such as cat, ls and rg"] : []),
		...listServedTools(plan, CODEX_SERVED),
		...(webSearch ? ["web search"] : []),
	];
}
