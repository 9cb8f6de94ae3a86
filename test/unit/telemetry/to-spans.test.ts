import { describe, expect, it } from "vitest";
import type { RedactedText } from "../../../packages/redaction/redacted-text.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import type { RunEnd, RunEvent, RunStart } from "../../../src/journal/run-event.ts";
import { toSpans } from "../../../src/telemetry/to-spans.ts";

const text = (value: string) => value as RedactedText;

const START: RunStart = {
	type: "start",
	at: 1000,
	start: {
		event: "start",
		time: "1970-01-01T00:00:01.000Z",
		kind: "subagent",
		name: "explorer",
		runId: "0123abcd",
		sessionId: "session",
		model: "acme/large/v2",
		summary: text("Look"),
		process: { pid: 1, host: "here" },
	},
	task: text("Look around"),
	tools: ["read"],
	runtime: "pi",
	sessionFile: "/x.jsonl",
};
const EVENTS: readonly RunEvent[] = [
	{ type: "turn", at: 1100 },
	{
		type: "message",
		at: 1500,
		text: text("I read"),
		model: "acme/small",
		usage: { ...NO_USAGE, input: 2, cacheRead: 3, cacheWrite: 4, output: 5 },
	},
	{ type: "call", at: 1500, id: "c1", name: "read", args: { path: "a" } },
	{ type: "result", at: 1600, id: "c1", isError: true },
	{ type: "call", at: 1700, id: "c2", name: "grep", args: {} },
	{ type: "message", at: 1900, text: text(""), usage: NO_USAGE, error: text("overloaded") },
];
const END: RunEnd = {
	type: "end",
	at: 2000,
	ok: false,
	cause: "overloaded",
	error: text("It failed"),
	usage: { ...NO_USAGE, input: 9, output: 1 },
	durationMs: 1000,
};

function spansOf(withContent: boolean, end: RunEnd = END) {
	let ids = 0;
	const createId = (bytes: number) => String(ids++).padStart(bytes * 2, "0");
	return toSpans(START, EVENTS, end, { withContent, createId });
}

describe("the spans of a run", () => {
	it("are one for the run, and in it one for every answer and every tool call", () => {
		const spans = spansOf(false);
		expect(spans.map(({ name, startMs, endMs }) => [name, startMs, endMs])).toEqual([
			["invoke_agent explorer", 1000, 2000],
			["chat small", 1100, 1500],
			// Nobody said when it was asked.
			["chat large/v2", 1900, 1900],
			["execute_tool read", 1500, 1600],
			// It has no result: it ends with the run.
			["execute_tool grep", 1700, 2000],
		]);
		const [whole, ...inside] = spans;
		expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
		expect(inside.every(({ parentSpanId }) => parentSpanId === whole?.spanId)).toBe(true);
		expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(5);
	});

	it("name provider and model apart, and count cached tokens as input", () => {
		const [whole, chat] = spansOf(false);
		expect(whole?.attributes).toMatchObject({
			"gen_ai.operation.name": "invoke_agent",
			"gen_ai.agent.name": "explorer",
			"gen_ai.conversation.id": "session",
			"gen_ai.provider.name": "acme",
			"gen_ai.request.model": "large/v2",
			"gen_ai.usage.input_tokens": 9,
		});
		expect(chat?.attributes).toMatchObject({
			"gen_ai.request.model": "large/v2",
			"gen_ai.response.model": "small",
			"gen_ai.usage.input_tokens": 9,
			"gen_ai.usage.output_tokens": 5,
		});
	});

	it("say what failed, and with which kind of error", () => {
		const [whole, chat, failedChat, read, grep] = spansOf(false);
		expect(whole).toMatchObject({ error: "", attributes: { "error.type": "overloaded" } });
		expect(failedChat).toMatchObject({ error: "", attributes: { "error.type": "_OTHER" } });
		expect(read).toMatchObject({ error: "", attributes: { "error.type": "_OTHER" } });
		expect([chat?.error, grep?.error]).toEqual([undefined, undefined]);
		const [succeeded] = spansOf(false, { ...END, ok: true });
		expect(succeeded).not.toHaveProperty("error");
		expect(succeeded?.attributes).not.toHaveProperty("error.type");
	});

	it("contain nothing that was asked or answered, unless that is wanted", () => {
		const secretive = JSON.stringify(spansOf(false));
		for (const content of ["Look around", "I read", "It failed", '\\"path\\"'])
			expect(secretive).not.toContain(content);
		const [whole, chat, , read] = spansOf(true);
		expect(whole?.attributes["gen_ai.input.messages"]).toBe(
			'[{"role":"user","parts":[{"type":"text","content":"Look around"}]}]',
		);
		expect(whole?.error).toBe("It failed");
		expect(chat?.attributes["gen_ai.output.messages"]).toContain('"content":"I read"');
		expect(read?.attributes["gen_ai.tool.call.arguments"]).toBe('{"path":"a"}');
	});

	it("are part of the caller's trace when it names one, and the run is what is called", () => {
		const parent = { traceId: "t".repeat(32), spanId: "p".repeat(16), isSampled: true, state: "vendor=1" };
		const [whole, ...inside] = toSpans(START, EVENTS, END, { withContent: false, parent });
		expect(whole).toMatchObject({
			traceId: parent.traceId,
			parentSpanId: parent.spanId,
			isParentRemote: true,
			traceState: "vendor=1",
		});
		expect(inside).toHaveLength(4);
		for (const span of inside) {
			expect(span).toMatchObject({ traceId: parent.traceId, parentSpanId: whole?.spanId });
			expect(span).not.toHaveProperty("isParentRemote");
		}
	});

	it("say what was paid, where that is known", () => {
		const costOf = (cost: number) =>
			spansOf(false, { ...END, usage: { ...END.usage, cost } })[0]?.attributes["gen_ai.usage.cost"];
		expect([costOf(0.0125), costOf(0)]).toEqual([0.0125, undefined]);
	});
});
