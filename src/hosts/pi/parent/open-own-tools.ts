import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { readProjectTrust } from "../../../agents/read-project-trust.ts";
import { READONLY_LSP_ACTIONS } from "../../../contract/config.ts";
import { probeSandbox } from "../../../sandbox/probe-sandbox.ts";
import { createToolbox } from "../../../toolbox/create-toolbox.ts";
import { listAgentTools } from "../../../toolbox/tool-rows.ts";
import { registerHostNeutralTool } from "../tools/adapt-tool.ts";
import { recordToolCall } from "../tools/record-tool-call.ts";
import { applyThroughQueue } from "./apply-through-queue.ts";
import type { ParentContext } from "./parent-context.ts";
import { createToolCallView } from "./render/create-tool-call-view.ts";
import { watchEdits } from "./watch-edits.ts";

/** The parent's own web, document and language tools. Nothing of them is registered yet. */
export async function openOwnTools(pi: ExtensionAPI, options: ParentContext) {
	const { config, library, markError } = options;
	const { env, home, agentDirectory } = options.surroundings;
	const storesRoot = join(agentDirectory, "deputize", "web");
	let sessionId = "unknown";
	pi.on("tool_execution_start", (_event, context) => {
		sessionId = context.sessionManager.getSessionId();
	});
	const toolbox = createToolbox({
		cwd: process.cwd(),
		config: () => config,
		files: config.subagents,
		env,
		home,
		agentDirectory,
		storesRoot,
		storeDirectory: () => join(storesRoot, sessionId),
		temporaryDirectory: tmpdir,
		lsp: {
			mode: "main",
			allowedActions: READONLY_LSP_ACTIONS,
			projectTrusted: () =>
				(readProjectTrust(process.cwd(), agentDirectory) ?? options.readExplicitTrust()) === true,
			probe: () => probeSandbox({ env, agentDirectory }),
			applyEdits: applyThroughQueue(library.withFileMutationQueue),
		},
		onCall: (call) => void recordToolCall(call, options.surroundings),
	});
	const tools = await toolbox.open(listAgentTools("web", "convert", "lsp"));
	// Children ask the tool itself: their calls are noted with their run.
	const lsp = await toolbox.lsp();
	if (lsp) watchEdits(pi, lsp, config.lsp);
	const drawCall = createToolCallView(library);
	const registered = new Set<string>();
	return {
		lsp,
		/** Registers tools with pi, which makes them visible to the model. */
		activate(names: readonly string[]): void {
			for (const tool of tools.filter(({ name }) => names.includes(name) && !registered.has(name))) {
				registered.add(tool.name);
				registerHostNeutralTool(pi, tool, {
					markError,
					renderCall: (args, theme) => drawCall(tool.name, args, theme),
				});
			}
			pi.setActiveTools([...new Set([...pi.getActiveTools(), ...names])]);
		},
		close: (): Promise<void> => toolbox.close(),
	};
}
