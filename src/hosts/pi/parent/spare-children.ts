import type { PrestartedChild } from "../../../delegation/prestarted-child.ts";

/** Children that wait after a delegation, for the next one to the same agent. */
export interface SpareChildren {
	/** The waiting child of an agent, if there is one. The taker discards it when it is not used. */
	take(agent: string): Promise<PrestartedChild | undefined> | undefined;
	/** A delegation to this agent has ended, and another may follow. */
	keep(agent: string): void;
	/** A delegation to this agent is likely now. */
	expect(agent: string): void;
	/** Ends all of them; resolves when they are gone. */
	close(): Promise<void>;
}

export interface SpareOptions {
	readonly start: (agent: string) => Promise<PrestartedChild | undefined>;
	/** How many may wait. */
	readonly count: number;
	readonly isMemoryLow: () => boolean;
	readonly delayMs?: number;
	readonly keepMs?: number;
	readonly checkMs?: number;
}

/** First pi hands over the result and asks the model again: that comes before a child that nobody has asked for. */
const DELAY_MS = 30;
const KEEP_MS = 2 * 60 * 1000;
const CHECK_MS = 5000;

interface Spare {
	readonly agent: string;
	readonly starting: Promise<PrestartedChild | undefined>;
	readonly expiry: NodeJS.Timeout;
}

/**
 * A spare child is one that was prestarted for nobody yet: whoever takes it claims it like any other, which checks
 * that nothing about it has changed. It goes after a while, when memory gets short, and with the session.
 */
export function createSpareChildren(options: SpareOptions): SpareChildren {
	const { count, delayMs = DELAY_MS, keepMs = KEEP_MS, checkMs = CHECK_MS } = options;
	let spares: readonly Spare[] = [];
	let isClosed = false;
	let delay: NodeJS.Timeout | undefined;
	let check: NodeJS.Timeout | undefined;
	const leaving = new Set<Promise<void>>();

	const remove = (spare: Spare): void => {
		spares = spares.filter((other) => other !== spare);
		clearTimeout(spare.expiry);
		if (spares.length > 0) return;
		clearInterval(check);
		check = undefined;
	};
	const release = (spare: Spare): void => {
		remove(spare);
		const gone = spare.starting
			.then((child) => child?.discard())
			.catch(() => undefined)
			.finally(() => leaving.delete(gone));
		leaving.add(gone);
	};
	const releaseAll = (): void => spares.forEach(release);
	const start = (agent: string): void => {
		if (isClosed || options.isMemoryLow()) return;
		for (const old of spares.filter((spare) => spare.agent === agent)) release(old);
		const starting = options.start(agent).catch(() => undefined);
		const spare: Spare = { agent, starting, expiry: setTimeout(() => release(spare), keepMs).unref() };
		spares = [...spares, spare];
		for (const old of spares.slice(0, -count)) release(old);
		check ??= setInterval(() => (options.isMemoryLow() ? releaseAll() : undefined), checkMs).unref();
	};
	return {
		take(agent) {
			clearTimeout(delay);
			const spare = spares.find((waiting) => waiting.agent === agent);
			if (spare === undefined) return undefined;
			remove(spare);
			return spare.starting;
		},
		keep(agent) {
			clearTimeout(delay);
			if (count > 0 && !isClosed) delay = setTimeout(() => start(agent), delayMs).unref();
		},
		expect(agent) {
			if (count > 0 && !spares.some((waiting) => waiting.agent === agent)) start(agent);
		},
		async close() {
			isClosed = true;
			clearTimeout(delay);
			releaseAll();
			await Promise.all(leaving);
		},
	};
}
