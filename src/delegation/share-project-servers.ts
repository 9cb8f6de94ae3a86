import { tmpdir } from "node:os";
import { READONLY_LSP_ACTIONS } from "../contract/config.ts";
import { probeSandbox } from "../sandbox/probe-sandbox.ts";
import { createToolbox } from "../toolbox/create-toolbox.ts";
import { type SharedLanguageServers, shareLanguageServers } from "../toolbox/share-language-servers.ts";
import type { DelegateOptions } from "./delegate-options.ts";
import { createDelegationContext } from "./delegation-context.ts";

/**
 * Language servers for all delegations with these options, for a door that is not an agent itself and delegates more than
 * once. They start with the first question of a child. Undefined where the configuration does not share them.
 */
export function shareProjectServers(options: DelegateOptions): SharedLanguageServers | undefined {
	const { cwd, config, surroundings, projectTrust } = createDelegationContext(options);
	const { lsp, subagents } = config;
	if (!lsp.enabled || !lsp.shareWithChildren || !subagents.allowLspTools) return undefined;
	const { agentDirectory } = surroundings;
	const toolbox = createToolbox({
		...surroundings,
		cwd,
		config: () => config,
		files: subagents,
		storeDirectory: tmpdir,
		temporaryDirectory: tmpdir,
		lsp: {
			mode: "main",
			allowedActions: READONLY_LSP_ACTIONS,
			projectTrusted: projectTrust === true,
			probe: () => probeSandbox(surroundings),
		},
	});
	const shared = shareLanguageServers(toolbox.lsp, { agentDirectory, cwd });
	return {
		...shared,
		async close() {
			await shared.close();
			await toolbox.close();
		},
	};
}
