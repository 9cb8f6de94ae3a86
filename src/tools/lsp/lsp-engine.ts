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
import { createDeadline } from "./create-deadline.ts";
import { LspError } from "./lsp-error.ts";
import { LSP_LIMITS } from "./lsp-limits.ts";
import { type LspAction, type LspRequest, parseLspRequest } from "./parse-lsp-request.ts";
import { describeServers } from "./servers/describe-servers.ts";
import type { Environment } from "./servers/find-program.ts";
import { findServer } from "./servers/find-server.ts";
import { readServerDefinitions } from "./servers/select-server.ts";
import { createServerPool } from "./servers/server-pool.ts";
import type { ServerDefinition } from "./servers/server-table.ts";
import { ServerRefusalError } from "./transport/open-connection.ts";
import { toRealPath } from "./workspace/file-uri.ts";
import { createSourceReader } from "./workspace/read-source.ts";
import { type FileEdit, writeEditsAllOrNone } from "./workspace/write-edits.ts";

export interface LspEngineOptions {
	readonly config: LspConfig;
	readonly env: Environment;
	readonly isTrusted: () => boolean;
	readonly applyEdits?: (edits: readonly FileEdit[]) => Promise<void>;
}

/** The part that is loaded on the first call. Throws `LspError`; the tool turns it into an outcome. */
export interface LspEngine {
	readonly run: (request: LspRequest, context: ToolContext) => Promise<ActionAnswer>;
	/** A call's surroundings without a call, for what happens outside one: checks after edits. */
	readonly withContext: <Value>(
		request: LspRequest,
		context: ToolContext,
		work: (context: ActionContext) => Promise<Value>,
	) => Promise<Value>;
	readonly close: () => Promise<void>;
}

export function createLspEngine(options: LspEngineOptions): LspEngine {
	const { config, env, isTrusted } = options;
	const definitions = readServerDefinitions(config);
	const pool = createServerPool({ env, idleShutdownMs: config.idleShutdownMs, isTrusted });
	const sources = createSourceReader();
	const coldTimeoutMs = config.requestTimeoutMs * LSP_LIMITS.coldTimeoutFactor;

	async function withContext<Value>(
		request: LspRequest,
		tool: ToolContext,
		work: (context: ActionContext) => Promise<Value>,
	): Promise<Value> {
		const deadline = createDeadline(config.requestTimeoutMs, tool.signal);
		const workspace = toRealPath(tool.cwd);
		const isInstalled = (definition: ServerDefinition) =>
			findServer(definition, { env, workspace, root: workspace, trusted: isTrusted() }).kind === "found";
		try {
			return await work({
				request,
				workspace,
				config,
				definitions,
				pool,
				deadline,
				coldTimeoutMs,
				sources,
				isInstalled,
				applyEdits: options.applyEdits ?? writeEditsAllOrNone,
				...(tool.onProgress === undefined ? {} : { onProgress: tool.onProgress }),
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
		servers: async (context) =>
			showServers(context, describeServers(config, env, context.workspace, isTrusted())),
		rename: renameSymbol,
		codeAction: offerCodeActions,
		restart: restartServers,
	};

	return {
		run: (request, tool) => withContext(request, tool, actions[request.action]),
		withContext,
		close: pool.close,
	};
}

/** A request made by this program rather than by a caller. */
export function toInternalRequest(action: LspAction): LspRequest {
	return parseLspRequest({ action });
}
