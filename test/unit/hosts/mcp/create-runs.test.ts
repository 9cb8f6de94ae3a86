import { describe, expect, it, vi } from "vitest";
import type { DelegationResult, DelegationUpdate } from "../../../../src/contract/result.ts";
import { createRuns, type Runs } from "../../../../src/hosts/mcp/create-runs.ts";

const RESULT = { content: [{ type: "text", text: "done" }], isError: false } as unknown as DelegationResult;
const update = (sessionId: string): DelegationUpdate =>
	({
		content: [{ type: "text", text: "" }],
		details: { sessionId, results: [] },
	}) as unknown as DelegationUpdate;

/** A delegation that the test moves by hand. */
function begin(runs: Runs, agent = "explorer") {
	let onUpdate: (update: DelegationUpdate) => void = () => undefined;
	let finish: (result: DelegationResult) => void = () => undefined;
	let fail: (error: unknown) => void = () => undefined;
	let signal: AbortSignal = AbortSignal.abort();
	const run = runs.begin(agent, (hooks) => {
		({ onUpdate, signal } = hooks);
		return new Promise((resolve, reject) => {
			finish = resolve;
			fail = reject;
		});
	});
	return { run, onUpdate, finish, fail, signal };
}

const forever = (): AbortSignal => new AbortController().signal;

describe("runs of a server", () => {
	it("give their result to the call that began them, and are then unknown", async () => {
		const runs = createRuns();
		const { run, onUpdate, finish } = begin(runs);
		const waited = runs.wait(run, { signal: forever() });
		onUpdate(update("s1"));
		expect(runs.find("explorer", "s1")).toBe(run);
		finish(RESULT);
		expect(await waited).toEqual({ kind: "done", result: RESULT });
		expect(runs.find("explorer", "s1")).toBeUndefined();
	});

	it("go on after a call that has to be answered, and are joined by agent and session", async () => {
		const runs = createRuns();
		const { run, onUpdate, finish, signal } = begin(runs);
		onUpdate(update("s1"));
		const first = await runs.wait(run, { signal: forever(), answerWithinMs: 1 });
		expect(first).toMatchObject({ kind: "running", sessionId: "s1" });
		expect(signal.aborted).toBe(false);
		expect(runs.find("reviewer", "s1")).toBeUndefined();
		expect(runs.find("explorer", "s2")).toBeUndefined();
		expect(runs.find("explorer", undefined)).toBeUndefined();
		const joined = runs.wait(runs.find("explorer", "s1") ?? run, { signal: forever() });
		finish(RESULT);
		expect(await joined).toEqual({ kind: "done", result: RESULT });
	});

	it("keep a result that nobody waited for until it is asked for, once", async () => {
		const runs = createRuns();
		const { run, onUpdate, finish } = begin(runs);
		onUpdate(update("s1"));
		await runs.wait(run, { signal: forever(), answerWithinMs: 1 });
		finish(RESULT);
		await new Promise((resolve) => setImmediate(resolve));
		const late = runs.find("explorer", "s1");
		expect(late).toBe(run);
		expect(await runs.wait(run, { signal: forever() })).toEqual({ kind: "done", result: RESULT });
		expect(runs.find("explorer", "s1")).toBeUndefined();
	});

	it("are not joined once they were cancelled: their session can be continued", async () => {
		const runs = createRuns();
		const { run, onUpdate, finish, signal } = begin(runs);
		onUpdate(update("s1"));
		const call = new AbortController();
		const waited = runs.wait(run, { signal: call.signal });
		call.abort();
		expect(await waited).toEqual({ kind: "cancelled" });
		expect(signal.aborted).toBe(true);
		expect(runs.find("explorer", "s1")).toBeUndefined();
		finish(RESULT);
		await new Promise((resolve) => setImmediate(resolve));
		expect(runs.find("explorer", "s1")).toBeUndefined();
	});

	it("are not answered before they have a session that could be joined", async () => {
		const runs = createRuns();
		const { run, onUpdate } = begin(runs);
		const settled = vi.fn();
		const waited = runs.wait(run, { signal: forever(), answerWithinMs: 1 });
		void waited.then(settled);
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(settled).not.toHaveBeenCalled();
		onUpdate(update("s1"));
		expect(await waited).toMatchObject({ kind: "running", sessionId: "s1" });
	});

	it("end when the last one who waits is cancelled", async () => {
		const runs = createRuns();
		const { run, onUpdate, finish, signal } = begin(runs);
		onUpdate(update("s1"));
		const cancelled = new AbortController();
		const first = runs.wait(run, { signal: cancelled.signal });
		const second = runs.wait(run, { signal: forever() });
		cancelled.abort();
		expect(await first).toEqual({ kind: "cancelled" });
		expect(signal.aborted).toBe(false);
		finish(RESULT);
		expect(await second).toMatchObject({ kind: "done" });

		const other = begin(runs);
		expect(await runs.wait(other.run, { signal: AbortSignal.abort() })).toEqual({ kind: "cancelled" });
		expect(other.signal.aborted).toBe(true);
	});

	it("tell a call that joins what is known already", async () => {
		const runs = createRuns();
		const { run, onUpdate } = begin(runs);
		onUpdate(update("s1"));
		const seen = vi.fn();
		void runs.wait(run, { signal: forever(), onUpdate: seen });
		expect(seen).toHaveBeenCalledTimes(1);
	});

	it("reject as the delegation does, and are forgotten", async () => {
		const runs = createRuns();
		const { run, onUpdate, fail } = begin(runs);
		onUpdate(update("s1"));
		const waited = runs.wait(run, { signal: forever() });
		fail(new Error("a question first"));
		await expect(waited).rejects.toThrow("a question first");
		expect(runs.find("explorer", "s1")).toBeUndefined();
	});

	it("all end with the server, which does not wait for one that hangs", async () => {
		const runs = createRuns();
		const quick = begin(runs);
		const stuck = begin(runs);
		quick.signal.addEventListener("abort", () => quick.finish(RESULT));
		await runs.close(20);
		expect([quick.signal.aborted, stuck.signal.aborted]).toEqual([true, true]);
	});

	it("are kept to a number when nobody comes back for them", async () => {
		const runs = createRuns();
		for (let index = 0; index < 103; index += 1) {
			const { onUpdate, finish } = begin(runs);
			onUpdate(update(`s${index}`));
			finish(RESULT);
		}
		await new Promise((resolve) => setImmediate(resolve));
		expect(["s0", "s2", "s3"].map((id) => runs.find("explorer", id) !== undefined)).toEqual([
			false,
			false,
			true,
		]);
	});
});
