import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { SubagentsConfig } from "../../../contract/config.ts";
import type { DelegationRequest } from "../../../contract/request.ts";
import type { DelegationResult, DelegationUpdate } from "../../../contract/result.ts";
import { createAgentQuestions } from "../../../delegation/agent-questions.ts";
import type { DelegationHost } from "../../../delegation/delegate-options.ts";
import { defined } from "../../../json/defined.ts";
import type { SharedLanguageServers } from "../../../toolbox/share-language-servers.ts";
import { createSlots } from "../../../waiting/create-slots.ts";
import { announceRun } from "./announce-runs.ts";
import { askAboutAgent } from "./ask-about-agent.ts";
import type { ReadExplicitTrust } from "./explicit-trust.ts";
import { type Engine, loadEngine } from "./load-engine.ts";
import type { PiLibrary } from "./pi-library.ts";
import { createPrestartedChildren, type PrestartedChildren } from "./prestarted-children.ts";
import { readCall } from "./read-call.ts";
import { reserveSlot } from "./reserve-slot.ts";
import { createSessionRuns, type SessionRuns } from "./session-runs.ts";

export interface DelegationCall {
	readonly toolCallId: string;
	readonly input: unknown;
	readonly context: ExtensionContext;
	readonly signal?: AbortSignal;
	readonly onUpdate?: (update: DelegationUpdate) => void;
}

export interface Delegations {
	readonly prestarted: PrestartedChildren;
	/** What runs and ran in this session. */
	readonly runs: SessionRuns;
	run(call: DelegationCall): Promise<DelegationResult>;
	/** Ends every run and every waiting child; resolves when nothing of them is left. */
	close(): Promise<void>;
}

/** All delegations of one parent session. */
export function createDelegations(
	pi: ExtensionAPI,
	options: {
		readonly config: SubagentsConfig;
		readonly library: PiLibrary;
		readonly readExplicitTrust: ReadExplicitTrust;
		readonly languageServers?: SharedLanguageServers;
	},
): Delegations {
	const { config } = options;
	const slots = createSlots(config.maxConcurrency);
	const questions = createAgentQuestions();
	const closing = new AbortController();
	const running = new Set<Promise<DelegationResult>>();
	const runs = createSessionRuns();
	let newestContext: ExtensionContext | undefined;
	pi.on("before_agent_start", (_event, context) => {
		newestContext = context;
	});
	pi.on("input", () => questions.askAgain());

	const prepare = async (
		context: ExtensionContext,
	): Promise<{ readonly engine: Engine; readonly parent: DelegationHost }> => {
		const [engine, lspSocket] = await Promise.all([loadEngine(), options.languageServers?.open()]);
		const parent = await engine.describeParent(pi, options.library, context, options.readExplicitTrust);
		return { engine, parent: { ...parent, ...defined({ lspSocket }) } };
	};

	const prestarted = createPrestartedChildren({
		async start(agent) {
			const context = newestContext;
			if (!context || closing.signal.aborted) return undefined;
			const { engine, parent } = await prepare(context);
			return engine.prestartChild(agent, { cwd: context.cwd, host: parent });
		},
		mayStart: (waiting) => waiting + running.size < config.maxConcurrency,
	});

	const run = async (call: DelegationCall): Promise<DelegationResult> => {
		const { context, toolCallId } = call;
		const stopped = new AbortController();
		const named = { id: toolCallId, ...readCall(call.input) };
		const announcer = announceRun(pi.events, named);
		runs.open(named, { stop: (reason) => stopped.abort(reason) });
		const signal = AbortSignal.any([closing.signal, stopped.signal, ...(call.signal ? [call.signal] : [])]);
		const place = reserveSlot(slots, signal);
		const child = await prestarted.take(toolCallId);
		try {
			const { engine, parent } = await prepare(context);
			const host: DelegationHost = {
				...parent,
				slots: place.slots,
				onMessageable: (send) => runs.offerMessages(toolCallId, send),
				...defined({ prestarted: child }),
				...(context.hasUI
					? {
							confirmAgent: (agent, granted) =>
								questions.confirm(agent, () => askAboutAgent(agent, granted, context, signal), signal),
						}
					: {}),
			};
			const result = await engine.delegate(call.input as DelegationRequest, {
				cwd: context.cwd,
				signal,
				host,
				onUpdate(update) {
					runs.update(toolCallId, update);
					announcer.update(update);
					call.onUpdate?.(update);
				},
			});
			runs.end(toolCallId, result);
			announcer.end(result);
			return result;
		} catch (error) {
			runs.forget(toolCallId);
			throw error;
		} finally {
			// A refusal comes before slot and child are used; afterwards these two do nothing.
			await child?.discard();
			void place.release();
		}
	};
	return {
		prestarted,
		runs,
		run(call) {
			const result = run(call).finally(() => running.delete(result));
			running.add(result);
			return result;
		},
		async close() {
			closing.abort();
			await Promise.all([prestarted.dropAll(), Promise.allSettled(running)]);
			await options.languageServers?.close();
		},
	};
}
