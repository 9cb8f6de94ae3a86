import { expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../../src/contract/config.ts";
import { NEVER_CALLED } from "../../../src/contract/finalization.ts";
import { checkProgress } from "../../../src/delegation/check-progress.ts";
import { type Collected, NOTHING_COLLECTED } from "../../../src/delegation/collect-output.ts";

const config = {
	...DEFAULT_CONFIG.subagents,
	finalize: { mode: "required" as const, maxCorrections: 2 },
	maxIdenticalFailures: 3,
};
const failing = (count: number) => ({ repeatedFailure: { call: "x", name: "read", count } });

it.each<[string, Partial<Collected>, string | undefined]>([
	["has just begun", {}, undefined],
	["was corrected as often as it may be", { corrections: 2 }, undefined],
	["was corrected once more", { corrections: 3 }, NEVER_CALLED],
	[
		"was corrected once more, and it is known what is wrong",
		{ corrections: 3, finalizationProblem: "no result" },
		"no result",
	],
	["handed over after all", { corrections: 3, finalization: { status: "SUCCESS", result: "a" } }, undefined],
	["failed twice in the same way", failing(2), undefined],
	[
		"failed three times in the same way",
		failing(3),
		"The child called read 3 times in a row with the same arguments, and each call failed; it was stopped. subagents.maxIdenticalFailures sets after how many.",
	],
])("a child that %s goes on, or is stopped with a reason", (_name, collected, reason) => {
	expect(checkProgress({ ...NOTHING_COLLECTED, ...collected }, config)).toBe(reason);
});
