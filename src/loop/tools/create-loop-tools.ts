import { extname } from "node:path";
import type { LoopToolName } from "../../contract/loop.ts";
import type { HostNeutralTool } from "../../contract/tool.ts";
import type { LoopPayload } from "../parse-payload.ts";

export interface LoopToolsContext {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly cwd: string;
}

/** The granted tools, and nothing else; each comes from a file that is loaded only when it is granted. */
export async function createLoopTools(
	payload: Pick<LoopPayload, "tools" | "child">,
	context: LoopToolsContext,
): Promise<readonly HostNeutralTool[]> {
	const tools = await Promise.all(payload.tools.map((name) => CREATORS[name](context)));
	if (payload.child === undefined) return tools;
	const { createFinalizeTool } = await import("./create-finalize-tool.ts");
	return [...tools, createFinalizeTool()];
}

const CREATORS: Readonly<Record<LoopToolName, (context: LoopToolsContext) => Promise<HostNeutralTool>>> = {
	search_web: (context) => loadWebTool("search_web", context),
	scrape_webpage: (context) => loadWebTool("scrape_webpage", context),
	bash_find: async () => (await import("../../tools/shell/create-find-tool.ts")).createFindTool(),
	bash_ripgrep: async ({ env }) =>
		(await import("../../tools/shell/create-ripgrep-tool.ts")).createRipgrepTool({ env }),
	bash_read: async () => (await import("../../tools/shell/create-read-tool.ts")).createReadTool(),
	python_execute: async ({ env }) =>
		(await import("../../tools/shell/create-python-tool.ts")).createPythonTool({ env }),
};

async function loadWebTool(name: LoopToolName, context: LoopToolsContext): Promise<HostNeutralTool> {
	const file = new URL(`../../tools/web/create-web-tools${extname(import.meta.url)}`, import.meta.url).href;
	const { createLoopWebTools } = (await import(file)) as {
		createLoopWebTools(options: LoopToolsContext): readonly HostNeutralTool[];
	};
	const tool = createLoopWebTools(context).find((candidate) => candidate.name === name);
	if (tool === undefined) throw new Error(`The web tools do not include ${name}.`);
	return tool;
}
