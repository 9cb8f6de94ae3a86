import { describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../../src/contract/config.ts";
import type { ChildEnd } from "../../../src/contract/event.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import { type Collected, collectOutput, NOTHING_COLLECTED } from "../../../src/delegation/collect-output.ts";
import { judgeAttempt } from "../../../src/delegation/judge-attempt.ts";
import { nextAttempt } from "../../../src/delegation/next-attempt.ts";
import { parseLoopEvent } from "../../../src/runtimes/loop/parse-loop-event.ts";

const config = DEFAULT_CONFIG.subagents;
const end = (change: Partial<ChildEnd> = {}): ChildEnd => ({
	...{
		type: "child-end",
		reason: "settled",
		exitCode: 0,
		signal: null,
		stderrTail: "",
		durationMs: 1,
	},
	...change,
});
const good: Collected = {
	...NOTHING_COLLECTED,
	settled: true,
	lastStop: { reason: "tool-use" },
	finalization: { status: "SUCCESS", result: "answer" },
};
const { finalization: _, ...unfinalized } = good;
const { lastStop: __, ...silent } = { ...unfinalized, settled: false };

describe("judgeAttempt", () => {
	it("calls it success when the child settled, did not fail and handed over", () => {
		expect(judgeAttempt(good, end(), config)).toMatchObject({ kind: "success" });
	});

	it("says limits as people do, and names what sets them at the door they came through", () => {
		const message = (reason: ChildEnd["reason"], names?: Parameters<typeof judgeAttempt>[3]) => {
			const verdict = judgeAttempt(good, end({ reason }), config, names);
			return verdict.kind === "failure" ? verdict.message : "";
		};
		expect(message("idle-timeout")).toBe(
			"The child did nothing for 3 minutes, the limit set by subagents.idleTimeoutMs in deputize.json, and was stopped.",
		);
		const names = { timeoutMs: "--timeout-ms", idleTimeoutMs: "--idle-timeout-ms" };
		expect(message("runtime-timeout", names)).toBe(
			"The run took longer than 15 minutes, the limit set by --timeout-ms, and was stopped.",
		);
	});

	it("says why a program ended itself, and never that it did not hand over", () => {
		const lines = [
			'data: {"id":"","delta":"It did not respond any more.","type":"error","code":"unresponsive"}',
			'data: {"id":"","delta":"","type":"response_end"}',
		];
		const collected = lines
			.map((line) => parseLoopEvent(Buffer.from(line)))
			.reduce((before, event) => (event ? collectOutput(before, event) : before), unfinalized);
		const ended = end({ reason: "exit", exitCode: null, signal: "SIGKILL" });
		expect(judgeAttempt(collected, ended, config)).toMatchObject({
			kind: "failure",
			message: "It did not respond any more.",
			cause: { kind: "crashed" },
		});
	});

	it("names the last event of a child that ended too early", () => {
		const verdict = judgeAttempt(
			{ ...silent, lastEvent: "tool-start read" },
			end({ reason: "exit" }),
			config,
		);
		expect(verdict).toMatchObject({
			message: "The child ended without any answer. The last event was tool-start read.",
			cause: { kind: "crashed" },
		});
	});

	it.each([
		[143, null],
		[null, "SIGKILL"],
		[null, "SIGTERM"],
		[0, null],
	])("still calls it success when a settled child had to be put down (%s, %s)", (exitCode, signal) => {
		expect(judgeAttempt(good, end({ exitCode, signal }), config)).toMatchObject({ kind: "success" });
	});

	it.each([
		[
			"aborted",
			good,
			{ reason: "aborted" },
			{ code: "SUBAGENT_FAILED", exitCode: 130, cause: { kind: "cancelled" } },
		],
		[
			"too long",
			good,
			{ reason: "runtime-timeout" },
			{ code: "SUBAGENT_TIMEOUT", exitCode: 124, timeoutReason: "runtime" },
		],
		[
			"silent",
			good,
			{ reason: "idle-timeout" },
			{ code: "SUBAGENT_TIMEOUT", exitCode: 124, timeoutReason: "idle" },
		],
		["too much", good, { reason: "output-limit" }, { code: "SUBAGENT_OUTPUT_TRUNCATED", exitCode: 1 }],
		[
			"not started",
			silent,
			{ reason: "spawn-error", exitCode: null, message: "no pi" },
			{ message: "no pi", crashed: true },
		],
		[
			"killed",
			silent,
			{ reason: "exit", exitCode: null, signal: "SIGSEGV" },
			{ message: "The child was killed by SIGSEGV.", crashed: true },
		],
		[
			"exited 3",
			silent,
			{ reason: "exit", exitCode: 3, stderrTail: "boom" },
			{ exitCode: 3, message: "The child exited with code 3.", stderrTail: "boom", crashed: false },
		],
		["failed after its answer", good, { exitCode: 1 }, { exitCode: 1 }],
		[
			"exited without a word",
			silent,
			{ reason: "exit" },
			{ message: expect.stringContaining("without any answer"), crashed: true },
		],
		[
			"ended in the middle",
			{ ...unfinalized, settled: false },
			{ reason: "exit" },
			{ message: expect.stringContaining("before its work was settled"), crashed: false },
		],
		[
			"provider failed",
			{ ...good, lastStop: { reason: "error" as const, failure: { message: "401" } } },
			{},
			{ message: "The model provider failed: 401" },
		],
		[
			"disk full",
			{
				...good,
				lastStop: { reason: "error" as const, failure: { message: "ENOSPC: no space left, write" } },
			},
			{},
			{ message: expect.stringMatching(/^The disk is full/), cause: { kind: "disk_full" } },
		],
		["work aborted", { ...good, aborted: true }, {}, { message: expect.stringContaining("aborted") }],
		[
			"said ERROR",
			{ ...good, finalization: { status: "ERROR" as const, error: "cannot" } },
			{},
			{ message: "cannot", exitCode: 1 },
		],
		[
			"out of memory",
			silent,
			{ reason: "exit", exitCode: null, signal: "SIGABRT", stderrTail: "FATAL ERROR: heap out of memory" },
			{ message: expect.stringContaining("ran out of memory") },
		],
	] as const)("calls it a failure: %s", (_case, collected, change, expected) => {
		expect(judgeAttempt(collected as Collected, end(change as Partial<ChildEnd>), config)).toMatchObject({
			kind: "failure",
			...expected,
		});
	});

	it("says that output was lost, unless the answer was handed over whole", () => {
		const lost = end({ lostOutput: "an event of 20 MB" });
		const lostOf = (collected: Collected, ending = lost, settings = config) =>
			judgeAttempt(collected, ending, settings).lostOutput;
		const text = { ...config, finalize: { ...config.finalize, mode: "text" as const } };
		const spoken: Collected = { ...unfinalized, lastStop: { reason: "stop" }, text: "An answer." };
		expect(lostOf(good)).toBeUndefined();
		expect(lostOf(unfinalized)).toBe("an event of 20 MB");
		expect(lostOf(silent)).toBe("an event of 20 MB");
		expect(lostOf(spoken, lost, text)).toBe("an event of 20 MB");
		expect(lostOf({ ...good, finalization: { status: "ERROR", error: "cannot" } })).toBe("an event of 20 MB");
		expect(judgeAttempt(unfinalized, end(), config)).not.toHaveProperty("lostOutput");
	});

	it.each(["runtime-timeout", "idle-timeout"] as const)(
		"names what the provider refused with until the %s",
		(reason) => {
			const refused = [1, 2, 3].reduce(
				(collected) =>
					collectOutput(collected, { type: "backoff-start", delayMs: 1, reason: "429 rate_limit_error" }),
				silent as Collected,
			);
			const say = (collected: Collected): string => {
				const verdict = judgeAttempt(collected, end({ reason }), config);
				return verdict.kind === "failure" ? verdict.message : "";
			};
			expect(say(refused)).toMatch(
				/was stopped\. The provider had refused its last 3 requests: 429 rate_limit_error\.$/,
			);
			const answered = collectOutput(refused, {
				type: "assistant-message",
				text: "At last.",
				toolCalls: [],
				stopReason: "stop",
				usage: NO_USAGE,
			});
			expect(say(answered)).toMatch(/was stopped\.$/);
		},
	);

	it("asks for the handover when it is missing, unless text will do", () => {
		expect(judgeAttempt(unfinalized, end(), config)).toEqual({
			kind: "not-finalized",
			reason: "subagent_finalize was not called",
		});
		const spoken = { ...unfinalized, text: "said", lastStop: { reason: "stop" as const } };
		const text = { ...config, finalize: { ...config.finalize, mode: "text" as const } };
		expect(judgeAttempt(spoken, end(), text)).toMatchObject({
			kind: "success",
			finalization: { result: "said" },
		});
		expect(judgeAttempt({ ...spoken, lastStop: { reason: "length" } }, end(), text)).toMatchObject({
			kind: "not-finalized",
		});
	});

	it("never looks at the words of an answer", () => {
		const result = "timeout, rate limit, ECONNRESET, overloaded, heap out of memory";
		expect(
			judgeAttempt({ ...good, text: result, finalization: { status: "SUCCESS", result } }, end(), config),
		).toMatchObject({ kind: "success" });
	});
});

describe("an ending that is a failure", () => {
	it.each<[string, Partial<ChildEnd>, Collected, object]>([
		[
			"cancelled",
			{ reason: "aborted" },
			good,
			{
				code: "SUBAGENT_FAILED",
				exitCode: 130,
				message: "The run was cancelled.",
				cause: { kind: "cancelled" },
			},
		],
		[
			"cancelled by somebody",
			{ reason: "aborted", message: "The user did." },
			good,
			{ message: "The user did." },
		],
		[
			"too long",
			{ reason: "runtime-timeout" },
			good,
			{ code: "SUBAGENT_TIMEOUT", exitCode: 124, timeoutReason: "runtime", cause: { kind: "runtime" } },
		],
		[
			"too quiet",
			{ reason: "idle-timeout" },
			good,
			{ code: "SUBAGENT_TIMEOUT", exitCode: 124, timeoutReason: "idle", cause: { kind: "idle" } },
		],
		[
			"too much output",
			{ reason: "output-limit" },
			good,
			{
				code: "SUBAGENT_OUTPUT_TRUNCATED",
				message: "The child wrote more output than is accepted and was stopped.",
				cause: { kind: "output_limit" },
			},
		],
		[
			"no progress",
			{ reason: "given-up" },
			unfinalized,
			{ message: "The child made no progress and was stopped.", cause: { kind: "no_progress" } },
		],
		[
			"too much memory",
			{ reason: "memory-limit" },
			good,
			{
				message: `The child used more than the ${config.maxMemoryMb} MB that subagents.maxMemoryMb allows and was stopped.`,
				cause: { kind: "memory" },
			},
		],
		[
			"too many turns",
			{ reason: "turn-limit" },
			good,
			{
				code: "SUBAGENT_LIMIT_REACHED",
				message: "The run reached a limit and was stopped.",
				cause: { kind: "max_turns" },
			},
		],
		[
			"too dear",
			{ reason: "cost-limit", message: "It cost $2." },
			good,
			{ message: "It cost $2.", cause: { kind: "max_cost" } },
		],
		[
			"not started",
			{ reason: "spawn-error" },
			silent,
			{ message: "The child could not be started.", crashed: true, cause: { kind: "start" } },
		],
		[
			"killed",
			{ reason: "exit", exitCode: null, signal: "SIGKILL", stderrTail: "oh" },
			silent,
			{
				message: "The child was killed by SIGKILL.",
				stderrTail: "oh",
				crashed: true,
				cause: { kind: "crashed" },
			},
		],
		[
			"out of memory",
			{
				reason: "exit",
				exitCode: null,
				signal: "SIGABRT",
				stderrTail: "Allocation failed - JavaScript heap",
			},
			silent,
			{ message: "The child was killed by SIGABRT. It ran out of memory." },
		],
		[
			"an exit of its own",
			{ reason: "exit", exitCode: 3, stderrTail: "oh" },
			silent,
			{ exitCode: 3, message: "The child exited with code 3.", stderrTail: "oh", crashed: false },
		],
		["an exit after its work", { reason: "exit", exitCode: 3 }, good, { exitCode: 3 }],
		["terminated before its work was done", { reason: "exit", exitCode: 143 }, silent, { exitCode: 143 }],
		[
			"an end without a word",
			{ reason: "exit" },
			{ ...silent, lastEvent: "turn-start" },
			{ message: "The child ended without any answer. The last event was turn-start.", crashed: true },
		],
		[
			"an end in the middle",
			{ reason: "exit" },
			{ ...unfinalized, settled: false },
			{ message: "The child ended before its work was settled.", crashed: false },
		],
		[
			"its work aborted",
			{},
			{ ...good, aborted: true },
			{ message: "The child's work was aborted.", cause: { kind: "cancelled" } },
		],
		[
			"its message aborted",
			{},
			{ ...good, lastStop: { reason: "aborted" } },
			{ cause: { kind: "cancelled" } },
		],
		[
			"a full disk",
			{},
			{ ...good, lastStop: { reason: "error", failure: { message: "ENOSPC: write" } } },
			{
				message: "The disk is full (ENOSPC: write). Make room, and run it again.",
				cause: { kind: "disk_full" },
			},
		],
		[
			"a provider without a reason",
			{},
			{ ...good, lastStop: { reason: "error" } },
			{ message: "The model provider failed: it gave no reason", cause: { kind: "provider" } },
		],
		[
			"an error that it handed over",
			{},
			{ ...good, finalization: { status: "ERROR", error: "no such file" } },
			{ message: "no such file", cause: { kind: "reported" } },
		],
	])("%s", (_name, ending, collected, expected) => {
		expect(judgeAttempt(collected, end(ending), config)).toMatchObject({ kind: "failure", ...expected });
	});

	it("is none when a child is terminated after its work", () => {
		for (const exitCode of [143, 129])
			expect(judgeAttempt(good, end({ reason: "exit", exitCode }), config).kind).toBe("success");
		expect(judgeAttempt(good, end({ signal: "SIGTERM", exitCode: null }), config).kind).toBe("success");
	});

	it("says what was lost, unless a handover is whole", () => {
		const lostOutput = "a line of 17 MB";
		expect(judgeAttempt(good, end({ lostOutput }), config)).not.toHaveProperty("lostOutput");
		expect(judgeAttempt(unfinalized, end({ lostOutput }), config)).toMatchObject({ lostOutput });
		expect(judgeAttempt(good, end({ lostOutput, reason: "aborted" }), config)).toMatchObject({ lostOutput });
	});

	it("is a missing handover after more corrections than are given", () => {
		const tired = { ...unfinalized, corrections: config.finalize.maxCorrections + 1 };
		expect(judgeAttempt(tired, end({ reason: "given-up", message: "why" }), config)).toEqual({
			kind: "not-finalized",
			reason: "why",
		});
	});
});

describe("nextAttempt", () => {
	const isReadonlyTool = (name: string): boolean => name !== "bash";
	const decide = (collected: Collected, ending: ChildEnd, retries = 0, settings = config) =>
		nextAttempt(
			{ collected, end: ending, verdict: judgeAttempt(collected, ending, settings), retries },
			settings,
			isReadonlyTool,
		).kind;
	const crash = end({ reason: "exit", exitCode: null, signal: "SIGSEGV" });

	it("corrects a missing handover, at most twice", () => {
		expect(decide(unfinalized, end())).toBe("correct");
		expect(decide({ ...unfinalized, corrections: 2 }, end())).toBe("stop");
	});

	it.each([
		["a crash", silent, crash, "retry"],
		["an exit without a word", silent, end({ reason: "exit" }), "retry"],
		[
			"a full process table",
			silent,
			end({ reason: "spawn-error", exitCode: null, errorCode: "EAGAIN" }),
			"retry",
		],
		["too many files", silent, end({ reason: "spawn-error", exitCode: null, errorCode: "EMFILE" }), "retry"],
		[
			"a missing program",
			silent,
			end({ reason: "spawn-error", exitCode: null, errorCode: "ENOENT" }),
			"stop",
		],
		["SIGKILL", silent, end({ reason: "exit", exitCode: null, signal: "SIGKILL" }), "stop"],
		[
			"no memory",
			silent,
			end({ reason: "exit", exitCode: null, signal: "SIGABRT", stderrTail: "heap out of memory" }),
			"stop",
		],
		["a timeout", silent, end({ reason: "idle-timeout" }), "stop"],
		["a provider failure", { ...good, lastStop: { reason: "error" as const } }, end(), "stop"],
		["success", good, end(), "stop"],
		["a crash after bash ran", { ...silent, toolsStarted: new Set(["bash"]) }, crash, "stop"],
		["a crash after reading", { ...silent, toolsStarted: new Set(["read"]) }, crash, "retry"],
		["a crash after pi's own retries", { ...silent, childRetried: true }, crash, "stop"],
	] as const)("after %s", (_case, collected, ending, expected) => {
		expect(decide(collected as Collected, ending)).toBe(expected);
	});

	it("waits longer before each further retry", () => {
		const patient = { ...config, retry: { enabled: true, maxAttempts: 4 } };
		const delays = [0, 1, 2].map((retries) =>
			nextAttempt(
				{ collected: silent, end: crash, verdict: judgeAttempt(silent, crash, patient), retries },
				patient,
				isReadonlyTool,
			),
		);
		expect(delays).toEqual([500, 1000, 2000].map((delayMs) => ({ kind: "retry", delayMs })));
		expect(decide(silent, crash, 2, patient)).toBe("retry");
		expect(decide(silent, crash, 3, patient)).toBe("stop");
	});

	it.each([
		["SIGBUS", "retry"],
		["SIGABRT", "retry"],
		["SIGTERM", "stop"],
	])("after %s: %s", (signal, expected) => {
		expect(decide(silent, end({ reason: "exit", exitCode: null, signal }))).toBe(expected);
	});

	it.each(["ENFILE", "ENOMEM"])("after %s, which passes, tries again", (errorCode) => {
		expect(decide(silent, end({ reason: "spawn-error", exitCode: null, errorCode }))).toBe("retry");
	});

	const refused = (
		failure: { message: string; status?: number },
		tools: readonly string[] = [],
	): Collected => ({
		...unfinalized,
		lastStop: { reason: "error", failure },
		toolsStarted: new Set(tools),
	});
	it.each<[string, Collected, boolean, string]>([
		["is not allowed", refused({ message: "no", status: 401 }), true, "switch-model"],
		["has no more quota", refused({ message: "no", status: 402 }), true, "switch-model"],
		["is asked too often", refused({ message: "no", status: 429 }), true, "switch-model"],
		["is overloaded", refused({ message: "no", status: 529 }), true, "switch-model"],
		["fails", refused({ message: "no", status: 500 }), true, "switch-model"],
		["does not know the model", refused({ message: "no", status: 404 }), true, "switch-model"],
		["does not like the request", refused({ message: "no", status: 400 }), true, "stop"],
		["cannot be reached", refused({ message: "fetch failed" }), true, "stop"],
		["refuses, and there is no other", refused({ message: "no", status: 401 }), false, "stop"],
		["refuses after something was written", refused({ message: "no", status: 401 }, ["bash"]), true, "stop"],
		[
			"refuses after a handover",
			refused({ message: "no", status: 401 }, ["read", "subagent_finalize"]),
			true,
			"switch-model",
		],
	])("goes on with another model when the provider %s", (_case, collected, hasFallback, expected) => {
		const verdict = judgeAttempt(collected, end(), config);
		const state = { collected, end: end(), verdict, retries: 0, hasFallback };
		expect(nextAttempt(state, config, isReadonlyTool).kind).toBe(expected);
	});

	it("stops when the attempts are used up or retries are off", () => {
		expect(decide(silent, crash, 1)).toBe("stop");
		expect(decide(silent, crash, 0, { ...config, retry: { enabled: false, maxAttempts: 5 } })).toBe("stop");
	});
});
