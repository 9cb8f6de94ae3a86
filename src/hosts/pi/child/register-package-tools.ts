import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { loadConfig } from "../../../config/load-config.ts";
import { readSurroundings } from "../../../config/read-surroundings.ts";
import type { ChildGrant } from "../../../runtimes/child-grant.ts";
import { createErrorMarker } from "../mark-errors.ts";
import { registerHostNeutralTool } from "../tools/adapt-tool.ts";
import { createOwnTools } from "../tools/create-own-tools.ts";

/** The web, document and language tools that were granted. What they store and write stays in the run's directory. */
export async function registerPackageTools(pi: ExtensionAPI, grant: ChildGrant): Promise<void> {
	const cwd = process.cwd();
	const { env, home } = readSurroundings();
	const { agentDirectory, runDirectory, projectTrusted } = grant;
	const temporaryDirectory = join(runDirectory, "documents");
	mkdirSync(temporaryDirectory, { recursive: true, mode: 0o700 });
	const { tools, lsp } = await createOwnTools(grant.tools, {
		config: loadConfig({ cwd, agentDirectory, projectTrusted }).config,
		env,
		home,
		agentDirectory,
		storeDirectory: () => join(runDirectory, "web"),
		temporaryDirectory,
		lsp: {
			mode: "child",
			allowedActions: grant.lspActions,
			projectTrusted,
			...(grant.lspSocket ? { socketPath: grant.lspSocket.path, socketToken: grant.lspSocket.token } : {}),
		},
	});
	const markError = createErrorMarker(pi);
	for (const tool of tools) registerHostNeutralTool(pi, tool, { markError });
	pi.on("session_shutdown", () => lsp?.close());
}
