import { expect, it } from "vitest";
import { describeBackground } from "../../../../../src/hosts/pi/parent/background/create-background-status.ts";
import type { SessionRun } from "../../../../../src/hosts/pi/parent/session-runs.ts";

const toRun = (startedAt: number, cost: number, parts: object = {}): SessionRun =>
	({
		isDetached: true,
		startedAt,
		update: { details: { streaming: { usage: { cost } } } },
		...parts,
	}) as SessionRun;

it("tells how many agents are in the background, since when and for how much", () => {
	const runs = [
		toRun(3000, 0.1),
		toRun(1000, 0.2),
		toRun(0, 9, { result: {} }),
		toRun(0, 9, { isDetached: false }),
	];
	expect(describeBackground(runs, 28_500)).toBe("2 agents in the background · 27 s · $0.300");
	expect(describeBackground(runs.slice(2), 28_500)).toBeUndefined();
});
