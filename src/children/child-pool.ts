import { setImmediate } from "node:timers/promises";
import { createSlots, type Slots } from "@deputize/ground";
import { DelegationError } from "../contract/error-codes.ts";
import { LIMITS } from "../contract/limits.ts";
import { Child } from "./child.ts";
import type { PlannedChild } from "./planned-child.ts";
import { SharedProcesses } from "./shared-processes.ts";
import { Turn } from "./turn.ts";

export interface ChildPoolOptions {
	/** How many run at the same time; the rest wait in the order of their calls. No limit by default. */
	readonly concurrency?: number;
	/** What would be started for an agent now; undefined when a person has to be asked first, or it would be refused. */
	readonly plan?: (agent: string) => Promise<PlannedChild | undefined>;
	/** For how many agents a child may wait without a call. */
	readonly keepWarm?: number;
	readonly isMemoryLow?: () => boolean;
	/** One process does several tasks in turn, where its runtime allows it. */
	readonly reuse?: boolean;
}

interface TakeOptions {
	/** The session to go on with. */
	readonly sessionId?: string | undefined;
	/** Stops the child. */
	readonly signal?: AbortSignal | undefined;
}

/** Where a delegation gets its child from. */
export interface ChildSource {
	/**
	 * Resolves when a call may go on with its preparation: one call in each turn of the event loop, so that many of them
	 * leave the thread to others in between. With the reason, when it may not because too many wait already.
	 */
	admit(): Promise<DelegationError | undefined>;
	/** A waiting child that is exactly what was planned, or a new one. Whoever takes it ends it. */
	take(planned: PlannedChild, options: TakeOptions): Promise<Child>;
}

/** A call that is being written. */
export interface Hint {
	/** The child that was started for it, once. */
	take(): Starting | undefined;
	/** The call is over: its child is ended unless it was taken. */
	drop(): void;
}

interface Place extends ChildSource {
	/** The call is over; what it did not use is given back. Idempotent. */
	leave(): void;
}

/** Never rejects: the call will be refused for the same reason, and reports it. */
type Starting = Promise<Child | undefined>;

interface Kept {
	readonly agent: string;
	readonly starting: Starting;
	readonly expiry: NodeJS.Timeout;
}

/** First the host hands over the result and asks its model again: that comes before a child nobody has asked for. */
const AFTER_DELEGATION_MS = 30;
const KEEP_MS = 2 * 60 * 1000;
const CHECK_MS = 5000;

/**
 * All children of one host. Some are started before there is a call for them, and wait: because a call is being written
 * (`hint`), because one is likely (`expect`), or because an agent has just been called. Those without a call go after a
 * while, when memory gets short, and with the pool.
 */
export class ChildPool implements ChildSource {
	readonly #options: ChildPoolOptions;
	readonly #keepWarm: number;
	readonly #slots: Slots | undefined;
	readonly #shared: SharedProcesses | undefined;
	readonly #hints = new Set<Hint>();
	/** Agents that were just called, and when a child for the next call starts. */
	readonly #soon = new Map<string, NodeJS.Timeout>();
	readonly #leaving = new Set<Promise<void>>();
	#kept: readonly Kept[] = [];
	#check: NodeJS.Timeout | undefined;
	#calls = 0;
	readonly #comeForward = createLine();
	readonly #goAway = createLine();
	#isClosed = false;

	constructor(options: ChildPoolOptions = {}) {
		this.#options = options;
		this.#keepWarm = options.plan ? (options.keepWarm ?? 0) : 0;
		this.#slots = options.concurrency === undefined ? undefined : createSlots(options.concurrency);
		this.#shared = options.reuse ? new SharedProcesses() : undefined;
	}

	/** A call to this agent is being written: its child waits for it, if one more fits. */
	hint(agent: string): Hint {
		const fits = this.#hints.size + this.#calls < (this.#options.concurrency ?? Number.POSITIVE_INFINITY);
		let starting = fits ? (this.#takeKept(agent) ?? this.#start(agent)) : undefined;
		const take = (): Starting | undefined => {
			const taken = starting;
			starting = undefined;
			this.#hints.delete(hint);
			return taken;
		};
		const hint: Hint = {
			take,
			drop: () => {
				const unused = take();
				if (unused !== undefined) this.#release(unused);
			},
		};
		if (starting !== undefined) this.#hints.add(hint);
		return hint;
	}

	/** A call to this agent is likely. */
	expect(agent: string): void {
		if (!this.#kept.some((kept) => kept.agent === agent)) this.#keep(agent);
	}

	/** A call has arrived: it takes its place in the queue now and its child later. */
	enter({
		signal,
		hint,
	}: {
		readonly signal?: AbortSignal | undefined;
		readonly hint?: Hint | undefined;
	}): Place {
		const { concurrency = Number.POSITIVE_INFINITY } = this.#options;
		if (this.#calls >= concurrency + LIMITS.maxWaitingCalls) return this.#refuse(hint);
		this.#calls += 1;
		const turn = new Turn(this.#slots, signal, () => {
			this.#calls -= 1;
			hint?.drop();
		});
		return {
			admit: () => this.admit(),
			take: (planned, options) => this.#take(planned, options, turn, hint),
			leave: () => turn.leave(),
		};
	}

	/** Before anything is read or started for it. */
	#refuse(hint: Hint | undefined): Place {
		const refusal = new DelegationError(
			"SUBAGENT_LIMIT_REACHED",
			`${LIMITS.maxWaitingCalls} calls are waiting for a free slot already, and no more may. Wait for their answers, or raise subagents.maxConcurrency (now ${this.#options.concurrency}).`,
			{ kind: "waiting_calls" },
		);
		return {
			admit: async () => {
				await this.#goAway();
				return refusal;
			},
			take: () => Promise.reject(refusal),
			leave: () => hint?.drop(),
		};
	}

	async admit(): Promise<undefined> {
		await this.#comeForward();
		return undefined;
	}

	async take(planned: PlannedChild, options: TakeOptions): Promise<Child> {
		const place = this.enter(options);
		try {
			return await place.take(planned, options);
		} catch (error) {
			place.leave();
			throw error;
		}
	}

	/** Ends all that wait; resolves when nothing of them is left. Those that were taken belong to their calls. */
	async close(): Promise<void> {
		this.#isClosed = true;
		for (const timer of this.#soon.values()) clearTimeout(timer);
		this.#soon.clear();
		this.#releaseKept();
		for (const hint of this.#hints) hint.drop();
		await Promise.all([...this.#leaving, this.#shared?.close()]);
	}

	async #take(
		planned: PlannedChild,
		{ sessionId, signal }: TakeOptions,
		turn: Turn,
		hint: Hint | undefined,
	): Promise<Child> {
		const waiting = sessionId === undefined ? await this.#findWaiting(planned, hint) : undefined;
		const child = waiting ?? new Child(planned, { sessionId, shared: this.#shared });
		const { name } = planned.plan.agent;
		child.join(turn, signal, () => {
			if (sessionId === undefined && !signal?.aborted) this.#keepSoon(name);
		});
		return child;
	}

	async #findWaiting(planned: PlannedChild, hint: Hint | undefined): Promise<Child | undefined> {
		for (;;) {
			const starting = hint?.take() ?? this.#takeKept(planned.plan.agent.name);
			if (starting === undefined) return undefined;
			const child = await starting;
			if (child?.serves(planned)) return child;
			this.#release(starting);
		}
	}

	async #start(agent: string): Starting {
		let child: Child | undefined;
		try {
			const planned = this.#isClosed ? undefined : await this.#options.plan?.(agent);
			child = planned && new Child(planned);
			await child?.wait();
			return child;
		} catch {
			await child?.end();
			return undefined;
		}
	}

	#keepSoon(agent: string): void {
		if (this.#keepWarm === 0 || this.#isClosed) return;
		this.#forgetSoon(agent);
		const start = (): void => {
			this.#forgetSoon(agent);
			this.#keep(agent);
		};
		this.#soon.set(agent, setTimeout(start, AFTER_DELEGATION_MS).unref());
	}

	#forgetSoon(agent: string): void {
		clearTimeout(this.#soon.get(agent));
		this.#soon.delete(agent);
	}

	#keep(agent: string): void {
		if (this.#keepWarm === 0 || this.#isClosed || this.#isMemoryLow()) return;
		const old = this.#takeKept(agent);
		if (old !== undefined) this.#release(old);
		const expire = (): void => this.#releaseKept((other) => other === kept);
		const kept: Kept = {
			agent,
			starting: this.#start(agent),
			expiry: setTimeout(expire, KEEP_MS).unref(),
		};
		this.#kept = [...this.#kept, kept];
		const tooMany = this.#kept.slice(0, -this.#keepWarm);
		this.#releaseKept((other) => tooMany.includes(other));
		this.#check ??= setInterval(() => {
			if (this.#isMemoryLow()) this.#releaseKept();
		}, CHECK_MS).unref();
	}

	#isMemoryLow(): boolean {
		return this.#options.isMemoryLow?.() ?? false;
	}

	/** The one that waits for a call to this agent, or nothing: then none is started any more. */
	#takeKept(agent: string): Starting | undefined {
		this.#forgetSoon(agent);
		const kept = this.#kept.find((candidate) => candidate.agent === agent);
		if (kept) this.#remove(kept);
		return kept?.starting;
	}

	#releaseKept(isMeant: (kept: Kept) => boolean = () => true): void {
		for (const kept of this.#kept.filter(isMeant)) {
			this.#remove(kept);
			this.#release(kept.starting);
		}
	}

	#remove(kept: Kept): void {
		clearTimeout(kept.expiry);
		this.#kept = this.#kept.filter((other) => other !== kept);
		if (this.#kept.length > 0) return;
		clearInterval(this.#check);
		this.#check = undefined;
	}

	#release(starting: Starting): void {
		const gone = starting
			.then((child) => child?.end())
			.catch(() => undefined)
			.finally(() => this.#leaving.delete(gone));
		this.#leaving.add(gone);
	}
}

/** Lets one through in each turn of the event loop. */
function createLine(): () => Promise<void> {
	let last: Promise<void> = Promise.resolve();
	return () => {
		last = last.then(() => setImmediate());
		return last;
	};
}
