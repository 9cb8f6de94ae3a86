import { afterEach, expect, it, vi } from "vitest";
import { DEFAULT_CONFIG } from "../../../src/contract/config.ts";
import type { DelegateOptions } from "../../../src/delegation/delegate-options.ts";

afterEach(() => {
	vi.doUnmock("../../../src/delegation/delegate.ts");
	vi.resetModules();
});

/** `delegate` as it is exported, around one that takes a moment. */
async function openDoor() {
	let running = 0;
	const seen = { most: 0, calls: 0 };
	vi.doMock("../../../src/delegation/delegate.ts", () => ({
		async delegate(_input: unknown, { signal }: DelegateOptions) {
			seen.calls += 1;
			running += 1;
			seen.most = Math.max(seen.most, running);
			await new Promise((resolve) => setTimeout(resolve, 2));
			running -= 1;
			return { isCancelled: signal?.aborted === true };
		},
	}));
	vi.resetModules();
	const { createDelegateInTurn } = await import("../../../src/delegation/delegate-in-turn.ts");
	return { seen, delegate: createDelegateInTurn() };
}

const optionsFor = (maxConcurrency: number): DelegateOptions => ({
	config: { ...DEFAULT_CONFIG, subagents: { ...DEFAULT_CONFIG.subagents, maxConcurrency } },
});
const INPUT = { agent: "explorer", task: "t" };

it("fifty calls of a program at once start as many children as its setting says", async () => {
	const { seen, delegate } = await openDoor();
	await Promise.all(Array.from({ length: 50 }, () => delegate(INPUT, optionsFor(4))));
	expect(seen).toEqual({ most: 4, calls: 50 });
});

it("a call that is cancelled while it waits is told so, and others go on", async () => {
	const { seen, delegate } = await openDoor();
	const cancel = new AbortController();
	const first = delegate(INPUT, optionsFor(1));
	const waiting = delegate(INPUT, { ...optionsFor(1), signal: cancel.signal });
	const last = delegate(INPUT, optionsFor(1));
	cancel.abort();
	expect(await waiting).toEqual({ isCancelled: true });
	expect(await Promise.all([first, last])).toEqual([{ isCancelled: false }, { isCancelled: false }]);
	expect(seen.calls).toBe(3);
});

it("whoever brings children has a limit of their own, and a call that will be refused does not wait", async () => {
	const { seen, delegate } = await openDoor();
	const children = {} as NonNullable<DelegateOptions["host"]>["children"];
	const given = { ...optionsFor(1), host: { children } } as DelegateOptions;
	await Promise.all(Array.from({ length: 5 }, () => delegate(INPUT, given)));
	expect(seen.most).toBe(5);
	await delegate(INPUT, { nonsense: true } as DelegateOptions);
	expect(seen.calls).toBe(6);
});
