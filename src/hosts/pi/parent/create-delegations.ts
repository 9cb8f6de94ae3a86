import { asObject, createSlots, defined, onAbort, openOnce } from "@deputize/ground";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { SubagentsConfig } from "../../../contract/config.ts";
import type { DelegationRequest } from "../../../contract/request.ts";
import type { DelegationResult, DelegationUpdate } from "../../../contract/result.ts";
import { createAgentQuestions } from "../../../delegation/agent-questions.ts";
import type { DelegationHost } from "../../../delegation/delegate-options.ts";
import type { PrestartedChild } from "../../../delegation/prestarted-child.ts";
import { isMemoryLow } from "../../../process/is-memory-low.ts";
import type { SharedLanguageServers } from "../../../toolbox/share-language-servers.ts";
import { announceRun } from "./announce-runs.ts";
import { createAnticipation, type DescribedParent } from "./anticipate-delegation.ts";
import { askAboutAgent } from "./ask-about-agent.ts";
import { loadStarter, loadWalk } from "./load-engine.ts";
import type { ParentContext } from "./parent-context.ts";
import { createPrestartedChildren, type PrestartedChildren } from "./prestarted-children.ts";
import { readCall } from "./read-call.ts";
import { reserveSlot } from "./reserve-slot.ts";
import { createSessionRuns, type SessionRuns } from "./session-runs.ts";
import { createSpareChildren } from "./spare-children.ts";

export interface DelegationCall {
	readonly toolCallId: string;
	readonly input: unknown;
	readonly context: ExtensionContext;
	readonly signal?: AbortSignal | undefined;
	readonly onUpdate?: (update: DelegationUpdate) => void;
}

export interface Delegations {
	readonly prestarted: PrestartedChildren;
	/** The runs of this session, past and present. */
	readonly runs: SessionRuns;
	/** The user has sent a message and the model thinks about it: there is time to get ready for a delegation. */
	getReady(message: string): void;
	/** A call is being written. */
	expect(): void;
	start(call: DelegationCall): StartedRun;
	/**
	 * Ends every waiting child and every run that someone is waiting for; resolves when nothing of them is left. Detached
	 * runs end with pi, and continue if only the session changes.
	 */
	close(options: { readonly isQuit: boolean }): Promise<void>;
}

export interface StartedRun {
	readonly result: Promise<DelegationResult>;
	/** Detaches the run: from now on neither the call nor the session ends it. */
	letGo(): void;
}

const PI_CLOSED = "pi was closed while this child was at work.";

/** All delegations of one parent session. */
export function createDelegations(
	pi: ExtensionAPI,
	options: Pick<ParentContext, "library" | "readExplicitTrust" | "surroundings"> & {
		readonly config: SubagentsConfig;
		readonly languageServers?: SharedLanguageServers;
	},
): Delegations {
	const { config } = options;
	const slots = createSlots(config.maxConcurrency);
	const questions = createAgentQuestions();
	/** Aborted when the session is left, and when pi exits. */
	const closing = new AbortController();
	const quitting = new AbortController();
	const running = new Set<Promise<DelegationResult>>();
	const letGo = new Set<Promise<DelegationResult>>();
	const runs = createSessionRuns();
	const openWalk = openOnce(loadWalk);
	let newestContext: ExtensionContext | undefined;
	pi.on("before_agent_start", (_event, context) => {
		newestContext = context;
	});
	pi.on("input", () => questions.askAgain());

	const describe = async (context: ExtensionContext): Promise<DescribedParent> => {
		const starter = await loadStarter();
		const parent = await starter.describeParent(pi, options.library, context, options.readExplicitTrust);
		return { starter, parent };
	};
	const prepare = async (context: ExtensionContext): Promise<DescribedParent> => {
		const [described, lspSocket] = await Promise.all([describe(context), options.languageServers?.open()]);
		return { ...described, parent: { ...described.parent, ...defined({ lspSocket }) } };
	};

	const prestart = async (agent: string, mayRehearse: boolean): Promise<PrestartedChild | undefined> => {
		const context = newestContext;
		if (!context || closing.signal.aborted) return undefined;
		const { starter, parent } = await prepare(context);
		const child = await starter.prestartChild(agent, { cwd: context.cwd, host: parent }, { mayRehearse });
		// There is time for this while the child boots.
		void openWalk();
		return child;
	};
	const spares = createSpareChildren({
		start: (agent) => prestart(agent, true),
		count: config.keepWarm,
		isMemoryLow,
	});
	let expectedAt = 0;
	const prestarted = createPrestartedChildren({
		start: (agent) => spares.take(agent) ?? prestart(agent, performance.now() - expectedAt > HURRY_MS),
		mayStart: (waiting) => waiting + running.size < config.maxConcurrency,
	});

	const getReady = createAnticipation(pi, {
		...options,
		describeParent: describe,
		expect: spares.expect,
	});

	const run = async (call: DelegationCall, waited: AbortSignal): Promise<DelegationResult> => {
		const { context, toolCallId } = call;
		const stopped = new AbortController();
		const named = { id: toolCallId, ...readCall(call.input) };
		const announcer = announceRun(pi.events, named);
		runs.open(named, { stop: (reason) => stopped.abort(reason) });
		const signal = AbortSignal.any([quitting.signal, stopped.signal, waited]);
		const place = reserveSlot(slots, signal);
		const agent = readNewAgent(call.input);
		const child =
			(await prestarted.take(toolCallId)) ?? (agent === undefined ? undefined : await spares.take(agent));
		try {
			const { parent } = await prepare(context);
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
			const delegate = await openWalk();
			const result = await delegate(call.input as DelegationRequest, {
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
			// If the call was refused, neither slot nor child was used; otherwise these two do nothing.
			await child?.discard();
			void place.release();
			if (agent && !signal.aborted) spares.keep(agent);
		}
	};
	return {
		prestarted,
		runs,
		getReady(message) {
			if (newestContext && !closing.signal.aborted) void getReady(message, newestContext);
		},
		expect() {
			expectedAt = performance.now();
			void loadStarter();
		},
		start(call) {
			const waited = followSignals([closing.signal, ...(call.signal ? [call.signal] : [])]);
			const result = run(call, waited.signal).finally(() => {
				waited.unfollow();
				running.delete(result);
				letGo.delete(result);
			});
			running.add(result);
			return {
				result,
				letGo() {
					waited.unfollow();
					letGo.add(result);
				},
			};
		},
		async close({ isQuit }) {
			closing.abort();
			if (isQuit) quitting.abort(PI_CLOSED);
			const ending = isQuit ? running : [...running].filter((result) => !letGo.has(result));
			await Promise.all([prestarted.dropAll(), spares.close(), Promise.allSettled(ending)]);
			// Runs that continue may still use the language servers.
			const left = Promise.allSettled(running).then(() => options.languageServers?.close());
			if (running.size === 0) await left;
		},
	};
}

/** A signal that follows others until it is released from them. */
function followSignals(sources: readonly AbortSignal[]): {
	readonly signal: AbortSignal;
	unfollow(): void;
} {
	const own = new AbortController();
	const follows = sources.map((source) => onAbort(source, () => own.abort(source.reason)));
	return {
		signal: own.signal,
		unfollow: () => {
			for (const stop of follows) stop();
		},
	};
}

/** If the agent's name arrives this late, the task will be complete before a child could rehearse. */
const HURRY_MS = 60;

/** The agent of a call that starts a new session. */
function readNewAgent(input: unknown): string | undefined {
	const { agent, sessionId } = asObject(input);
	return typeof agent === "string" && agent !== "" && sessionId === undefined ? agent : undefined;
}
