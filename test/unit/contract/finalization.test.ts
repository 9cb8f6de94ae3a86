import { describe, expect, it } from "vitest";
import {
	addDataParameter,
	checkFinalization,
	describeCorrection,
} from "../../../src/contract/finalization.ts";

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
		[
			{ status: "ERROR", result: "partial" },
			{ status: "ERROR", error: "The child reported an error and gave no reason.", result: "partial" },
		],
	])("accepts %j", (input, finalization) => {
		expect(checkFinalization(input)).toEqual({ ok: true, finalization });
	});

	it.each([
		[{ status: "SUCCESS" }, "SUCCESS needs a non-empty result"],
		[{ status: "SUCCESS", result: " \n" }, "SUCCESS needs a non-empty result"],
		[{ status: "ERROR", result: " " }, "ERROR needs a non-empty error"],
		[{ status: "DONE", result: "x" }, 'not "DONE"'],
		[{}, "not missing"],
		[null, "without arguments"],
	])("refuses %j and says why", (input, reason) => {
		const checked = checkFinalization(input);
		expect(checked.ok ? "" : checked.reason).toContain(reason);
	});

	const onlyNumbers = (data: unknown) => (typeof data === "number" ? undefined : "a number is needed.");

	it("takes data that matches, with its JSON as the text unless there is one", () => {
		expect(checkFinalization({ status: "SUCCESS", data: 3 }, onlyNumbers)).toEqual({
			ok: true,
			finalization: { status: "SUCCESS", result: "3", data: 3 },
		});
		expect(checkFinalization({ status: "SUCCESS", data: 3, result: "three" }, onlyNumbers)).toMatchObject({
			finalization: { result: "three", data: 3 },
		});
		expect(checkFinalization({ status: "ERROR", error: "no", data: "x" }, onlyNumbers)).toEqual({
			ok: true,
			finalization: { status: "ERROR", error: "no" },
		});
	});

	it.each([
		[{ status: "SUCCESS", result: "3" }, "needs the answer in data"],
		[{ status: "SUCCESS", data: "3" }, "data does not match its schema: a number is needed."],
		[{ status: "SUCCESS", data: null }, "data does not match"],
	])("refuses %j where data is asked for", (input, reason) => {
		const checked = checkFinalization(input, onlyNumbers);
		expect(checked.ok ? "" : checked.reason).toContain(reason);
	});

	it("ignores data that nobody asked for", () => {
		expect(checkFinalization({ status: "SUCCESS", result: "r", data: 3 })).toEqual({
			ok: true,
			finalization: { status: "SUCCESS", result: "r" },
		});
	});
});

describe("addDataParameter", () => {
	const parameters = {
		type: "object",
		properties: { status: {}, result: {}, error: {} },
		required: ["status"],
	};

	it("adds the schema as it is, and references in words", () => {
		const output = { type: "object", properties: { n: { type: "number" } } };
		expect(addDataParameter(parameters, output)).toMatchObject({
			properties: { status: {}, data: output },
			required: ["status"],
		});
		const recursive = { type: "object", properties: { next: { $ref: "#" } } };
		const { properties } = addDataParameter(parameters, recursive) as {
			properties: { data: { description: string; type?: string } };
		};
		expect(properties.data.type).toBeUndefined();
		expect(properties.data.description).toContain(JSON.stringify(recursive));
	});
});
