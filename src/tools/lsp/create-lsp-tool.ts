import { createSlots, cutText, type Environment, openOnce, ToolError } from "@deputize/ground";
import { type LspConfig, PRIVILEGED_LSP_ACTIONS, READONLY_LSP_ACTIONS } from "../../contract/config.ts";
import type { HostNeutralTool, ToolContext, ToolOutcome } from "../../contract/tool.ts";
import { toErrorOutcome } from "../../contract/tool-error.ts";
import type { Judge } from "../../judge/create-judge.ts";
import { probeSandbox } from "../../sandbox/probe-sandbox.ts";
import type { SandboxProbe } from "../../sandbox/sandbox-probe.ts";
import type { LspEngine } from "./lsp-engine.ts";
import { LspError } from "./lsp-error.ts";
import { LSP_LIMITS } from "./lsp-limits.ts";
import {
	buildLspParameters,
	isPrivilegedAction,
	type LspRequest,
	parseLspRequest,
} from "./parse-lsp-request.ts";
import { chooseSandbox } from "./servers/choose-sandbox.ts";
import type { FileEdit } from "./workspace/write-edits.ts";

export interface LspToolOptions {
	readonly config: LspConfig;
	readonly env: Environment;
	readonly mode: "main" | "child";
	/** In a child only these, and never privileged ones. */
	readonly allowedActions: readonly string[];
	/** Whether servers found inside the project may start. */
	readonly projectTrusted: boolean | (() => boolean);
	/** Decides which files are opened and shown. */
	readonly judge: Judge;
	/** Whether a sandbox works here; found out by trying when it is not given. */
	readonly probe?: () => Promise<SandboxProbe>;
	/** In a child that is in a sandbox: no server starts without a box of its own. */
	readonly needsBox?: boolean | undefined;
	/** In a child: the socket of the parent's warm servers, and then the only ones. Without it the child starts its own. */
	readonly socketPath?: string;
	readonly socketToken?: string;
	/** In the main process: writes all files or none. The host passes them through its own queue of file changes. */
	readonly applyEdits?: (edits: readonly FileEdit[]) => Promise<void>;
}

export interface LspTool extends HostNeutralTool {
	/** The servers behind the tool, started when it is first needed; for checks after edits. */
	engine(): Promise<LspEngine>;
	/** Whether its servers run in their own sandbox. */
	isConfined(): Promise<boolean>;
	/** Stops all servers. Calls after this are refused. */
	close(): Promise<void>;
}

/** Importing and creating cost next to nothing; the protocol is loaded by the first call. */
export function createLspTool(options: LspToolOptions): LspTool {
	const { projectTrusted } = options;
	const actions = listActions(options);
	const questions = createSlots(LSP_LIMITS.maxQuestionsOfAChild);
	const answerTimeoutMs =
		options.config.requestTimeoutMs * LSP_LIMITS.coldTimeoutFactor + LSP_LIMITS.socketAnswerMarginMs;
	let isClosed = false;
	const probe = openOnce(options.probe ?? (() => probeSandbox({ env: options.env })));

	const isTrusted = typeof projectTrusted === "function" ? projectTrusted : () => projectTrusted;
	const loadEngine = openOnce(async () => {
		const { createLspEngine } = await import("./lsp-engine.ts");
		return createLspEngine({ ...options, isTrusted, probe });
	});

	async function engine(): Promise<LspEngine> {
		if (isClosed) throw new LspError("LSP_CANCELLED", "The lsp tool was closed.");
		return loadEngine();
	}

	/** A message with dozens of calls must not open dozens of connections at once. */
	async function inTurn<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
		const giveBack = await questions.take({ signal });
		if (giveBack === undefined) throw new LspError("LSP_CANCELLED", "The lsp call was cancelled.");
		try {
			return await work();
		} finally {
			giveBack();
		}
	}

	async function answer(request: LspRequest, input: unknown, context: ToolContext): Promise<ToolOutcome> {
		const { socketPath, socketToken } = options;
		if (options.mode === "child" && socketPath !== undefined && socketToken !== undefined) {
			const { askParent } = await import("./sharing/ask-parent.ts");
			return inTurn(context.signal, () =>
				askParent({ socketPath, token: socketToken, input, context, answerTimeoutMs }),
			);
		}
		const { text, details, isError } = await (await engine()).run(request, context);
		return { text: cutAnswer(text), details, isError: isError ?? false };
	}

	async function execute(input: unknown, context: ToolContext): Promise<ToolOutcome> {
		try {
			const request = parseLspRequest(input);
			refuseForbidden(request, options, actions);
			return await answer(request, input, context);
		} catch (error) {
			return toFailure(error);
		}
	}

	return {
		name: "lsp",
		label: "Language server",
		description:
			"Code intelligence from language servers: where a symbol is defined and used, its type and signature, " +
			"symbols of a file or (query without file) of the workspace, problems of files. " +
			"Positions are 1-based; a symbol name in query is enough instead of one.",
		parameters: buildLspParameters(actions),
		execute,
		engine,
		isConfined: async () => (await chooseSandbox({ sandbox: options.config.sandbox, probe })) !== undefined,
		close: async () => {
			isClosed = true;
			await (await loadEngine.opened()?.catch(() => undefined))?.close();
		},
	};
}

/** What this process offers at all: the configuration can only take away, and a child never has more than reading. */
function listActions({ mode, allowedActions }: LspToolOptions): readonly string[] {
	const readonly = READONLY_LSP_ACTIONS.filter((action) => allowedActions.includes(action));
	return mode === "child" ? readonly : [...readonly, ...PRIVILEGED_LSP_ACTIONS];
}

function refuseForbidden(
	request: LspRequest,
	{ config, mode }: LspToolOptions,
	actions: readonly string[],
): void {
	const { action } = request;
	if (!config.enabled) {
		throw new LspError("LSP_ACTION_NOT_ALLOWED", "The lsp tool is switched off (lsp.enabled is false).");
	}
	if (actions.includes(action)) return;
	const allowed = `Allowed here: ${actions.join(", ") || "nothing"}.`;
	if (mode === "child" && isPrivilegedAction(action)) {
		throw new LspError(
			"LSP_ACTION_NOT_ALLOWED",
			`${action} is never available in a subagent, whatever the configuration says: only the main agent may use it. ${allowed}`,
		);
	}
	throw new LspError("LSP_ACTION_NOT_ALLOWED", `${action} is not in the allowed lsp actions. ${allowed}`);
}

function toFailure(error: unknown): ToolOutcome {
	if (!(error instanceof ToolError)) throw error;
	const { text, details } = toErrorOutcome(error);
	const cancelled = error.code === "LSP_CANCELLED" ? { cancelled: true } : {};
	return { text: cutAnswer(text), details: { ...details, ...cancelled }, isError: true };
}

function cutAnswer(text: string): string {
	return cutText(
		text,
		LSP_LIMITS.maxTextChars,
		(missing) => `\n[cut: ${missing} more characters; use a smaller limit]`,
	);
}
