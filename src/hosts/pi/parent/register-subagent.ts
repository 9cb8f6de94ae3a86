import { existsSync } from "node:fs";
import { openOnce } from "@deputize/ground";
import type {
	AgentToolResult,
	AgentToolUpdateCallback,
	ExtensionAPI,
	ExtensionContext,
} from "@earendil-works/pi-coding-agent";
import type { TSchema } from "typebox";
import { changesDirectory } from "../../../changes/changes-directory.ts";
import type { DelegationDetails, DelegationUpdate } from "../../../contract/result.ts";
import { SUBAGENT_DESCRIPTION, SUBAGENT_PARAMETERS, SUBAGENT_TOOL } from "../../../contract/subagent-tool.ts";
import { shareLanguageServers } from "../../../toolbox/share-language-servers.ts";
import type { LspTool } from "../../../tools/lsp/create-lsp-tool.ts";
import { isAcceptedByHost, toAcceptedArguments } from "./accepted-arguments.ts";
import type { Background } from "./background/create-background.ts";
import { createDetaching } from "./background/create-detaching.ts";
import { hasBackgroundRecords } from "./background/has-background-records.ts";
import { type DelegationCall, Delegations } from "./delegations.ts";
import { followCalls } from "./follow-calls.ts";
import { loadStarter } from "./load-engine.ts";
import { offerView } from "./offer-view.ts";
import type { ParentContext } from "./parent-context.ts";

/** The tool, the early start of its children (`follow-calls.ts`), its rendering, and its shutdown with the session. */
export function registerSubagent(
	pi: ExtensionAPI,
	options: ParentContext & { readonly openLsp: () => Promise<LspTool | undefined> },
): Delegations {
	const { subagents, lsp } = options.config;
	const { agentDirectory } = options.surroundings;
	const share = lsp.enabled && lsp.shareWithChildren && subagents.allowLspTools;
	const delegations = new Delegations(pi, {
		...options,
		config: subagents,
		...(share
			? { languageServers: shareLanguageServers(options.openLsp, { agentDirectory, cwd: process.cwd() }) }
			: {}),
	});
	const view = offerView(pi, options.library, options.surroundings, delegations.runs);
	// Loaded only where something may have to be delivered: most sessions run nothing in the background.
	const openBackground = openOnce(async () => {
		const { createBackground } = await import("./background/create-background.ts");
		return createBackground(pi, options.surroundings);
	});
	pi.on("session_start", async (_event, context) => {
		if (!context.hasUI) return;
		if (hasBackgroundRecords(agentDirectory, context.sessionManager.getSessionId()))
			await (await openBackground()).deliver(context);
		// The journal is read only where an earlier pi may have left something, and nobody waits for it.
		if (context.sessionManager.getEntries().some(isToolCall))
			setTimeout(() => void tellOfLostRuns(context).catch(() => undefined), STARTED_MS).unref();
		// Of any session: one that writes in a layer leaves it behind.
		if (existsSync(changesDirectory(agentDirectory)))
			setTimeout(() => void tellOfLeftChanges(context).catch(() => undefined), STARTED_MS).unref();
	});
	const tellOfLeftChanges = async (context: ExtensionContext): Promise<void> => {
		const { reportLeftChanges } = await import("./report-left-changes.ts");
		if (!isClosed) await reportLeftChanges(pi, context, options.surroundings);
	};
	const tellOfLostRuns = async (context: ExtensionContext): Promise<void> => {
		const { reportLostRuns } = await import("./background/report-lost-runs.ts");
		if (isClosed) return;
		if (context.isIdle()) reportLostRuns(pi, context, options.surroundings);
		else setTimeout(() => void tellOfLostRuns(context).catch(() => undefined), LOOK_AGAIN_MS).unref();
	};
	pi.on("agent_settled", async (_event, context) => (await openBackground.opened())?.noteSettled(context));
	const calls = followCalls(
		pi,
		subagents.earlyStart ? delegations.pool : undefined,
		() => void loadStarter(),
	);
	let isClosed = false;
	let newMessage: string | undefined;
	pi.on("before_agent_start", ({ prompt }) => {
		// From 1.2 on the event also comes for messages of extensions, not all of which carry a prompt.
		newMessage = prompt ?? "";
	});
	pi.on("turn_start", () => {
		if (newMessage === undefined) return;
		// By then the request has been sent, and the model needs longer for its first word than this takes.
		setTimeout((message: string) => delegations.getReady(message), REQUEST_SENT_MS, newMessage).unref();
		newMessage = undefined;
	});
	pi.registerTool({
		name: SUBAGENT_TOOL,
		label: "Subagent",
		description: SUBAGENT_DESCRIPTION,
		parameters: SUBAGENT_PARAMETERS as TSchema,
		prepareArguments: toAcceptedArguments,
		execute: (toolCallId, params, signal, onUpdate, context) =>
			runSubagentCall(
				delegations,
				{ ...options, openBackground },
				{
					toolCallId,
					input: chooseInput(calls.readArguments(toolCallId), params),
					hint: calls.readHint(toolCallId),
					signal,
					context,
				},
				onUpdate as AgentToolUpdateCallback<DelegationDetails> | undefined,
			),
		renderShell: "self",
		...MODEL_ONLY,
		renderCall: view.renderCall,
		renderResult: view.renderResult,
	});
	pi.registerShortcut?.(DETACH_KEY, {
		description: "Let the agents at work go on in the background",
		handler: ({ ui }) => {
			const detached = delegations.runs.list().filter(({ id }) => delegations.runs.detach(id));
			if (detached.length === 0) ui.notify("No agent is at work that could go on in the background.", "info");
		},
	});
	pi.on("session_shutdown", async ({ reason }) => {
		isClosed = true;
		// First, so that runs that end now are recorded, and delivered when the session is opened again.
		(await openBackground.opened())?.close();
		await delegations.close({ isQuit: reason === "quit" });
	});
	return delegations;
}

const REQUEST_SENT_MS = 150;
const STARTED_MS = 300;
const LOOK_AGAIN_MS = 2000;

/** A message of the model that called us. */
function isToolCall(entry: object): boolean {
	const { content } = (entry as { message?: { content?: unknown } }).message ?? {};
	return (
		Array.isArray(content) && content.some(({ type, name }) => type === "toolCall" && name === SUBAGENT_TOOL)
	);
}

const DETACH_KEY = "ctrl+alt+b";

/** Since 0.99 pi can run scripts that call tools; delegating is the model's own decision. Older versions ignore this. */
const MODEL_ONLY: object = { exposure: "model-only" };

/** Other extensions may have changed valid arguments; invalid ones were replaced so that they pass pi's own check. */
function chooseInput(written: unknown, params: unknown): unknown {
	return written === undefined || isAcceptedByHost(written) ? params : written;
}

async function runSubagentCall(
	delegations: Delegations,
	{ markError, openBackground }: ParentContext & { readonly openBackground: () => Promise<Background> },
	call: DelegationCall,
	onUpdate: AgentToolUpdateCallback<DelegationDetails> | undefined,
): Promise<AgentToolResult<DelegationDetails>> {
	const detaching = createDetaching(delegations, call);
	const started = delegations.start({
		...call,
		onUpdate(update) {
			detaching.note(update);
			onUpdate?.(toHostResult(update));
		},
	});
	const detached = await Promise.race([detaching.asked, started.result.then(() => undefined)]);
	if (detached) {
		const [background, { letGo }] = await Promise.all([openBackground(), import("./background/let-go.ts")]);
		const running = letGo(detached, started, { call, background, runs: delegations.runs });
		if (running) return toHostResult(running);
	}
	const result = await started.result;
	if (result.isError) markError(call.toolCallId);
	return { ...toHostResult(result), usage: result.usage, ...(result.isError ? { isError: true } : {}) };
}

/** pi's types are mutable where ours are not; the values are the same. */
function toHostResult({ content, details }: DelegationUpdate): AgentToolResult<DelegationDetails> {
	return { content: [...content], details };
}
