import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { readProjectTrust } from "../../../agents/read-project-trust.ts";
import { type DeputizeConfig, READONLY_LSP_ACTIONS } from "../../../contract/config.ts";
import type { LspTool } from "../../../tools/lsp/create-lsp-tool.ts";
import type { MarkError } from "../mark-errors.ts";
import { registerHostNeutralTool } from "../tools/adapt-tool.ts";
import { createOwnTools, OWN_TOOL_NAMES } from "../tools/create-own-tools.ts";
import { applyThroughQueue } from "./apply-through-queue.ts";
import type { PiLibrary } from "./pi-library.ts";
import { registerToolLoader } from "./register-tool-loader.ts";
import { createToolCallView } from "./render/create-tool-call-view.ts";

/** Web, document and language tools of the main agent. Returns the language tool, which children can share. */
export async function registerOwnTools(
	pi: ExtensionAPI,
	library: PiLibrary,
	options: { readonly config: DeputizeConfig; readonly home: string; readonly markError: MarkError },
): Promise<LspTool | undefined> {
	const agentDirectory = library.getAgentDir();
	let sessionId = "unknown";
	const { tools, lsp } = await createOwnTools(OWN_TOOL_NAMES, {
		config: options.config,
		env: process.env,
		home: options.home,
		agentDirectory,
		storeDirectory: () => join(agentDirectory, "deputize", "web", sessionId),
		temporaryDirectory: tmpdir(),
		lsp: {
			mode: "main",
			allowedActions: READONLY_LSP_ACTIONS,
			projectTrusted: () => readProjectTrust(process.cwd(), agentDirectory) === true,
			applyEdits: applyThroughQueue(library.withFileMutationQueue),
		},
	});
	pi.on("session_start", (_event, context) => {
		sessionId = context.sessionManager.getSessionId();
	});
	const renderCall = createToolCallView(library);
	for (const tool of tools) {
		registerHostNeutralTool(pi, tool, {
			markError: options.markError,
			renderCall: (args, theme) => renderCall(tool.name, args, theme),
		});
	}
	if (tools.length > 0)
		registerToolLoader(
			pi,
			tools.map(({ name }) => name),
		);
	pi.on("session_shutdown", () => lsp?.close());
	return lsp;
}
