import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ChildPool, type Hint } from "../../../src/children/child-pool.ts";
import type { PlannedChild } from "../../../src/children/planned-child.ts";
import type { ChildPlan } from "../../../src/contract/plan.ts";
import { isProcessAlive } from "../../../src/process/identify-process.ts";
import { startChild } from "../../../src/runtimes/start-child.ts";

const CONCURRENCY = 2;
const AGENTS = ["explorer", "reviewer", "tester"] as const;

const step = fc.record({
	action: fc.constantFrom(
		"hint",
		"drop",
		"expect",
		"call",
		"call",
		"call",
		"abort",
		"change",
		"kill",
		"wait",
		"close",
	),
	agent: fc.constantFrom(...AGENTS),
	/** Which of the hints, calls or processes is meant, from the newest on; for a call, whether it comes from a hint. */
	which: fc.nat(3),
	/** How a call ends: with a task that is done, with one that never ends by itself, without a task, or in a session. */
	ends: fc.constantFrom("done", "done", "hangs", "refused", "session"),
	afterMs: fc.nat(40),
});

/** Everything that is started is a real process: `cat`, which says what it is told, and then has settled. */
function createWorld() {
	const versions = new Map<string, number>(AGENTS.map((agent) => [agent, 0]));
	const pids: number[] = [];
	const waiting = new Set<number>();
	const sessions = { open: 0 };
	const plan = (agent: string): PlannedChild => {
		return {
			plan: {
				agent: { name: agent },
				systemPrompt: `${agent}, version ${versions.get(agent)}`,
				cwd: "/",
				limits: { timeoutMs: 20_000, idleTimeoutMs: 20_000, maxMemoryMb: 4096 },
			} as ChildPlan,
			files: [],
			openSession(sessionId) {
				sessions.open += 1;
				let isOpen = true;
				return {
					plan: { id: sessionId ?? "new", file: "/none", resumed: sessionId !== undefined },
					noteChild: () => undefined,
					isResumable: () => false,
					close() {
						if (isOpen) sessions.open -= 1;
						isOpen = false;
					},
				};
			},
			runtime: {
				name: "pi",
				describe: () => Promise.reject(new Error("not used")),
				async prepare(started, { signal }) {
					const child = startChild(
						started,
						{ command: "cat", args: [], env: {}, confinement: "tools-only" },
						{
							readLine: (line) => ({
								isActivity: true,
								events: line.toString() === "done" ? [{ type: "settled", aborted: false }] : [],
							}),
							readSkippedLine: () => ({ events: [] }),
							endWhenFinished: true,
							writeTask: (task) => `${task}\n`,
						},
						signal,
					);
					const pid = child.pid ?? 0;
					pids.push(pid);
					waiting.add(pid);
					return {
						...child,
						run(task, onEvent) {
							waiting.delete(pid);
							return child.run(task, onEvent);
						},
					};
				},
			},
		};
	};
	return { versions, pids, waiting, sessions, plan };
}

it("whatever is hinted, called, changed, killed, cancelled and closed: no process, session or turn is left, and no child serves another plan", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
			const world = createWorld();
			const pool = new ChildPool({
				concurrency: CONCURRENCY,
				keepWarm: 2,
				plan: async (agent) => world.plan(agent),
			});
			const hints: Hint[] = [];
			const calls: { readonly abort: AbortController; readonly over: Promise<void> }[] = [];
			let running = 0;
			let most = 0;

			const call = async (
				agent: string,
				hint: Hint | undefined,
				ends: string,
				signal: AbortSignal,
			): Promise<void> => {
				const place = pool.enter({ signal, hint });
				try {
					// As long as the decisions about it take.
					await sleep(1);
					if (ends === "refused") return;
					const planned = world.plan(agent);
					const child = await place.take(planned, {
						signal,
						sessionId: ends === "session" ? "some" : undefined,
					});
					try {
						expect(child.plan.systemPrompt).toBe(planned.plan.systemPrompt);
						if (!(await child.waitForTurn(() => undefined))) return;
						running += 1;
						most = Math.max(most, running);
						await (await child.start(child.plan)).run(ends === "hangs" ? "hang" : "done", () => undefined);
						running -= 1;
					} finally {
						await child.end();
					}
				} finally {
					place.leave();
				}
			};
			for (const { action, agent, which, ends, afterMs } of steps) {
				if (action === "hint") hints.push(pool.hint(agent));
				if (action === "drop") hints.at(-1 - which)?.drop();
				if (action === "expect") pool.expect(agent);
				if (action === "call") {
					const abort = new AbortController();
					calls.push({ abort, over: call(agent, hints.at(-1 - which), ends, abort.signal) });
				}
				if (action === "abort") calls.at(-1 - which)?.abort.abort();
				if (action === "change") world.versions.set(agent, (world.versions.get(agent) ?? 0) + 1);
				if (action === "kill") {
					const pid = [...world.waiting].at(-1 - which);
					if (pid !== undefined && isProcessAlive({ pid })) process.kill(pid, "SIGKILL");
				}
				if (action === "wait") await sleep(afterMs);
				if (action === "close") await pool.close();
			}
			// What hangs is cancelled, and then every call is over.
			await Promise.race([Promise.all(calls.map(({ over }) => over)), sleep(60)]);
			for (const { abort } of calls) abort.abort();
			await Promise.all(calls.map(({ over }) => over));
			await pool.close();
			expect(world.pids.filter((pid) => isProcessAlive({ pid }))).toEqual([]);
			expect(world.sessions.open).toBe(0);
			expect(most).toBeLessThanOrEqual(CONCURRENCY);
			const free = await Promise.all(
				Array.from({ length: CONCURRENCY }, async () => {
					const child = await pool.take(world.plan("explorer"), {});
					return { child, comes: child.waitForTurn(() => expect.unreachable("a turn was not given back")) };
				}),
			);
			expect(await Promise.all(free.map(({ comes }) => comes))).toEqual([true, true]);
			await Promise.all(free.map(({ child }) => child.end()));
		}),
		{ numRuns: 60 },
	);
}, 120_000);
