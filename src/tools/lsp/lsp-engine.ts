import { canonicalPath, defined } from "@deputize/ground";
import type { LspConfig } from "../../contract/config.ts";
import type { ToolContext } from "../../contract/tool.ts";
import type { ActionAnswer, ActionContext } from "./actions/action-context.ts";
import { checkFile, checkWorkspace } from "./actions/check-diagnostics.ts";
import { showHover, showSignature } from "./actions/describe-symbol.ts";
import { findDefinition, findReferences } from "./actions/find-places.ts";
import { listSymbols } from "./actions/list-symbols.ts";
import { offerCodeActions } from "./actions/offer-code-actions.ts";
import { renameSymbol } from "./actions/rename-symbol.ts";
import { restartServers, showServers } from "./actions/show-servers.ts";
import { createLspDeadline, LspError, ServerRefusalError } from "./lsp-error.ts";
import { LSP_LIMITS } from "./lsp-limits.ts";
import type { LspAction, LspRequest } from "./parse-lsp-request.ts";
import { chooseSandbox } from "./servers/choose-sandbox.ts";
import { describeServers } from "./servers/describe-servers.ts";
import type { LaunchOptions } from "./servers/launch-server.ts";
import { listServerDefinitions } from "./servers/select-server.ts";
import { createServerPool } from "./servers/server-pool.ts";
import { createSourceRule } from "./workspace/create-source-rule.ts";
import { createSourceReader } from "./workspace/read-source.ts";
import { type FileEdit, writeEditsAllOrNone } from "./workspace/write-edits.ts";

interface LspEngineOptions extends Omit<LaunchOptions, "sandbox" | "maxMemoryMb"> {
	readonly config: LspConfig;
	readonly applyEdits?: (edits: readonly FileEdit[]) => Promise<void>;
}

export function createLspEngine(options: LspEngineOptions) {
	const { config, env, isTrusted, judge, probe } = options;
	const definitions = listServerDefinitions(config);
	const { idleShutdownMs, maxMemoryMb, sandbox } = config;
	const pool = createServerPool({ ...options, idleShutdownMs, maxMemoryMb, sandbox });
	const sources = createSourceReader(judge);
	const mayShow = createSourceRule(judge, env);
	const coldTimeoutMs = config.requestTimeoutMs * LSP_LIMITS.coldTimeoutFactor;

	async function withContext<Value>(
		request: LspRequest,
		tool: ToolContext,
		work: (context: ActionContext) => Promise<Value>,
	): Promise<Value> {
		const deadline = createLspDeadline(config.requestTimeoutMs, tool.signal);
		const workspace = canonicalPath(tool.cwd);
		try {
			return await work({
				request,
				workspace,
				config,
				definitions,
				pool,
				deadline,
				coldTimeoutMs,
				judge,
				sources: {
					linesOf: (path, stamp) => (mayShow(workspace, path) ? sources.linesOf(path, stamp) : undefined),
				},
				describeServers: async () =>
					describeServers(config, {
						env,
						workspace,
						trusted: isTrusted(),
						isBoxed: (await chooseSandbox({ ...options, sandbox, probe })) !== undefined,
					}),
				applyEdits: options.applyEdits ?? writeEditsAllOrNone,
				...defined({ onProgress: tool.onProgress }),
			});
		} catch (error) {
			if (!(error instanceof ServerRefusalError)) throw error;
			throw new LspError("LSP_SERVER_FAILED", `The language server refused the request: ${error.message}`);
		} finally {
			deadline.end();
		}
	}

	const actions: Readonly<Record<LspAction, (context: ActionContext) => Promise<ActionAnswer>>> = {
		definition: findDefinition,
		references: findReferences,
		hover: showHover,
		signature: showSignature,
		symbols: listSymbols,
		diagnostics: checkFile,
		"workspace-diagnostics": checkWorkspace,
		servers: showServers,
		rename: renameSymbol,
		codeAction: offerCodeActions,
		restart: restartServers,
	};

	return {
		run: (request: LspRequest, tool: ToolContext): Promise<ActionAnswer> =>
			withContext(request, tool, actions[request.action]),
		/** A call's surroundings without a call, for what happens outside one: checks after edits. */
		withContext,
		close: pool.close,
	};
}

/** The part that is loaded on the first call. Throws `LspError`; the tool turns it into an outcome. */
export type LspEngine = ReturnType<typeof createLspEngine>;
