import { describe, expect, it } from "vitest";
import { findClientLimits } from "../../../../src/hosts/mcp/client-limits.ts";

describe("limits of clients", () => {
	it.each([
		["codex-mcp-client", true, { maxResultBytes: 10_000, answerWithinMs: 280_000 }],
		["gemini-cli-mcp-client", true, { maxResultBytes: 24_000, answerWithinMs: 570_000 }],
		["claude-code", true, { maxResultBytes: 24_000 }],
		["copilot-cli", true, { maxResultBytes: 19_000 }],
		["opencode", true, { maxResultBytes: 24_000 }],
		["opencode", false, { maxResultBytes: 24_000, answerWithinMs: 50_000 }],
		["copilot-cli", false, { maxResultBytes: 19_000, answerWithinMs: 170_000 }],
		["somebody", true, { maxResultBytes: 24_000, answerWithinMs: 50_000 }],
		["", false, { maxResultBytes: 24_000, answerWithinMs: 50_000 }],
		["constructor", true, { maxResultBytes: 24_000, answerWithinMs: 50_000 }],
	])("%s, progress %s", (name, wantsProgress, limits) => {
		expect(findClientLimits(name, wantsProgress)).toEqual(limits);
	});
});
