import { describe, expect, it } from "vitest";
import { describeCorrection, NEVER_CALLED } from "../../../../../src/contract/finalization.ts";
import { toNavigatorInput } from "../../../../../src/hosts/pi/child/to-navigator-input.ts";
import type { ChildGrant } from "../../../../../src/runtimes/child-grant.ts";

type Context = Parameters<typeof toNavigatorInput>[0];

const read = (...texts: string[]) =>
	toNavigatorInput(
		{ messages: texts.map((content) => ({ role: "user", content, timestamp: 0 })) } as Context,
		{ agent: "explorer", tools: [] } as unknown as ChildGrant,
	);
const CORRECTION = describeCorrection(NEVER_CALLED);

describe("toNavigatorInput", () => {
	it("goes on with the task when it is told to hand over", () => {
		expect(read("Where is a?", "Where is b?", CORRECTION)).toMatchObject({
			task: "Where is b?",
			history: [{ task: "Where is a?" }],
		});
	});

	it("fails when nothing says what the task was", () => {
		expect(() => read(CORRECTION)).toThrow("does not contain the task");
	});
});
