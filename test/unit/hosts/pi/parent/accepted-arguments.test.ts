import { describe, expect, it } from "vitest";
import {
	isAcceptedByHost,
	toAcceptedArguments,
} from "../../../../../src/hosts/pi/parent/accepted-arguments.ts";

describe("arguments as pi checks them", () => {
	it.each([
		[{ agent: "a", task: "t" }, true],
		[{ agent: "a", task: "t", sessionId: "x" }, true],
		[{ agent: "a", task: "t", sessionId: null }, true],
		[{ agent: "a", task: "t", model: "m" }, false],
		[{ agent: "", task: "t" }, false],
		[{ agent: "a" }, false],
		[{ agent: 1, task: "t" }, false],
		["text", false],
		[null, false],
	])("%j", (input, accepted) => {
		expect(isAcceptedByHost(input)).toBe(accepted);
		expect(isAcceptedByHost(toAcceptedArguments(input))).toBe(true);
	});

	it("stay the same object when they fit", () => {
		const input = { agent: "a", task: "t" };
		expect(toAcceptedArguments(input)).toBe(input);
	});
});
