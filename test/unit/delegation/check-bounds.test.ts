import { describe, expect, it } from "vitest";
import type { ChildEvent } from "../../../src/contract/event.ts";
import type { RunBounds } from "../../../src/contract/plan.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import { checkBounds } from "../../../src/delegation/check-bounds.ts";

const TURN: ChildEvent = { type: "turn-start" };
const check = (turns: number, cost: number, bounds: RunBounds, event: ChildEvent = TURN) =>
	checkBounds({ usage: { ...NO_USAGE, turns, cost } }, event, bounds)?.reason;

describe("checkBounds", () => {
	it.each([
		[1, 0, { maxTurns: 2 }, undefined],
		[2, 0, { maxTurns: 2 }, "turn-limit"],
		[9, 9, {}, undefined],
		[1, 0.049, { maxCost: 0.05 }, undefined],
		[1, 0.05, { maxCost: 0.05 }, "cost-limit"],
		[5, 5, { maxTurns: 2, maxCost: 1 }, "turn-limit"],
	])("after %d turns for $%d under %j: %s", (turns, cost, bounds, expected) => {
		expect(check(turns, cost, bounds)).toBe(expected);
	});

	it("lets the tools of the last turn end, and its text", () => {
		const end: ChildEvent = { type: "tool-end", id: "1", name: "read", isError: false };
		expect(check(2, 0, { maxTurns: 2 }, end)).toBeUndefined();
		expect(check(2, 0, { maxTurns: 2 }, { type: "text-delta", text: "x" })).toBeUndefined();
	});

	it("never ends a run that has handed over", () => {
		const usage = { ...NO_USAGE, turns: 9 };
		const finalization = { status: "SUCCESS", result: "r" } as const;
		expect(checkBounds({ usage, finalization }, TURN, { maxTurns: 1 })).toBeUndefined();
	});

	it("says the amount and what allows it", () => {
		const usage = { ...NO_USAGE, cost: 0.1 + 0.2 };
		expect(checkBounds({ usage }, TURN, { maxCost: 0.25 })?.message).toMatch(
			/\$0\.3, .*\$0\.25 that max_cost/,
		);
		expect(checkBounds({ usage: { ...NO_USAGE, turns: 2 } }, TURN, { maxTurns: 2 })?.message).toBe(
			"The child used the 2 turns that max_turns of the agent or subagents.maxTurns allows without handing over, and was stopped.",
		);
	});
});
