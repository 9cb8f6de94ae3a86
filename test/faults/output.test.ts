import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DelegationResult } from "../../src/contract/result.ts";
import {
	createFaultBench,
	expectFailure,
	expectSuccess,
	type FaultBench,
	ONE_ANSWER,
	posedPi,
} from "../helpers/process-faults.ts";

let bench: FaultBench;
beforeEach(() => {
	bench = createFaultBench();
});
afterEach(async () => {
	try {
		await bench.expectNothingLeft();
	} finally {
		bench.remove();
	}
});

const HALF = "the first half";
const usage = { input: 100, output: 20, cacheRead: 3, cacheWrite: 4, cost: { total: 0.5 } };
const line = (event: unknown) => `${JSON.stringify(event)}\n`;
const answer = (text: string, more: object = {}) =>
	line({
		type: "message_end",
		message: { role: "assistant", content: [{ type: "text", text }], usage, stopReason: "stop", ...more },
	});
const finalize = (result: string) =>
	line({
		type: "tool_execution_start",
		toolCallId: "f",
		toolName: "subagent_finalize",
		args: { status: "SUCCESS", result },
	}) + line({ type: "tool_execution_end", toolCallId: "f", toolName: "subagent_finalize", isError: false });
const SETTLED = line({ type: "agent_settled" });

/** Runs a child that writes exactly these bytes, in pieces of this size. */
async function replay(bytes: Buffer | string, pieceBytes = 65_536, exitCode = 0): Promise<DelegationResult> {
	const file = join(bench.root, "bytes");
	writeFileSync(file, bytes);
	return bench.delegateTo(posedPi("replay-bytes"), {
		env: {
			PI_TEST_BYTES: file,
			PI_TEST_PIECE_BYTES: String(pieceBytes),
			PI_TEST_EXIT_CODE: String(exitCode),
		},
	});
}

describe("too much output", () => {
	it("row 30: in one line of 100 MB that nobody needs skips the line and reads on", async () => {
		const before = process.memoryUsage().rss;
		const result = await bench.delegateTo(posedPi("long-line"));
		expect(result.isError).toBe(false);
		expect(result.details.results[0]?.output).toBe("after the long line");
		expect(result.details.error).toBeUndefined();
		// Whoever keeps the line holds it at least three times: bytes, text, parsed.
		expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
	});

	const tooLong = "x".repeat(17 * 1024 * 1024);

	it("row 30: in an answer that was not handed over names what was skipped", async () => {
		const result = await replay(answer(tooLong) + SETTLED);
		expectFailure(result, {
			code: "SUBAGENT_FAILED",
			message: /an answer of the model of 17 MiB, which is more than can be read at once \(16 MiB\)/,
		});
	});

	it("row 30: in a handover names the call that was skipped", async () => {
		const result = await replay(answer("Looking.") + finalize(tooLong) + SETTLED);
		expectFailure(result, {
			code: "SUBAGENT_FAILED",
			message: /the arguments of a call of subagent_finalize of 17 MiB/,
			output: "Looking.",
			// It is asked again as often as corrections are allowed, and paid for each time.
			usage: { turns: 3 },
		});
	});

	it("row 30: in the result of a tool still sees that the tool is done", async () => {
		const ends = (toolCallId: string) => ({ type: "tool_execution_end", toolCallId, toolName: "read" });
		const result = await replay(
			line({ type: "tool_execution_start", toolCallId: "r1", toolName: "read", args: {} }) +
				line({ ...ends("r1"), result: tooLong, isError: false }) +
				finalize("read it") +
				SETTLED,
		);
		expectSuccess(result, "read it");
		expect(result.details.error).toBeUndefined();
	});

	it("row 31: in a line without end stops the child at the limit and keeps what there was", async () => {
		const result = await bench.delegateTo(posedPi("endless-line"));
		expectFailure(result, {
			code: "SUBAGENT_OUTPUT_TRUNCATED",
			message: /more than \d+ bytes of output/,
			output: HALF,
		});
	});

	it("row 32: in valid events without end stops the child at the limit", async () => {
		const result = await bench.delegateTo(posedPi("endless-events"));
		expectFailure(result, {
			code: "SUBAGENT_OUTPUT_TRUNCATED",
			message: /more than \d+ bytes of output/,
			output: HALF,
		});
	});

	it("row 33: on stderr stops the child at the limit", async () => {
		const result = await bench.delegateTo(posedPi("endless-stderr"));
		expectFailure(result, { code: "SUBAGENT_OUTPUT_TRUNCATED", message: /bytes to stderr/, output: HALF });
	});
});

describe("bytes of any kind", () => {
	const text = "naïve café 𝄞 “quotes”\u2028next\u2029last é";

	it.each([1, 2, 3, 7])(
		"row 34: characters split over pieces of %i byte(s) arrive whole",
		async (pieceBytes) => {
			const result = await replay(answer(text) + finalize(text) + SETTLED, pieceBytes);
			expectSuccess(result, text);
		},
	);

	it("row 35: bytes that are not UTF-8 become replacement characters and nothing else", async () => {
		const torn = Buffer.from(finalize("caf\u0000"), "latin1");
		const bytes = Buffer.concat([
			Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x0a]),
			Buffer.from(answer("fine")),
			Buffer.from(torn.toString("latin1").replace("\\u0000", "\xe9"), "latin1"),
			Buffer.from(SETTLED),
		]);
		expectSuccess(await replay(bytes), "caf\ufffd");
	});

	it("row 36: CRLF, a byte order mark, blank lines and U+2028 do not disturb", async () => {
		const events = `\ufeff${answer(text)}\n\n${finalize(text)}${SETTLED}`.replaceAll("\n", "\r\n");
		expectSuccess(await replay(events), text);
	});

	it("row 37: noise between the events is ignored", async () => {
		const noise = 'npm warn\n> script\n\u001b[31mred\u001b[0m\n{not json}\n{"type":\n';
		expectSuccess(
			await replay(noise + answer("ok") + noise + finalize("ok") + noise + SETTLED + noise),
			"ok",
		);
	});

	it("row 38: valid JSON of the wrong shape is ignored and its numbers count as nothing", async () => {
		const strange = [
			null,
			[],
			5,
			"text",
			{},
			{ type: null },
			{ type: 7 },
			{ type: "__proto__" },
			{ type: "constructor" },
			{ type: "message_end" },
			{ type: "message_end", message: null },
			{ type: "message_end", message: { role: "user", content: 7 } },
			{ type: "message_update", assistantMessageEvent: [] },
			{ type: "tool_execution_start" },
			{ type: "tool_execution_end", toolCallId: { a: 1 }, toolName: [] },
			{ type: "compaction_end", result: { usage: "much" } },
			{ type: "auto_retry_end", success: "yes" },
		];
		const lies = answer("counted as nothing", {
			content: [null, 5, { type: "text" }, { type: "text", text: 9 }, { type: "toolCall", arguments: "x" }],
			usage: { input: "x", output: -5, cacheRead: null, cacheWrite: [], cost: { total: "free" } },
		});
		const polluted =
			'{"type":"message_end","__proto__":{"polluted":true},"message":{"__proto__":{"polluted":true}}}\n';
		const result = await replay(
			strange.map(line).join("") + polluted + lies + answer("ok") + finalize("ok") + SETTLED,
		);
		expectSuccess(result, "ok");
		expect(result.details.results[0]?.usage).toEqual({ ...ONE_ANSWER, turns: 2 });
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	});

	it("row 39: JSON nested a hundred thousand deep is survived", async () => {
		const deep = `{"type":"message_end","message":${"[".repeat(100_000)}${"]".repeat(100_000)}}\n`;
		const deeper = `{"type":"tool_execution_start","toolCallId":"d","toolName":"read","args":{"a":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}}\n`;
		const called = answer("ok", {
			content: [
				{ type: "text", text: "ok" },
				{
					type: "toolCall",
					id: "d",
					name: "read",
					arguments: JSON.parse(`{"a":${'{"a":'.repeat(2000)}1${"}".repeat(2000)}}`),
				},
			],
		});
		expectSuccess(await replay(deep + deeper + called + finalize("ok") + SETTLED), "ok");
	});

	it("row 40: a last line that is cut off does not take the ones before it along", async () => {
		const result = await replay(
			`${answer("the first half")}{"type":"message_end","message":{"role":"assi`,
			65_536,
			1,
		);
		expectFailure(result, { message: /exited with code 1/, output: "the first half" });
	});

	it("row 41: repeated, reordered and retried events count once, and the last message wins", async () => {
		const message = {
			role: "assistant",
			content: [{ type: "text", text: "old" }],
			usage,
			stopReason: "stop",
		};
		const repeats =
			line({ type: "turn_end", message, toolResults: [] }) +
			line({ type: "agent_end", messages: [message, message], willRetry: true });
		const orphanEnd = line({
			type: "tool_execution_end",
			toolCallId: "never-started",
			toolName: "read",
			isError: false,
		});
		const result = await replay(
			answer("old") +
				repeats +
				orphanEnd +
				line({ type: "agent_start" }) +
				finalize("new") +
				answer("new") +
				repeats +
				SETTLED +
				SETTLED,
		);
		expectSuccess(result, "new");
		expect(result.details.results[0]?.usage).toMatchObject({ input: 200, cost: 1, turns: 2 });
	});

	it("row 42: a parent that is blocked for longer than the idle limit does not blame the child", async () => {
		const running = bench.delegateTo(posedPi("slow-but-alive"), {
			idleTimeoutMs: 800,
			env: { PI_TEST_PAUSE_MS: "100" },
		});
		while (bench.starts() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		const blockedUntil = performance.now() + 2500;
		while (performance.now() < blockedUntil);
		expectSuccess(await running, "slow and done");
	});

	it("row 43: events of a newer pi are ignored", async () => {
		const unknown =
			line({ type: "mcp_server_connected", server: "x" }) +
			line({ type: "agent_settled_soon", aborted: true });
		expectSuccess(await replay(unknown + answer("ok") + unknown + finalize("ok") + unknown + SETTLED), "ok");
	});

	it("rows 34 to 43: any mixture of good events and rubbish, in any pieces, ends in a result", async () => {
		const rubbish = fc.oneof(
			fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
			fc.json({ maxDepth: 3 }).map((json) => Buffer.from(`${json}\n`)),
			fc
				.record({
					type: fc.constantFrom("message_end", "tool_execution_start", "auto_retry_start", "compaction_end"),
					message: fc.jsonValue(),
					args: fc.jsonValue(),
				})
				.map((event) => Buffer.from(line(event))),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.array(rubbish, { maxLength: 12 }),
				fc.integer({ min: 1, max: 500 }),
				async (parts, piece) => {
					const bytes = Buffer.concat([
						Buffer.from(answer("ok")),
						...parts,
						Buffer.from(`\n${finalize("ok")}${SETTLED}`),
					]);
					const result = await replay(bytes, piece);
					expect(result.details.results[0]?.output).toBeDefined();
					for (const count of Object.values(result.details.results[0]?.usage ?? {}))
						expect(count).toBeGreaterThanOrEqual(0);
				},
			),
			{ numRuns: 30 },
		);
	});
});
