import { defined, onAbort, openOnce } from "@deputize/ground";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { ChildPool, type Hint } from "../../../children/child-pool.ts";
import type { PlannedChild } from "../../../children/planned-child.ts";
import type { SubagentsConfig } from "../../../contract/config.ts";
import type { DelegationRequest } from "../../../contract/request.ts";
import type { DelegationResult, DelegationUpdate } from "../../../contract/result.ts";
import { SUBAGENT_TOOL } from "../../../contract/subagent-tool.ts";
import { createAgentQuestions } from "../../../delegation/agent-questions.ts";
import type { DelegationHost } from "../../../delegation/delegate-options.ts";
import { isMemoryLow } from "../../../process/is-memory-low.ts";
import type { SharedLanguageServers } from "../../../toolbox/share-language-servers.ts";
import { announceRun } from "./announce-runs.ts";
import { askAboutAgent } from "./ask-about-agent.ts";
import { askAboutChanges } from "./ask-about-changes.ts";
import { getReady } from "./get-ready.ts";
import { loadStarter, loadWalk } from "./load-engine.ts";
import type { ParentContext } from "./parent-context.ts";
import { readCall } from "./read-call.ts";
import { createSessionRuns } from "./session-runs.ts";

export interface DelegationCall {
	readonly toolCallId: string;
	readonly input: unknown;
	readonly context: ExtensionContext;
	readonly signal?: AbortSignal | undefined;
	/** What the pool was told while the call was being written. */
	readonly hint?: Hint | undefined;
	readonly onUpdate?: (update: DelegationUpdate) => void;
}

export interface StartedRun {
	readonly result: Promise<DelegationResult>;
	/** Detaches the run: from now on neither the call nor the session ends it. */
	letGo(): void;
}

interface DelegationsOptions extends Pick<ParentContext, "library" | "readExplicitTrust" | "surroundings"> {
	readonly config: SubagentsConfig;
	readonly languageServers?: SharedLanguageServers;
}

const PI_CLOSED = "pi was closed while this child was at work.";

/** All delegations of one parent session. */
export class Delegations {
	/** The runs of this session, past and present. */
	readonly runs = createSessionRuns();
	readonly pool: ChildPool;
	readonly #pi: ExtensionAPI;
	readonly #options: DelegationsOptions;
	readonly #questions = createAgentQuestions();
	readonly #openWalk = openOnce(loadWalk);
	/** Aborted when pi exits. */
	readonly #quitting = new AbortController();
	/** Runs that are not over, and how to end each with the session; those that were let go have no such way. */
	readonly #running = new Map<Promise<DelegationResult>, (() => void) | undefined>();
	#newestContext: ExtensionContext | undefined;
	#isClosed = false;
	#hasPractised = false;
	/** The question about changes that is open. */
	#asking: Promise<unknown> = Promise.resolve();

	constructor(pi: ExtensionAPI, options: DelegationsOptions) {
		this.#pi = pi;
		this.#options = options;
		const { maxConcurrency, keepWarm } = options.config;
		this.pool = new ChildPool({
			concurrency: maxConcurrency,
			keepWarm,
			isMemoryLow,
			plan: (agent) => this.#plan(agent),
		});
		pi.on("before_agent_start", (_event, context) => {
			this.#newestContext = context;
		});
		pi.on("input", () => this.#questions.askAgain());
	}

	/** The user has sent a message and the model thinks about it: there is time to get ready. A failure is left to the call. */
	async getReady(message: string): Promise<void> {
		const context = this.#newestContext;
		if (!context || this.#isClosed || !this.#pi.getActiveTools().includes(SUBAGENT_TOOL)) return;
		try {
			const starter = await loadStarter();
			const parent = await this.#describe(context);
			if (!this.#options.config.earlyStart) return;
			const { cwd } = context;
			await getReady(message, {
				...{ ...this.#options, starter, context, pool: this.pool },
				practise: async (agent) => {
					if (this.#hasPractised) return;
					this.#hasPractised = true;
					starter.parentDeathPrefix();
					await starter.describeDelegation({ agent, task: "-" }, { cwd, host: parent });
					await this.#options.languageServers?.load();
				},
			});
		} catch {
			// The call does without.
		}
	}

	start(call: DelegationCall): StartedRun {
		const waited = new AbortController();
		const unfollow = onAbort(call.signal, () => waited.abort(call.signal?.reason));
		if (this.#isClosed) waited.abort();
		let isLetGo = false;
		const result = this.#run(call, waited.signal, () => isLetGo).finally(() => {
			unfollow();
			this.#running.delete(result);
		});
		this.#running.set(result, () => waited.abort());
		return {
			result,
			letGo: () => {
				isLetGo = true;
				unfollow();
				if (this.#running.has(result)) this.#running.set(result, undefined);
			},
		};
	}

	/**
	 * Ends every waiting child and every run that someone is waiting for; resolves when nothing of them is left. Detached
	 * runs end with pi, and continue if only the session changes.
	 */
	async close({ isQuit }: { readonly isQuit: boolean }): Promise<void> {
		this.#isClosed = true;
		const ending = [...this.#running].filter(([, end]) => isQuit || end !== undefined);
		for (const [, end] of ending) end?.();
		if (isQuit) this.#quitting.abort(PI_CLOSED);
		await Promise.all([this.pool.close(), Promise.allSettled(ending.map(([result]) => result))]);
		// Runs that continue may still use the language servers.
		const left = Promise.allSettled(this.#running.keys()).then(() => this.#options.languageServers?.close());
		if (this.#running.size === 0) await left;
	}

	async #run(call: DelegationCall, waited: AbortSignal, isLetGo: () => boolean): Promise<DelegationResult> {
		const { runs } = this;
		const { context, toolCallId } = call;
		const stopped = new AbortController();
		const named = { id: toolCallId, ...readCall(call.input) };
		const announcer = announceRun(this.#pi.events, named);
		runs.open(named, { stop: (reason) => stopped.abort(reason) });
		const signal = AbortSignal.any([this.#quitting.signal, stopped.signal, waited]);
		const place = this.pool.enter({ signal, hint: call.hint });
		try {
			const host: DelegationHost = {
				...(await this.#prepare(context)),
				children: place,
				onMessageable: (send) => runs.offerMessages(toolCallId, send),
				...defined({
					confirmAgent: this.#createQuestion(context, signal),
					askPerson: this.#createAsking(context, signal),
					decideChanges: this.#createChangesQuestion(call, signal, isLetGo),
				}),
			};
			const delegate = await this.#openWalk();
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
			// Refused before anything ran: there is nothing to look at.
			if (result.details.results.length === 0) runs.forget(toolCallId);
			else runs.end(toolCallId, result);
			announcer.end(result);
			return result;
		} catch (error) {
			runs.forget(toolCallId);
			throw error;
		} finally {
			place.leave();
		}
	}

	/** Nobody can be asked without a user interface. */
	#createQuestion(context: ExtensionContext, signal: AbortSignal): DelegationHost["confirmAgent"] {
		if (!context.hasUI) return undefined;
		const { cwd, mode, ui } = context;
		const place = { cwd, mode, ui, library: this.#options.library };
		return (agent, granted) =>
			this.#questions.confirm(agent, () => askAboutAgent(agent, granted, place, signal), signal);
	}

	/** One at a time: several children may ask, and there is one person. */
	#createAsking(context: ExtensionContext, signal: AbortSignal): DelegationHost["askPerson"] {
		if (!context.hasUI) return undefined;
		const { library } = this.#options;
		return (agent, question) => {
			const asked = this.#asking.then(async () => {
				if (signal.aborted) return undefined;
				const { askForChild } = await import("./ask-for-child.ts");
				return askForChild(agent, question, { context, library, signal });
			});
			this.#asking = asked.catch(() => undefined);
			return asked;
		};
	}

	/** One at a time, and none about a run that nobody waits for: it would come over whatever is being typed. */
	#createChangesQuestion(
		{ context, input }: DelegationCall,
		signal: AbortSignal,
		isLetGo: () => boolean,
	): DelegationHost["decideChanges"] {
		if (!context.hasUI) return undefined;
		const place = { agent: readCall(input).agent, context, library: this.#options.library, signal };
		return (changes) => {
			const answer = this.#asking.then(() =>
				isLetGo() || signal.aborted ? "keep" : askAboutChanges(changes, place),
			);
			this.#asking = answer.catch(() => undefined);
			return answer;
		};
	}

	async #plan(agent: string): Promise<PlannedChild | undefined> {
		const context = this.#newestContext;
		if (!context || this.#isClosed) return undefined;
		const { planWaitingChild } = await loadStarter();
		const host = await this.#prepare(context);
		// There is time for this while the child boots.
		setImmediate(() => void this.#openWalk());
		return planWaitingChild(agent, { cwd: context.cwd, host });
	}

	async #describe(context: ExtensionContext): Promise<DelegationHost> {
		const { describeParent } = await loadStarter();
		return describeParent(this.#pi, this.#options.library, context, this.#options.readExplicitTrust);
	}

	async #prepare(context: ExtensionContext): Promise<DelegationHost> {
		const [parent, lspSocket] = await Promise.all([
			this.#describe(context),
			this.#options.languageServers?.open(),
		]);
		return { ...parent, ...defined({ lspSocket }) };
	}
}
