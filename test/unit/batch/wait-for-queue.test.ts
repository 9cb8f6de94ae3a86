import { expect, test, vi } from "vitest";
import { waitForQueue } from "../../../src/batch/queue/wait-for-queue.ts";

test("whoever is asked to leave does not wait for an attempt to connect", async () => {
	const leaving = new AbortController();
	const probe = vi.fn((_signal?: AbortSignal) => new Promise<undefined>(() => undefined));
	const waiting = waitForQueue(probe, "redis://x", { signal: leaving.signal });
	leaving.abort();
	expect(await waiting).toBe(false);
	// Which is ended as well: the process would stay for it.
	expect(probe.mock.calls).toEqual([[leaving.signal]]);
});

test("a server that is away is waited for, and one that refuses us is not", async () => {
	const notice = vi.fn();
	const troubles = [{ reason: "away" }, undefined];
	expect(await waitForQueue(async () => troubles.shift(), "redis://x", { notice })).toBe(true);
	expect(notice).toHaveBeenCalledExactlyOnceWith("The queue redis://x does not answer (away). Trying again…");
	const refusing = waitForQueue(async () => ({ reason: "no", remedy: "Ask." }), "redis://x", { notice });
	await expect(refusing).rejects.toThrow("The queue redis://x refuses us (no). Ask.");
});
