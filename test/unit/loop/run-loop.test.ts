import { describe, expect, it } from "vitest";
import type { ChildEvent } from "../../../src/contract/event.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import { LoopError } from "../../../src/loop/loop-error.ts";
import type { ProgramOutlet } from "../../../src/loop/program-outlet.ts";
import type { HistoryEntry, TurnOutcome } from "../../../src/loop/providers/provider.ts";
import { type LoopRun, runLoop } from "../../../src/loop/run-loop.ts";

const CHILD = {
	agent: "explorer",
	finalize: { mode: "required", max_corrections: 2 },
} as const;
const turn = (text: string, calls: TurnOutcome["toolCalls"] = []): TurnOutcome => ({
	text,
	toolCalls: calls,
	stop: calls.length > 0 ? "tools" : "end",
	usage: { ...NO_USAGE, input: 10, turns: 1 },
});
const finalize = (args: object): TurnOutcome =>
	turn("", [{ id: "f", name: "subagent_finalize", argumentsText: JSON.stringify(args) }]);

/** A run whose model says one turn after the other, and fails with what is an error among them. */
function script(turns: readonly (TurnOutcome | LoopError)[], change: Partial<LoopRun> = {}) {
	const events: ChildEvent[] = [];
	const history: HistoryEntry[] = [{ kind: "user", text: "the task" }];
	let asked = 0;
	const outlet = {
		openTurn: () => ({ end: () => undefined, flush: () => undefined, partialText: () => "half" }),
		report: (event: ChildEvent) => events.push(event),
		toolResult: () => undefined,
		structured: () => undefined,
	} as unknown as ProgramOutlet;
	const run: LoopRun = {
		payload: { maxTurns: 20, child: CHILD },
		history,
		async takeTurn() {
			const next = turns[asked++] ?? turn("the script is over");
			if (next instanceof LoopError) throw next;
			return next;
		},
		tools: {
			declarations: [],
			answer: async (_call, args) => {
				const isError = typeof args?.["result"] !== "string";
				return { text: isError ? "Error: no result" : "Accepted.", isError };
			},
		},
		outlet,
		remember: () => undefined,
		signal: new AbortController().signal,
		loadScrub: async () => (text) => text,
		...change,
	};
	return { run, events, history, asked: () => asked };
}

describe("runLoop", () => {
	it("ends when the child has handed over", async () => {
		const { run, asked } = script([turn("Looking."), finalize({ status: "SUCCESS", result: "done" })]);
		await runLoop(run);
		expect(asked()).toBe(2);
	});

	it("quotes the text that was not handed over, and gives up after the last correction", async () => {
		const { run, events, history, asked } = script([
			turn("The whole answer of this run."),
			turn("It is above."),
			turn("As I said."),
			turn("never asked"),
		]);
		await runLoop(run);
		expect(asked()).toBe(3);
		expect(events.filter(({ type }) => type === "correction")).toHaveLength(2);
		expect(history.at(-2)).toMatchObject({ text: expect.stringContaining('of this run." (29 characters)') });
	});

	it("takes a refused handover for a correction", async () => {
		const refused = finalize({ status: "SUCCESS" });
		const { run, asked } = script(Array.from({ length: 80 }, () => refused));
		await runLoop(run);
		expect(asked()).toBe(3);
	});

	it("does not count a failed request as a turn, and passes on what the provider said", async () => {
		const failure = new LoopError("provider_error", "429 slow down", {
			status: 429,
			retryAfterMs: 2000,
			usage: { ...NO_USAGE, input: 5, turns: 1 },
		});
		const { run, events } = script([failure]);
		await expect(runLoop(run)).rejects.toBe(failure);
		expect(events.at(-1)).toMatchObject({
			type: "assistant-message",
			text: "half",
			stopReason: "error",
			errorMessage: "429 slow down",
			errorFacts: { status: 429, retryAfterMs: 2000 },
			usage: { input: 5, turns: 0 },
		});
	});

	it("advises max_turns only where it can be set", async () => {
		const tool = turn("", [{ id: "1", name: "bash_read", argumentsText: '{"result":""}' }]);
		const endless = Array.from({ length: 5 }, () => tool);
		const own = script(endless, { payload: { maxTurns: 2 } });
		await expect(runLoop(own.run)).rejects.toThrow("Raise max_turns or ask for less.");
		const child = script(endless, { payload: { maxTurns: 2, child: CHILD } });
		await expect(runLoop(child.run)).rejects.toThrow(/stopped\. Ask for less\.$/);
	});
});
