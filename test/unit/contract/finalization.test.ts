import { describe, expect, it } from "vitest";
import { checkFinalization } from "../../../src/contract/finalization.ts";

describe("checkFinalization", () => {
	it.each([
		[
			{ status: "SUCCESS", result: "x" },
			{ status: "SUCCESS", result: "x" },
		],
		[
			{ status: "SUCCESS", result: "x", error: "ignored" },
			{ status: "SUCCESS", result: "x" },
		],
		[
			{ status: "ERROR", error: "e" },
			{ status: "ERROR", error: "e" },
		],
		[
			{ status: "ERROR", error: "e", result: "partial" },
			{ status: "ERROR", error: "e", result: "partial" },
		],
	])("accepts %j", (input, finalization) => {
		expect(checkFinalization(input)).toEqual({ ok: true, finalization });
	});

	it.each([
		[{ status: "SUCCESS" }, "SUCCESS needs a non-empty result"],
		[{ status: "SUCCESS", result: " \n" }, "SUCCESS needs a non-empty result"],
		[{ status: "ERROR", result: "x" }, "ERROR needs a non-empty error"],
		[{ status: "DONE", result: "x" }, 'not "DONE"'],
		[{}, "not missing"],
		[null, "without arguments"],
	])("refuses %j and says why", (input, reason) => {
		const checked = checkFinalization(input);
		expect(checked.ok ? "" : checked.reason).toContain(reason);
	});
});
