import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { followCalls, parseCertainAgent } from "../../../../../src/hosts/pi/parent/follow-calls.ts";

describe("parseCertainAgent", () => {
	it.each([
		["no field yet", {}, false, undefined],
		["an agent that may still grow", { agent: "expl" }, false, undefined],
		["an agent followed by another field", { agent: "explorer", task: "" }, false, "explorer"],
		["an agent after the task that may still grow", { task: "x", agent: "expl" }, false, undefined],
		["an agent at the end of a complete call", { task: "x", agent: "explorer" }, true, "explorer"],
		["a call that continues a session", { agent: "explorer", sessionId: "", task: "" }, false, undefined],
		["an agent that is no text", { agent: 7, task: "x" }, false, undefined],
		["an empty agent", { agent: "", task: "x" }, true, undefined],
	])("%s", (_case, fields, isComplete, expected) => {
		expect(parseCertainAgent(fields, isComplete)).toBe(expected);
	});
});

function follow() {
	const log: string[] = [];
	const handlers = new Map<string, (event: unknown) => void>();
	const pi = { on: (name: string, handler: (event: unknown) => void) => void handlers.set(name, handler) };
	const calls = followCalls(pi as unknown as ExtensionAPI, {
		hint(agent) {
			log.push(`hint ${agent}`);
			return { take: () => undefined, drop: () => void log.push(`drop ${agent}`) };
		},
	});
	const emit = (name: string, event: object): void => handlers.get(name)?.(event);
	const block = (id: string, args: object) => ({ type: "toolCall", name: "subagent", id, arguments: args });
	const write = (contentIndex: number, args: object): void => {
		const content = [];
		content[contentIndex] = block("", args);
		emit("message_update", {
			assistantMessageEvent: { type: "toolcall_delta", contentIndex, partial: { content } },
		});
	};
	const end = (ids: readonly string[], stopReason = "toolUse"): void =>
		emit("message_end", {
			message: { role: "assistant", stopReason, content: ids.map((id) => block(id, {})) },
		});
	return { log, calls, emit, write, end };
}

describe("calls that are being written", () => {
	it("are hinted once each, however many fragments they have, and go by their name afterwards", () => {
		const { log, calls, emit, write, end } = follow();
		write(0, { agent: "exp" });
		write(0, { agent: "explorer", task: "" });
		write(0, { agent: "explorer", task: "t" });
		write(1, { agent: "tester", task: "" });
		expect(log).toEqual(["hint explorer", "hint tester"]);
		end(["a", "b"]);
		expect(calls.readHint("b")).toBeDefined();
		emit("tool_execution_end", { toolCallId: "b" });
		expect(log.slice(2)).toEqual(["drop tester"]);
		expect(calls.readHint("b")).toBeUndefined();
		emit("agent_end", {});
		expect(log.slice(3)).toEqual(["drop explorer"]);
	});

	it.each([
		["ends without them", ["a"], "toolUse"],
		["breaks off", ["a", "b"], "aborted"],
	])("are dropped when their message %s", (_case, ids, stopReason) => {
		const { log, write, end } = follow();
		write(1, { agent: "tester", task: "" });
		end(ids, stopReason);
		expect(log).toEqual(["hint tester", "drop tester"]);
	});
});
