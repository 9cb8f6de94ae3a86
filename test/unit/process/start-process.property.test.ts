import { PassThrough } from "node:stream";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ChildExit, OpenedChild } from "../../../src/process/open-child.ts";
import { type ProcessEnding, startProcess } from "../../../src/process/start-process.ts";
import { runningWith, startFixture, TEST_LIMITS } from "../../helpers/process-children.ts";

/** Stands for the operating system: a child that does what it is told, in any order, at any time. */
function createPretendChild(obedient: boolean, startable: boolean) {
	const stdout = new PassThrough();
	const stderr = new PassThrough();
	const stdin = new PassThrough().resume();
	let settle: (exit: ChildExit) => void = () => undefined;
	let close: () => void = () => undefined;
	let isOver = false;
	const disposed = { times: 0 };
	const exited = new Promise<ChildExit>((resolve) => {
		settle = (exit) => {
			isOver = true;
			resolve(exit);
		};
	});
	const child: OpenedChild = {
		pid: startable ? 4_000_000 : undefined,
		stdin,
		stdout,
		stderr,
		exited,
		closed: new Promise((resolve) => {
			close = resolve;
		}),
		async stop(graceMs) {
			if (isOver) return;
			await new Promise((resolve) => setTimeout(resolve, obedient ? 1 : graceMs));
			settle({ exitCode: null, signal: obedient ? "SIGTERM" : "SIGKILL" });
		},
		async kill() {
			if (!isOver) setTimeout(() => settle({ exitCode: null, signal: "SIGKILL" }), 1);
		},
		async dispose() {
			disposed.times += 1;
			stdout.destroy();
			stderr.destroy();
		},
	};
	if (!startable)
		settle({ exitCode: null, signal: null, spawnError: { code: "EAGAIN", message: "pretend" } });
	return { child, stdout, stderr, disposed, exit: (exit: ChildExit) => settle(exit), close: () => close() };
}

const limits = {
	...TEST_LIMITS,
	timeoutMs: 400,
	idleTimeoutMs: 150,
	stopGraceMs: 30,
	drainMs: 40,
	maxStdoutBytes: 500,
	maxStderrBytes: 500,
};

const step = fc.record({
	afterMs: fc.nat(120),
	action: fc.constantFrom(
		"input",
		"abort",
		"stop",
		"finish",
		"line",
		"part of a line",
		"much output",
		"much stderr",
		"activity",
		"hold",
		"release",
		"exit 0",
		"exit 1",
		"signal",
		"close",
		"pipe error",
	),
});

describe("any order of input, output, abort, timeout, exit and error", () => {
	beforeEach(() => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "performance"] });
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	it("settles exactly once, disposes of the child once and leaves no timer and no listener", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(step, { maxLength: 12 }),
				fc.boolean(),
				fc.boolean(),
				fc.integer({ min: 0, max: 9 }),
				async (steps, obedient, endWhenFinished, luck) => {
					const pretend = createPretendChild(obedient, luck > 0);
					const abort = new AbortController();
					const removed = vi.spyOn(abort.signal, "removeEventListener");
					const endings: ProcessEnding[] = [];
					const decisive: string[] = luck > 0 ? [] : ["spawn-error"];
					const lines: string[] = [];
					const child = startProcess(
						{
							command: "pretend",
							args: [],
							cwd: "/",
							env: {},
							limits,
							endWhenFinished,
							signal: abort.signal,
							onLine: (line) => lines.push(line.toString()),
						},
						() => pretend.child,
					);
					void child.ended.then((ending) => endings.push(ending));
					const releases: (() => void)[] = [];
					const act: Record<(typeof steps)[number]["action"], () => void> = {
						input: () => child.sendInput("task"),
						abort: () => abort.abort(),
						stop: () => child.stop(),
						finish: () => child.finish(),
						line: () => pretend.stdout.write('{"type":"x"}\n'),
						"part of a line": () => pretend.stdout.write('{"ty'),
						"much output": () => pretend.stdout.write("y".repeat(600)),
						"much stderr": () => pretend.stderr.write("y".repeat(600)),
						activity: () => child.noteActivity(),
						hold: () => releases.push(child.holdIdle()),
						release: () => releases.pop()?.(),
						"exit 0": () => pretend.exit({ exitCode: 0, signal: null }),
						"exit 1": () => pretend.exit({ exitCode: 1, signal: null }),
						signal: () => pretend.exit({ exitCode: null, signal: "SIGSEGV" }),
						close: () => pretend.close(),
						"pipe error": () => pretend.child.stdin?.destroy(),
					};
					const reasonOf: Partial<Record<(typeof steps)[number]["action"], string>> = {
						abort: "aborted",
						stop: "aborted",
						finish: "finished",
						"exit 0": "exit",
						"exit 1": "exit",
						signal: "exit",
					};
					let onlyDecisive = true;
					await vi.advanceTimersByTimeAsync(0);
					for (const { afterMs, action } of steps) {
						await vi.advanceTimersByTimeAsync(afterMs);
						if (endings.length > 0) break;
						const reason = reasonOf[action];
						if (reason !== undefined) decisive.push(reason);
						if (action === "input" || action.startsWith("much")) onlyDecisive = false;
						act[action]();
						// What the operating system reports reaches us a turn later than our own calls.
						await vi.advanceTimersByTimeAsync(0);
					}
					for (const release of releases) release();
					child.stop();
					decisive.push("aborted");
					await vi.advanceTimersByTimeAsync(10_000);

					expect(endings).toHaveLength(1);
					expect(vi.getTimerCount()).toBe(0);
					expect(pretend.disposed.times).toBe(1);
					expect(removed).toHaveBeenCalled();
					expect(pretend.stdout.listenerCount("data")).toBe(0);
					expect(pretend.stderr.listenerCount("data")).toBe(0);
					// Without a clock or a limit in play the first decisive step must be the reason.
					if (onlyDecisive) expect(endings[0]?.reason).toBe(decisive[0]);
					const before = lines.length;
					child.sendInput("late");
					child.stop();
					child.finish();
					child.holdIdle()();
					await vi.advanceTimersByTimeAsync(1000);
					expect(endings).toHaveLength(1);
					expect(lines).toHaveLength(before);
					expect(vi.getTimerCount()).toBe(0);
				},
			),
			{ numRuns: 400 },
		);
	});
});

describe("real children stopped at a random moment in a random way", () => {
	it("are all gone when their end is reported", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(
					"echo-input",
					"ignore-sigterm",
					"start-detached-grandchild",
					"plain-noise",
					"endless-line",
				),
				fc.array(fc.tuple(fc.nat(60), fc.constantFrom("input", "stop", "finish", "kill", "suspend")), {
					minLength: 1,
					maxLength: 4,
				}),
				async (fixture, steps) => {
					const { child, mark } = startFixture(fixture, {
						limits: { idleTimeoutMs: 200, timeoutMs: 400, stopGraceMs: 80, drainMs: 80 },
					});
					for (const [afterMs, action] of steps) {
						await new Promise((resolve) => setTimeout(resolve, afterMs));
						if (action === "input") child.sendInput("task\n");
						if (action === "stop") child.stop();
						if (action === "finish") child.finish();
						try {
							if (action === "kill") process.kill(child.pid!, "SIGKILL");
							if (action === "suspend") process.kill(child.pid!, "SIGSTOP");
						} catch {
							// It had ended already.
						}
					}
					child.sendInput("");
					const ending = await child.ended;
					expect(ending.durationMs).toBeGreaterThanOrEqual(0);
					expect(runningWith(mark)).toEqual([]);
				},
			),
			{ numRuns: 25, endOnFailure: true },
		);
	}, 120_000);
});
