import type { ChildPlan } from "../../contract/plan.ts";
import { locateEntryPoint } from "../../entry-points.ts";
import type { Workspace } from "../../sandbox/workspace.ts";
import { isToolName, TOOL_ROWS, type ToolKind, type ToolName } from "../../toolbox/tool-rows.ts";
import { GRANT_VARIABLE, toChildGrant } from "../child-grant.ts";

/** What a program calls the server with our tools. */
export const TOOL_SERVER = "deputize";

/** How a program starts it. */
export interface ToolServer {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/** Of the tools that a child in a layer was granted, those of these kinds. Outside of a layer a program has its own only. */
export function listServedTools(
	{ tools, worksInLayer }: Pick<ChildPlan, "tools" | "worksInLayer">,
	kinds: readonly ToolKind[],
): readonly ToolName[] {
	if (!worksInLayer) return [];
	return tools.filter(isToolName).filter((name) => kinds.includes(TOOL_ROWS[name].kind));
}

export function describeToolServer(
	plan: ChildPlan,
	served: readonly ToolName[],
	place: {
		readonly runDirectory: string;
		readonly agentDirectory: string;
		readonly workspace: Workspace | undefined;
	},
): ToolServer | undefined {
	if (served.length === 0 || place.workspace === undefined) return undefined;
	const grant = { ...toChildGrant(plan, { ...place, isConfined: true }), tools: served };
	return {
		command: process.execPath,
		args: [locateEntryPoint("tool-server")],
		env: { [GRANT_VARIABLE]: JSON.stringify(grant) },
	};
}
