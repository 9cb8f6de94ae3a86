import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { expect, it } from "vitest";
import { limitTurns } from "../../../../../src/hosts/pi/child/limit-turns.ts";

/** Says after which events the run was aborted: a turn that begins, or an answer that ended in this way. */
function play(maxTurns: number | undefined, events: readonly string[]): readonly string[] {
	const handlers = new Map<string, (event: unknown, context: unknown) => void>();
	const pi = { on: (name: string, handler: () => void) => handlers.set(name, handler) };
	limitTurns(pi as unknown as ExtensionAPI, maxTurns === undefined ? {} : { maxTurns });
	const aborted: string[] = [];
	events.forEach((event, at) => {
		const context = { abort: () => aborted.push(`${at} ${event}`) };
		if (event === "turn") handlers.get("turn_start")?.({}, context);
		else handlers.get("message_end")?.({ message: { role: "assistant", stopReason: event } }, context);
	});
	return aborted;
}

it("lets no turn begin beyond the bound", () => {
	expect(play(2, ["turn", "toolUse", "turn", "toolUse", "turn"])).toEqual(["4 turn"]);
	expect(play(undefined, ["turn", "toolUse", "turn", "toolUse", "turn"])).toEqual([]);
});

it("does not count requests that failed", () => {
	expect(play(1, ["turn", "error", "turn", "aborted", "turn", "stop", "turn"])).toEqual(["6 turn"]);
});
