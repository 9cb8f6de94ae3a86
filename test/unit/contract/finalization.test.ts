import { describe, expect, it } from "vitest";
import { checkFinalization, describeCorrection } from "../../../src/contract/finalization.ts";

describe("describeCorrection", () => {
	it("says what is missing and what to call", () => {
		const text = describeCorrection("it was not called");
		expect(text).toContain("it was not called");
		expect(text).toContain("Call subagent_finalize now");
		expect(text).not.toContain("did not reach");
	});

	it("quotes the beginning of what was written instead, on one line and bounded", () => {
		const text = describeCorrection("it was not called", `First\n"quoted" ${"x".repeat(5000)}`);
		expect(text).toContain('begins "First \\"quoted\\" xxx');
		expect(text).toContain("(5015 characters)");
		expect(text.length).toBeLessThan(700);
	});
});

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
