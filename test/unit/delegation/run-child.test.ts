import { describe, expect, it } from "vitest";
import { DEFAULT_CONFIG, type SubagentsConfig } from "../../../src/contract/config.ts";
import type { ChildEnd, ChildEvent } from "../../../src/contract/event.ts";
import type { ChildPlan } from "../../../src/contract/plan.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import { type RunChildOptions, runChild } from "../../../src/delegation/run-child.ts";
import type { PreparedChild } from "../../../src/runtimes/runtime.ts";

const plan = { runtime: "pi", limits: { timeoutMs: 10_000, idleTimeoutMs: 5000 } } as ChildPlan;
const END: ChildEnd = {
	type: "child-end",
	reason: "settled",
	exitCode: 0,
	signal: null,
	stderrTail: "",
	durationMs: 1,
};
const CRASH: ChildEnd = { ...END, reason: "exit", exitCode: null, signal: "SIGSEGV" };
const turn = (text: string): ChildEvent => ({
	type: "assistant-message",
	text,
	toolCalls: [],
	stopReason: "stop",
	usage: { ...NO_USAGE, input: 10, turns: 1 },
});
const SETTLED: ChildEvent = { type: "settled", aborted: false };
const finalized = (result: string): ChildEvent[] => [
	turn(""),
	{ type: "tool-start", id: "f", name: "subagent_finalize", args: { status: "SUCCESS", result } },
	{ type: "tool-end", id: "f", name: "subagent_finalize", isError: false },
	SETTLED,
];

/** Children that play one script each. One that is `faster` ends before it can be stopped. */
function scripted(
	attempts: readonly (readonly ChildEvent[])[],
	faster = false,
): {
	start: RunChildOptions["start"];
	tasks: string[];
	plans: ChildPlan[];
	stops(): number;
} {
	const tasks: string[] = [];
	const plans: ChildPlan[] = [];
	let stops = 0;
	const start = async (given: ChildPlan): Promise<PreparedChild> => {
		const events = attempts[plans.length] ?? [];
		plans.push(given);
		return {
			pid: 1,
			confinement: "tools-only",
			async run(task, onEvent) {
				tasks.push(task);
				const stopsBefore = stops;
				for (const event of events) {
					onEvent(event);
					if (stops > stopsBefore && !faster) return { ...END, reason: "aborted" };
				}
				const last = events.at(-1);
				return last?.type === "child-end" ? last : END;
			},
			stop() {
				stops += 1;
			},
			discard: async () => undefined,
		};
	};
	return { start, tasks, plans, stops: () => stops };
}

const run = (
	start: RunChildOptions["start"],
	change: Partial<SubagentsConfig> = {},
	signal?: AbortSignal,
	more: Partial<ChildPlan> = {},
) =>
	runChild({ ...plan, ...more }, "the task", {
		start,
		config: { ...DEFAULT_CONFIG.subagents, ...change },
		isReadonlyTool: (name) => name !== "write",
		onProgress: () => undefined,
		onChild: () => undefined,
		...(signal ? { signal } : {}),
	});

describe("runChild", () => {
	it("returns what one good attempt handed over", async () => {
		const { start, tasks } = scripted([finalized("answer")]);
		expect(await run(start)).toMatchObject({
			verdict: { kind: "success", finalization: { result: "answer" } },
		});
		expect(tasks).toEqual(["the task"]);
	});

	it("starts again when a socket went away while the sandbox was made, also where retries are off", async () => {
		const stderrTail = "bwrap: Can't mkdir parents for /run/x/lsp.sock: Read-only file system\n";
		const noSandbox: ChildEvent[] = [
			{ type: "child-start", pid: 1 },
			{ ...END, reason: "exit", exitCode: 1, stderrTail },
		];
		const off = { retry: { ...DEFAULT_CONFIG.subagents.retry, enabled: false } };
		const { start, tasks } = scripted([noSandbox, noSandbox, finalized("answer")]);
		expect(await run(start, off)).toMatchObject({ verdict: { kind: "success" } });
		expect(tasks).toEqual(["the task", "the task", "the task"]);
		const never = scripted(Array.from({ length: 9 }, () => noSandbox));
		expect(await run(never.start)).toMatchObject({ verdict: { kind: "failure", stderrTail } });
		expect(never.tasks).toHaveLength(5);
		const afterWords = scripted([[turn("begun"), ...noSandbox.slice(1)], finalized("twice")]);
		expect(await run(afterWords.start)).toMatchObject({ verdict: { kind: "failure" } });
	});

	it("continues the session with feedback when a child cannot be corrected from inside", async () => {
		const { start, tasks } = scripted([[turn("forgot"), SETTLED], finalized("better")]);
		const outcome = await run(start);
		expect(outcome.verdict.kind).toBe("success");
		expect(outcome.collected.usage).toMatchObject({ input: 20, turns: 2 });
		expect(tasks[1]).toContain("You have not handed over yet: subagent_finalize was not called");
	});

	it("gives up after the allowed corrections and keeps the last text", async () => {
		const forgot = [turn("again"), SETTLED];
		const { start, tasks } = scripted([forgot, forgot, forgot, forgot]);
		const outcome = await run(start);
		expect(outcome.verdict.kind).toBe("not-finalized");
		expect(outcome.collected).toMatchObject({ text: "again", usage: { turns: 3 } });
		expect(tasks).toHaveLength(3);
	});

	it("quotes the longest text when it sends a child back", async () => {
		const { start, tasks } = scripted([[turn("The whole answer."), SETTLED], finalized("ok")]);
		await run(start);
		expect(tasks[1]).toContain('begins "The whole answer." (17 characters)');
	});

	const failing = (id: string, path: string): ChildEvent[] => [
		{ type: "tool-start", id, name: "read", args: { path } },
		{ type: "tool-end", id, name: "read", isError: true },
	];
	const times = (count: number, path: string): ChildEvent[] =>
		Array.from({ length: count }, (_, index) => failing(`${path}${index}`, path)).flat();

	it("stops a child that makes the same failing call five times in a row", async () => {
		const { start, stops } = scripted([[...times(40, "a"), ...finalized("late")]]);
		const { verdict } = await run(start);
		expect(stops()).toBe(1);
		expect(verdict).toMatchObject({
			kind: "failure",
			message: expect.stringContaining("read 5 times in a row"),
		});
	});

	it("lets a child go on that tries other arguments, or succeeds in between", async () => {
		const success: ChildEvent[] = [
			{ type: "tool-start", id: "s", name: "ls", args: {} },
			{ type: "tool-end", id: "s", name: "ls", isError: false },
		];
		const { start, stops } = scripted([
			[...times(4, "a"), ...times(4, "b"), ...success, ...times(4, "b"), ...finalized("done")],
		]);
		expect((await run(start)).verdict.kind).toBe("success");
		expect(stops()).toBe(0);
	});

	it("counts a refused handover as a correction and stops after the last", async () => {
		const refused: ChildEvent[] = [
			{ type: "tool-start", id: "r", name: "subagent_finalize", args: { status: "SUCCESS" } },
			{ type: "tool-end", id: "r", name: "subagent_finalize", isError: true },
		];
		const many = Array.from({ length: 80 }, () => refused).flat();
		const { start, stops, tasks } = scripted([[turn("text"), ...many, ...finalized("late")]]);
		const { verdict, collected } = await run(start);
		expect(verdict).toEqual({ kind: "not-finalized", reason: "status SUCCESS needs a non-empty result" });
		expect(collected.corrections).toBe(3);
		expect(stops()).toBe(1);
		expect(tasks).toHaveLength(1);
	});

	it("retries a crash with the same task and counts what both attempts spent", async () => {
		const { start, tasks } = scripted([[turn("partial"), CRASH], finalized("done")]);
		const outcome = await run(start);
		expect(outcome.verdict.kind).toBe("success");
		expect(outcome.collected.usage.input).toBe(20);
		expect(tasks).toEqual(["the task", "the task"]);
	});

	it("keeps the partial text of the first attempt when the second says nothing", async () => {
		const { start } = scripted([[turn("partial"), CRASH], [CRASH]]);
		const outcome = await run(start);
		expect(outcome.verdict.kind).toBe("failure");
		expect(outcome.collected.text).toBe("partial");
	});

	it("does not start again when the wait before it is aborted", async () => {
		const abort = new AbortController();
		const { start, tasks } = scripted([[CRASH], finalized("never")]);
		const outcome = run(start, {}, abort.signal);
		abort.abort();
		expect((await outcome).verdict.kind).toBe("failure");
		expect(tasks).toHaveLength(1);
	});

	it("counts the hard cap from the start of the run, not of an attempt", async () => {
		const { start, plans } = scripted([[CRASH], finalized("done")]);
		await run(start);
		expect(plans[0]?.limits.timeoutMs).toBeLessThanOrEqual(10_000);
		expect(plans[1]?.limits.timeoutMs).toBeLessThanOrEqual(10_000 - 400);
	});

	const refused = (status: number): ChildEvent[] => [
		{
			type: "assistant-message",
			text: "",
			toolCalls: [],
			stopReason: "error",
			errorMessage: "no",
			errorFacts: { status },
			usage: NO_USAGE,
		},
		SETTLED,
	];
	const used = (name: string): ChildEvent[] => [
		turn("Looking."),
		{ type: "tool-start", id: name, name, args: {} },
		{ type: "tool-end", id: name, name, isError: false },
	];
	const MODELS: Partial<ChildPlan> = {
		model: "x/first",
		thinkingLevel: "high",
		fallbacks: [
			{ model: "y/second", extensions: ["y.ts"] },
			{ model: "z/third", thinkingLevel: "low", extensions: [] },
		],
	};

	it.each([401, 402, 404, 429, 503, 529])("begins again with the next model after a %d", async (status) => {
		const { start, tasks, plans } = scripted([refused(status), finalized("done")]);
		const { verdict, failedModels } = await run(start, {}, undefined, MODELS);
		expect(verdict.kind).toBe("success");
		expect(tasks).toEqual(["the task", "the task"]);
		expect(plans[1]).toMatchObject({ model: "y/second", extensions: ["y.ts"] });
		expect(plans[1]).not.toHaveProperty("thinkingLevel");
		expect(failedModels).toMatchObject([{ model: "x/first", cause: { status } }]);
	});

	it("continues the session of a child that only reads in the middle of its run", async () => {
		const { start, tasks, plans } = scripted([
			[...used("read"), ...refused(529)],
			[...used("grep"), ...refused(429)],
			finalized("done"),
		]);
		const { verdict, failedModels, collected } = await run(start, {}, undefined, MODELS);
		expect(verdict.kind).toBe("success");
		expect(tasks[1]).toMatch(/^The model provider failed in the middle/);
		expect(plans[2]).toMatchObject({ model: "z/third", thinkingLevel: "low" });
		expect(failedModels.map(({ model }) => model)).toEqual(["x/first", "y/second"]);
		expect(collected.usage.turns).toBe(3);
	});

	it("does not go on with another model once something was written", async () => {
		const { start, tasks } = scripted([[...used("write"), ...refused(529)], finalized("never")]);
		const { verdict, failedModels } = await run(start, {}, undefined, MODELS);
		expect(verdict).toMatchObject({ kind: "failure", cause: { kind: "overloaded" } });
		expect(tasks).toHaveLength(1);
		expect(failedModels).toEqual([]);
	});

	it("does not ask another model about a request that is wrong, nor when none is left", async () => {
		const wrong = scripted([refused(400), finalized("never")]);
		expect((await run(wrong.start, {}, undefined, MODELS)).verdict.kind).toBe("failure");
		expect(wrong.tasks).toHaveLength(1);
		const all = scripted([refused(429), refused(429), refused(429), finalized("never")]);
		expect((await run(all.start, {}, undefined, MODELS)).verdict).toMatchObject({
			cause: { kind: "rate_limited" },
		});
		expect(all.tasks).toHaveLength(3);
	});

	const begun = (name: string): ChildEvent[] => [{ type: "turn-start" }, ...used(name)];

	it("ends a run when a turn begins beyond its bound, with what was written", async () => {
		const { start, stops } = scripted([[...begun("read"), ...begun("grep"), ...begun("ls")]]);
		const { verdict, collected } = await run(start, {}, undefined, { bounds: { maxTurns: 2 } });
		expect(verdict).toMatchObject({
			code: "SUBAGENT_LIMIT_REACHED",
			cause: { kind: "max_turns" },
			message: expect.stringContaining("2 turns"),
		});
		expect(collected).toMatchObject({ text: "Looking.", usage: { turns: 2 } });
		expect(stops()).toBe(1);
	});

	it("takes an answer that is handed over in the last turn", async () => {
		const { start } = scripted([[...begun("read"), { type: "turn-start" }, ...finalized("in time")]]);
		const { verdict } = await run(start, {}, undefined, { bounds: { maxTurns: 2, maxCost: 9 } });
		expect(verdict.kind).toBe("success");
	});

	it("counts turns and money over all attempts", async () => {
		const { start, plans } = scripted([
			[...begun("read"), CRASH],
			[...begun("read"), ...begun("read")],
		]);
		const { verdict } = await run(start, {}, undefined, { bounds: { maxTurns: 2 } });
		expect(verdict).toMatchObject({ cause: { kind: "max_turns" } });
		expect(plans).toHaveLength(2);
	});

	const costs = (cost: number): ChildEvent => ({ type: "extra-usage", usage: { ...NO_USAGE, cost } });

	it("ends a program that stopped by itself at what it may cost, unless it handed over", async () => {
		const over: ChildEvent[] = [costs(0.6), { type: "turn-start" }];
		const bounds = { bounds: { maxCost: 0.5 } };
		const faster = scripted([[...used("read"), ...over, SETTLED]], true);
		expect((await run(faster.start, {}, undefined, bounds)).verdict).toMatchObject({
			code: "SUBAGENT_LIMIT_REACHED",
			cause: { kind: "max_cost" },
		});
		const handedOver = scripted([[...finalized("in time").slice(0, -1), ...over, SETTLED]], true);
		expect((await run(handedOver.start, {}, undefined, bounds)).verdict.kind).toBe("success");
	});

	it("tells the next attempt what is left to spend", async () => {
		const { start, plans } = scripted([[...used("read"), costs(0.2), CRASH], finalized("answer")]);
		await run(start, {}, undefined, { bounds: { maxTurns: 9, maxCost: 0.5 } });
		expect(plans.map(({ bounds }) => bounds)).toEqual([
			{ maxTurns: 9, maxCost: 0.5 },
			{ maxTurns: 8, maxCost: 0.3 },
		]);
	});
});
