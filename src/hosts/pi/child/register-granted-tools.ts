import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { defined } from "@deputize/ground";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { readSurroundings } from "../../../config/read-surroundings.ts";
import type { DeputizeConfig } from "../../../contract/config.ts";
import type { HostNeutralTool } from "../../../contract/tool.ts";
import { toErrorOutcome } from "../../../contract/tool-error.ts";
import type { ChildGrant } from "../../../runtimes/child-grant.ts";
import { createToolbox } from "../../../toolbox/create-toolbox.ts";
import { isToolName, TOOL_ROWS } from "../../../toolbox/tool-rows.ts";
import { createErrorMarker } from "../mark-errors.ts";
import { registerHostNeutralTool, type ShowImage } from "../tools/adapt-tool.ts";

/** The tools of this package and the model a child was granted. pi's own file tools are replaced by ours. */
export async function registerGrantedTools(pi: ExtensionAPI, grant: ChildGrant): Promise<void> {
	if (grant.tools.some(isToolName)) await registerTools(pi, grant);
	if (!grant.offline) return;
	const [{ registerOfflineProvider }, { createNavigator }, { createJudge }] = await Promise.all([
		import("./register-offline-provider.ts"),
		import("../../../navigator/create-navigator.ts"),
		import("../../../judge/create-judge.ts"),
	]);
	const place = { ...readSurroundings(), cwd: process.cwd(), agentDirectory: grant.agentDirectory };
	const judge = createJudge({ ...place, ...grant.fileRules });
	const navigator = createNavigator({ ...place, judge, projectTrusted: grant.projectTrusted });
	registerOfflineProvider(pi, grant, navigator);
}

/** What the tools store and write stays in the run's directory. */
async function registerTools(pi: ExtensionAPI, grant: ChildGrant): Promise<void> {
	const { runDirectory, agentDirectory, lspSocket } = grant;
	const config = needsSettings(grant) ? await readConfig(grant) : undefined;
	const missing: HostNeutralTool[] = [];
	const toolbox = createToolbox({
		...readSurroundings(),
		cwd: process.cwd(),
		agentDirectory,
		config: () => {
			if (config === undefined) throw new Error("No tool that was granted has settings.");
			return config;
		},
		files: grant.fileRules,
		workspace: grant.workspace,
		onMissing: (name, why) => missing.push(createRefusal(name, why)),
		storeDirectory: () => join(runDirectory, "web"),
		temporaryDirectory: () => makeDirectory(join(runDirectory, "documents")),
		lsp: {
			mode: "child",
			allowedActions: grant.lspActions,
			projectTrusted: grant.projectTrusted,
			needsBox: grant.isConfined,
			...defined({ socketPath: lspSocket?.path, socketToken: lspSocket?.token }),
		},
	});
	const markError = createErrorMarker(pi);
	const showImage: ShowImage = async (image, context) =>
		(await import("./show-image.ts")).showImage(image, context);
	const opened = await toolbox.open(grant.tools);
	// In a layer pi's own tools of the name must not be there either: their commands would have network and keys.
	for (const tool of [...opened, ...(grant.workspace ? missing : [])])
		registerHostNeutralTool(pi, tool, { markError, showImage });
	pi.on("session_shutdown", () => toolbox.close());
}

function createRefusal(name: string, why: string): HostNeutralTool {
	return {
		...{ name, label: name, description: `Not available here: ${why}` },
		parameters: { type: "object", properties: {} },
		execute: () => Promise.resolve(toErrorOutcome({ code: "TOOL_MISSING", message: why })),
	};
}

function needsSettings(grant: ChildGrant): boolean {
	return grant.tools.some((name) => isToolName(name) && !["files", "work"].includes(TOOL_ROWS[name].kind));
}

async function readConfig({ agentDirectory, projectTrusted }: ChildGrant): Promise<DeputizeConfig> {
	const { loadConfig } = await import("../../../config/load-config.ts");
	return loadConfig({ cwd: process.cwd(), agentDirectory, projectTrusted }).config;
}

function makeDirectory(path: string): string {
	mkdirSync(path, { recursive: true, mode: 0o700 });
	return path;
}
