import { describe, expect, it } from "vitest";
import { validateRequest } from "../../../src/delegation/validate-request.ts";

const ID = "550e8400-e29b-41d4-a716-446655440000";

describe("validateRequest", () => {
	it("takes an empty session for none", () => {
		expect(validateRequest({ agent: "explorer", task: "x", sessionId: "" })).toEqual({
			agent: "explorer",
			task: "x",
		});
	});

	it("accepts an agent, a task and a session", () => {
		expect(validateRequest({ agent: "explorer", task: " x ", sessionId: ID })).toEqual({
			agent: "explorer",
			task: " x ",
			sessionId: ID,
		});
	});

	it.each(["@file", "-x", "/help", "--", "x".repeat(3_000_000)])("takes the task %s as it is", (task) => {
		expect(validateRequest({ agent: "a", task }).task).toBe(task);
	});

	it.each([
		["nothing", undefined, "must be an object"],
		["a list", [], "must be an object"],
		["no agent", { task: "x" }, "The field agent is missing"],
		["no task", { agent: "a" }, "The field task is missing"],
		["an empty task", { agent: "a", task: " \n" }, "task is empty"],
		["an empty agent", { agent: "", task: "x" }, "agent is empty"],
		["a number", { agent: "a", task: 7 }, "task must be a string, not 7"],
		["a path as agent", { agent: "../x", task: "x" }, '"../x" cannot be the name of an agent'],
		["an endless agent", { agent: "a".repeat(65), task: "x" }, "at most 64"],
		["a session that is no UUID", { agent: "a", task: "x", sessionId: "../../etc" }, 'not "../../etc"'],
		["an upper-case UUID", { agent: "a", task: "x", sessionId: ID.toUpperCase() }, "must be the UUID"],
		["a field of another tool", { agent: "a", task: "x", chain: [] }, 'Unknown field "chain"'],
		["several of them", { agent: "a", task: "x", tasks: [], model: "m" }, 'Unknown fields "tasks", "model"'],
		["NUL", { agent: "a", task: "a\0b" }, "NUL character at position 1"],
		["half a character", { agent: "a", task: "\ud800" }, "surrogate"],
		["more than 16 MiB", { agent: "a", task: "x".repeat(17 * 1024 * 1024) }, "at most 16777216"],
	])("refuses %s, naming the value", (_case, input, message) => {
		expect(() => validateRequest(input)).toThrow(
			expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringContaining(message) }),
		);
	});
});
