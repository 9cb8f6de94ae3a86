import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Child } from "../../../src/children/child.ts";
import { ChildPool, type ChildPoolOptions, type ChildSource } from "../../../src/children/child-pool.ts";
import { LIMITS } from "../../../src/contract/limits.ts";
import { createPretendChildren } from "../../helpers/pretend-children.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SECOND = 1000;

function open(options: Omit<ChildPoolOptions, "plan"> = {}) {
	const pretend = createPretendChildren();
	const pool = new ChildPool({
		...options,
		plan: async (agent) => (agent === "unknown" ? undefined : pretend.plan(agent)),
	});
	const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
	/** A whole delegation. */
	const delegate = async (agent: string, source: ChildSource = pool): Promise<void> => {
		const child = await source.take(pretend.plan(agent), {});
		await (await child.start(child.plan)).run("t", () => undefined);
		await child.end();
	};
	return { ...pretend, pool, settle, delegate };
}

describe("a child for a call that is being written", () => {
	it("waits for it and gets its task", async () => {
		const { pool, log, open: left, delegate } = open();
		const hint = pool.hint("explorer");
		await delegate("explorer", pool.enter({ hint }));
		hint.drop();
		await pool.close();
		expect(log).toEqual(["start explorer 1", "run explorer 1: t"]);
		expect(left.sessions).toBe(0);
	});

	it.each([
		["is dropped", (pool: ChildPool) => pool.hint("explorer").drop()],
		[
			"leaves without having taken it",
			(pool: ChildPool) => pool.enter({ hint: pool.hint("explorer") }).leave(),
		],
		[
			"is still there when the pool is closed",
			(pool: ChildPool) => {
				pool.hint("explorer");
				return pool.close();
			},
		],
	])("is ended when the call %s", async (_case, end) => {
		const { pool, log, open: left, settle } = open();
		await Promise.all([end(pool), settle()]);
		expect(log).toEqual(["start explorer 1", "end explorer 1"]);
		expect(left.sessions).toBe(0);
	});

	it("is not started beyond what may run at once, with the calls that are there", async () => {
		const { pool, log, settle } = open({ concurrency: 3 });
		const place = pool.enter({});
		const [first] = ["a", "b", "c"].map((agent) => pool.hint(agent));
		await settle();
		expect(log).toEqual(["start a 1", "start b 2"]);
		first?.drop();
		pool.hint("d");
		place.leave();
		pool.hint("e");
		await settle();
		expect(log.filter((line) => line.startsWith("start")).slice(2)).toEqual(["start d 3", "start e 4"]);
		await pool.close();
	});

	it("counts as none when it cannot be planned or started, and the call gets one of its own", async () => {
		const { pool, log, open: left, plan } = open();
		for (const agent of ["unknown", "broken"]) {
			const child = await pool.enter({ hint: pool.hint(agent) }).take(plan(agent), {});
			expect(child.isUp).toBe(false);
			await child.end();
		}
		expect(log).toEqual(["start broken 1"]);
		expect(left.sessions).toBe(0);
	});
});

describe("a call too many", () => {
	const fill = (pool: ChildPool) => Array.from({ length: 1 + LIMITS.maxWaitingCalls }, () => pool.enter({}));

	it("is refused with the setting that allows more, and its child is ended", async () => {
		const { pool, log, plan, settle } = open({ concurrency: 1 });
		const hint = pool.hint("explorer");
		fill(pool);
		const place = pool.enter({ hint });
		const refusal = await place.admit();
		expect(refusal).toMatchObject({
			code: "SUBAGENT_LIMIT_REACHED",
			failureCause: { kind: "waiting_calls" },
		});
		expect(refusal?.message).toBe(
			`${LIMITS.maxWaitingCalls} calls are waiting for a free slot already, and no more may. Wait for their answers, or raise subagents.maxConcurrency (now 1).`,
		);
		await expect(place.take(plan("explorer"), {})).rejects.toBe(refusal);
		place.leave();
		await settle();
		expect(log).toEqual(["start explorer 1", "end explorer 1"]);
		expect(() => pool.enter({}).leave()).not.toThrow();
	});

	it("is admitted when another one has left, and so is any where nothing limits them", async () => {
		const { pool } = open({ concurrency: 1 });
		const [first] = fill(pool);
		expect(await pool.enter({}).admit()).toBeDefined();
		first?.leave();
		expect(await pool.enter({}).admit()).toBeUndefined();
		const unlimited = open().pool;
		fill(unlimited);
		expect(await unlimited.enter({}).admit()).toBeUndefined();
	});

	it("does not keep the place of a call whose child could not be had", async () => {
		const { pool, plan } = open({ concurrency: 1 });
		const broken = {
			...plan("explorer"),
			openSession: () => {
				throw new Error("no session");
			},
		};
		await expect(pool.take(broken, {})).rejects.toThrow("no session");
		const child = await pool.take(plan("explorer"), {});
		expect(await child.waitForTurn(() => undefined)).toBe(true);
		await child.end();
	});
});

describe("calls that arrive together", () => {
	it("go on one in each turn of the event loop", async () => {
		vi.useRealTimers();
		const { pool } = open();
		let turn = 0;
		const count = (): void => {
			turn += 1;
			if (turn < 20) setImmediate(count);
		};
		count();
		const turns = await Promise.all(
			[1, 2, 3].map(() =>
				pool
					.enter({})
					.admit()
					.then(() => turn),
			),
		);
		expect(new Set(turns).size).toBe(3);
	});
});

describe("a child's process", () => {
	it("waits for its task when there is no call, is started for it otherwise, and ends with the call", async () => {
		const { pool, plan, prepared, settle } = open();
		pool.hint("explorer");
		await settle();
		const abort = new AbortController();
		const child = await pool.take(plan("tester"), { signal: abort.signal });
		expect(child.isUp).toBe(false);
		await child.start(child.plan);
		expect(child.isUp).toBe(true);
		expect(prepared.map(({ waits }) => waits)).toEqual([true, undefined]);
		abort.abort();
		expect(prepared.map(({ signal }) => signal?.aborted)).toEqual([false, true]);
		await child.end();
		await pool.close();
	});

	it("has a run of its own, with a name of eight characters", async () => {
		const { pool, plan } = open();
		const children = await Promise.all(["a", "b"].map((agent) => pool.take(plan(agent), {})));
		const names = children.map((child) => child.plan.runId);
		expect(new Set(names).size).toBe(2);
		for (const name of names) expect(name).toMatch(/^[0-9a-f]{8}$/);
		for (const child of children) await child.end();
	});

	it("that is gone serves no call", async () => {
		const { pool, plan, log } = open();
		const child = await pool.enter({ hint: pool.hint("dead") }).take(plan("dead"), {});
		expect(child.isUp).toBe(false);
		expect(log).toEqual(["start dead 1", "end dead 1"]);
		await child.end();
	});

	it("may run at once where nobody waits for a turn", async () => {
		const child = new Child(createPretendChildren().plan("explorer"));
		expect(await child.waitForTurn(() => undefined)).toBe(true);
		await child.end();
	});
});

describe("a waiting child is not taken", () => {
	let directory = "";
	beforeEach(() => {
		directory = mkdtempSync(join(tmpdir(), "deputize-pool-"));
	});
	afterEach(() => rmSync(directory, { recursive: true, force: true }));

	it.each([
		["when the plan has changed", "other words", false, undefined],
		["when a file that it read has changed", "", true, undefined],
		["by a call that goes on with a session", "", false, "some"],
	])("%s", async (_case, words, touch, sessionId) => {
		const file = join(directory, "settings.json");
		const { plan, log } = createPretendChildren();
		const pool = new ChildPool({ plan: async (agent) => plan(agent, "", [file]) });
		const place = pool.enter({ hint: pool.hint("explorer") });
		await vi.advanceTimersByTimeAsync(0);
		if (touch) writeFileSync(file, "{}");
		const child = await place.take(plan("explorer", words, [file]), { sessionId });
		expect(child.isUp).toBe(false);
		expect(child.session.plan.id).toBe(sessionId ?? "new");
		await child.end();
		await pool.close();
		expect(log).toEqual(["start explorer 1", "end explorer 1"]);
	});
});

describe("a child that waits without a call", () => {
	it("starts a moment after a delegation and is taken once", async () => {
		const { pool, log, delegate } = open({ keepWarm: 1 });
		await delegate("explorer");
		expect(log).toHaveLength(2);
		await vi.advanceTimersByTimeAsync(SECOND);
		expect(log).toHaveLength(3);
		await delegate("explorer");
		expect(log.slice(2)).toEqual(["start explorer 2", "run explorer 2: t"]);
		await pool.close();
		expect(vi.getTimerCount()).toBe(0);
	});

	it("is one for each agent when several delegations end together, up to the number allowed", async () => {
		const { pool, log, delegate } = open({ keepWarm: 3 });
		await Promise.all(["explorer", "reviewer", "tester", "tester"].map((agent) => delegate(agent)));
		log.length = 0;
		await vi.advanceTimersByTimeAsync(SECOND);
		expect(log.map((line) => line.split(" ")[1])).toEqual(["explorer", "reviewer", "tester"]);
		await pool.close();
	});

	it("is started although another agent is called meanwhile", async () => {
		const { pool, log, delegate } = open({ keepWarm: 2 });
		await delegate("explorer");
		pool.hint("tester");
		log.length = 0;
		await vi.advanceTimersByTimeAsync(SECOND);
		expect(log).toContain("start explorer 3");
		await pool.close();
	});

	it("is not started when the next call or the end of the pool comes first", async () => {
		const { pool, log, delegate } = open({ keepWarm: 1 });
		await delegate("explorer");
		await delegate("explorer");
		await pool.close();
		await delegate("explorer");
		await vi.advanceTimersByTimeAsync(SECOND);
		expect(log.filter((line) => line.startsWith("start"))).toHaveLength(3);
	});

	it("is not started after a run that was cancelled or went on with a session", async () => {
		const { pool, log, plan } = open({ keepWarm: 1 });
		for (const options of [{ signal: AbortSignal.abort() }, { sessionId: "some" }])
			await (await pool.take(plan("explorer"), options)).end();
		await vi.advanceTimersByTimeAsync(SECOND);
		expect(log).toEqual([]);
	});

	it("starts at once where a call is likely, but not a second one of the same agent", async () => {
		const { pool, log, settle } = open({ keepWarm: 1 });
		pool.expect("explorer");
		pool.expect("explorer");
		await settle();
		expect(log).toEqual(["start explorer 1"]);
		pool.expect("tester");
		await settle();
		expect(log.toSorted()).toEqual(["end explorer 1", "start explorer 1", "start tester 2"]);
		await pool.close();
		pool.expect("explorer");
		await settle();
		expect(log).toHaveLength(4);
	});

	it("goes after two minutes", async () => {
		const { pool, log } = open({ keepWarm: 1 });
		pool.expect("explorer");
		await vi.advanceTimersByTimeAsync(119 * SECOND);
		expect(log).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(2 * SECOND);
		expect(log).toEqual(["start explorer 1", "end explorer 1"]);
		expect(vi.getTimerCount()).toBe(0);
	});

	it("goes when memory gets short, and is not started while it is", async () => {
		let isLow = false;
		const { pool, log } = open({ keepWarm: 1, isMemoryLow: () => isLow });
		pool.expect("explorer");
		isLow = true;
		await vi.advanceTimersByTimeAsync(6 * SECOND);
		expect(log).toEqual(["start explorer 1", "end explorer 1"]);
		pool.expect("explorer");
		await vi.advanceTimersByTimeAsync(SECOND);
		expect(log).toHaveLength(2);
	});

	it("is of the agents that were called last, no more than allowed", async () => {
		const { pool, log, delegate } = open({ keepWarm: 2 });
		for (const agent of ["explorer", "tester", "reviewer"]) {
			await delegate(agent);
			await vi.advanceTimersByTimeAsync(SECOND);
		}
		expect(log.filter((line) => line.startsWith("end"))).toEqual(["end explorer 2"]);
		await pool.close();
	});

	it("gives way to a newer one of its agent, and goes alone when its time has come", async () => {
		const { pool, log, plan, settle } = open({ keepWarm: 2 });
		pool.expect("explorer");
		await vi.advanceTimersByTimeAsync(60 * SECOND);
		pool.expect("tester");
		await vi.advanceTimersByTimeAsync(61 * SECOND);
		expect(log).toEqual(["start explorer 1", "start tester 2", "end explorer 1"]);
		const child = await pool.take(plan("reviewer"), {});
		pool.expect("reviewer");
		await settle();
		await child.end();
		await vi.advanceTimersByTimeAsync(SECOND);
		expect(log.slice(3)).toEqual(["start reviewer 3", "end reviewer 3", "start reviewer 4"]);
		await pool.close();
		expect(vi.getTimerCount()).toBe(0);
	});

	it("is still ended when memory gets short after another one has gone", async () => {
		let isLow = false;
		const { pool, log, delegate } = open({ keepWarm: 2, isMemoryLow: () => isLow });
		pool.expect("explorer");
		pool.expect("tester");
		await delegate("explorer");
		isLow = true;
		await vi.advanceTimersByTimeAsync(6 * SECOND);
		expect(log).toContain("end tester 2");
		await pool.close();
	});

	it("is none where none is wanted", async () => {
		const { pool, log, delegate } = open();
		await delegate("explorer");
		pool.expect("explorer");
		await vi.advanceTimersByTimeAsync(SECOND);
		expect(log).toHaveLength(2);
	});

	it("becomes that of a call which is being written", async () => {
		const { pool, log, settle } = open({ keepWarm: 1 });
		pool.expect("explorer");
		const hint = pool.hint("explorer");
		await vi.advanceTimersByTimeAsync(600 * SECOND);
		expect(log).toEqual(["start explorer 1"]);
		hint.drop();
		await settle();
		expect(log).toEqual(["start explorer 1", "end explorer 1"]);
	});
});

describe("a call's turn", () => {
	it("comes in the order of the calls, not of their preparation", async () => {
		const { pool, plan, settle } = open({ concurrency: 1 });
		const [first, second] = [pool.enter({}), pool.enter({})];
		const order: string[] = [];
		const later = await second.take(plan("b"), {});
		const waits = later.waitForTurn(() => order.push("second waits")).then(() => order.push("second"));
		const earlier = await first.take(plan("a"), {});
		expect(await earlier.waitForTurn(() => order.push("first waits"))).toBe(true);
		await settle();
		order.push("first");
		await earlier.end();
		await waits;
		expect(order).toEqual(["second waits", "first", "second"]);
	});

	it("is given back by a call that never took a child, once", async () => {
		const { pool, plan, settle } = open({ concurrency: 1 });
		const place = pool.enter({});
		place.leave();
		place.leave();
		await settle();
		let isWaiting = false;
		const children = await Promise.all(["a", "b"].map((agent) => pool.take(plan(agent), {})));
		expect(await children[0]?.waitForTurn(() => undefined)).toBe(true);
		void children[1]?.waitForTurn(() => {
			isWaiting = true;
		});
		await settle();
		expect(isWaiting).toBe(true);
	});

	it("does not come when the wait is cancelled", async () => {
		const { pool, plan } = open({ concurrency: 1 });
		pool.enter({});
		const abort = new AbortController();
		const child = await pool.take(plan("a"), { signal: abort.signal });
		const turn = child.waitForTurn(() => undefined);
		abort.abort();
		expect(await turn).toBe(false);
	});
});
