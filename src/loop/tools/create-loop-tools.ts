import type { WebConfig } from "../../contract/config.ts";
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
	const tools = await Promise.all(payload.tools.map((name) => CREATORS[name](context, payload.child?.web)));
	if (payload.child === undefined) return tools;
	const { createFinalizeTool } = await import("./create-finalize-tool.ts");
	return [...tools, createFinalizeTool()];
}

type CreateTool = (context: LoopToolsContext, web: WebConfig | undefined) => Promise<HostNeutralTool>;

const CREATORS: Readonly<Record<LoopToolName, CreateTool>> = {
	search_web: (context, web) => loadWebTool("search_web", context, web),
	scrape_webpage: (context, web) => loadWebTool("scrape_webpage", context, web),
	bash_find: async (context) =>
		(await import("../../tools/files/create-bash-find-tool.ts")).createBashFindTool(await openFiles(context)),
	bash_ripgrep: async (context) =>
		(await import("../../tools/files/create-bash-ripgrep-tool.ts")).createBashRipgrepTool(
			await openFiles(context),
		),
	bash_read: async (context) =>
		(await import("../../tools/files/create-bash-read-tool.ts")).createBashReadTool(await openFiles(context)),
	python_execute: async ({ env }) =>
		(await import("../../tools/shell/create-python-tool.ts")).createPythonTool({ env }),
};

async function openFiles({ env, cwd }: LoopToolsContext) {
	const { readSurroundings } = await import("../../config/read-surroundings.ts");
	const { createJudge } = await import("../../judge/create-judge.ts");
	return { env, judge: createJudge({ ...readSurroundings(env), cwd }) };
}

async function loadWebTool(
	name: LoopToolName,
	context: LoopToolsContext,
	given: WebConfig | undefined,
): Promise<HostNeutralTool> {
	const { createLoopWebTools } = await import("../../tools/web/create-web-tools.ts");
	const config = given ?? (await readUserConfig(context));
	const tool = createLoopWebTools({ env: context.env, config }).find((candidate) => candidate.name === name);
	if (tool === undefined) throw new Error(`The web tools do not include ${name}.`);
	return tool;
}

/** Which search service to use is the user's choice, also when no runtime passes it on. */
async function readUserConfig({ env, cwd }: LoopToolsContext): Promise<WebConfig> {
	const { readSurroundings } = await import("../../config/read-surroundings.ts");
	const { loadConfig } = await import("../../config/load-config.ts");
	const { agentDirectory } = readSurroundings(env);
	return loadConfig({ cwd, agentDirectory, projectTrusted: false }).config.web;
}
