import { describe, expect, it } from "vitest";
import type { RedactedText } from "../../../../../packages/redaction/redacted-text.ts";
import type { DelegationResult, DelegationUpdate } from "../../../../../src/contract/result.ts";
import { NO_USAGE } from "../../../../../src/contract/usage.ts";
import { announceRun } from "../../../../../src/hosts/pi/parent/announce-runs.ts";

function listen() {
	const heard: [string, Readonly<Record<string, unknown>>][] = [];
	const events = { emit: (name: string, data: unknown) => void heard.push([name, data as never]) };
	return { heard, announcer: announceRun(events, { id: "call-1", agent: "explorer" }) };
}

const streaming = {
	displayItems: [{ type: "text" as const, text: "secret words" as RedactedText }],
	usage: NO_USAGE,
	turnCount: 0,
	activity: "tool" as const,
	currentTool: { name: "grep", args: { pattern: "secret words" } },
	model: "acme/m",
	thinking: "high",
	toolCalls: 2,
};
const details = { mode: "single" as const, runId: "abcd1234", sessionId: "s", results: [], streaming };
const update = { content: [{ type: "text", text: "secret words" }], details } as unknown as DelegationUpdate;
const single = { agent: "explorer", usage: NO_USAGE, durationMs: 7, model: "acme/m", toolCalls: 2 };
const result = {
	isError: true,
	details: {
		...{ mode: "single", runId: "abcd1234", results: [single] },
		error: { code: "SUBAGENT_FAILED", message: "secret words", cause: { kind: "cancelled" } },
	},
} as unknown as DelegationResult;

describe("events for other extensions", () => {
	it("tell of the start once, of every update and of the end", () => {
		const { heard, announcer } = listen();
		announcer.update(update);
		announcer.update(update);
		announcer.end(result);
		expect(heard.map(([name]) => name)).toEqual([
			"deputize:start",
			"deputize:update",
			"deputize:update",
			"deputize:end",
		]);
		expect(heard[0]?.[1]).toEqual({
			...{ toolCallId: "call-1", agent: "explorer", runId: "abcd1234", sessionId: "s" },
			...{ model: "acme/m", thinking: "high" },
		});
		expect(heard[1]?.[1]).toMatchObject({ activity: "tool", tool: "grep", toolCalls: 2, usage: NO_USAGE });
		expect(heard[3]?.[1]).toMatchObject({
			ok: false,
			code: "SUBAGENT_FAILED",
			cause: "cancelled",
			durationMs: 7,
		});
	});

	it("carry no text, task or arguments, and cannot be changed", () => {
		const { heard, announcer } = listen();
		announcer.update(update);
		announcer.end(result);
		expect(JSON.stringify(heard)).not.toContain("secret words");
		expect(heard.every(([, data]) => Object.isFrozen(data))).toBe(true);
	});

	it("are silent about a run that waits or was refused, and survive a listener that throws", () => {
		const { heard, announcer } = listen();
		announcer.update({ ...update, details: { ...details, streaming: { ...streaming, waiting: true } } });
		announcer.end({ ...result, details: { mode: "single", results: [] } });
		expect(heard).toEqual([]);
		const broken = announceRun(
			{
				emit() {
					throw new Error("broken");
				},
			},
			{ id: "1", agent: "a" },
		);
		expect(() => broken.update(update)).not.toThrow();
	});
});
