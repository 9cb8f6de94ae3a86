import { describe, expect, it } from "vitest";
import { DelegationError } from "../../../src/contract/error-codes.ts";
import type { ChildPlan } from "../../../src/contract/plan.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import { type Collected, NOTHING_COLLECTED } from "../../../src/delegation/collect-output.ts";
import type { Verdict } from "../../../src/delegation/judge-attempt.ts";
import { createRedact } from "../../../src/delegation/redact.ts";
import { toRefusedResult, toResult } from "../../../src/delegation/to-result.ts";

const SECRET = "correct-horse-battery-staple-4711";
const redact = createRedact({
	env: { DEPLOY_TOKEN: SECRET },
	home: "/home/me",
	agentDirectory: "/nowhere",
	depth: 0,
});
const PLAN = {
	runId: "abcd1234",
	agent: { name: "explorer", source: "builtin" },
	model: "acme/planned",
	thinkingLevel: "high",
	notGranted: [],
	session: { id: "s", file: "/sessions/s.jsonl", resumed: false },
	finalize: { mode: "required", maxCorrections: 2 },
} as unknown as ChildPlan;
const SUCCESS: Verdict = { kind: "success", finalization: { status: "SUCCESS", result: "The answer." } };
const FAILURE: Verdict = {
	kind: "failure",
	code: "SUBAGENT_TIMEOUT",
	exitCode: 124,
	message: `It took too long with ${SECRET}.`,
	timeoutReason: "idle",
	cause: { kind: "idle" },
	crashed: false,
};

function run(
	parts: {
		readonly plan?: Partial<ChildPlan>;
		readonly collected?: Partial<Collected>;
		readonly verdict?: Verdict;
		readonly resumable?: boolean;
		readonly notice?: string;
		readonly failedModels?: Parameters<typeof toResult>[2]["failedModels"];
	} = {},
	options?: Parameters<typeof toResult>[4],
) {
	const { plan = {}, collected = {}, ...outcome } = parts;
	return toResult(
		{ ...PLAN, ...plan },
		`find it with ${SECRET}`,
		{
			collected: { ...NOTHING_COLLECTED, ...collected },
			verdict: SUCCESS,
			confinement: "tools-only",
			durationMs: 12,
			failedModels: [],
			resumable: true,
			...outcome,
		},
		redact,
		options,
	);
}
const textOf = (result: ReturnType<typeof run>): string => result.content[0].text;

describe("the result of a run", () => {
	it("that succeeded has the answer and all facts, redacted", () => {
		const usage = {
			...NO_USAGE,
			input: 1,
			output: 2,
			cacheRead: 3,
			cacheWrite: 4,
			cost: 0.5,
			turns: 6,
		};
		const result = run({ collected: { usage, model: "acme/real", toolCalls: 3, lastEvent: "settled" } });
		expect(textOf(result)).toBe("**Status:** SUCCESS\n**Session ID:** `s`\n\n---\n\nThe answer.");
		expect(result.isError).toBe(false);
		expect(result.details).toEqual({
			mode: "single",
			runId: "abcd1234",
			sessionId: "s",
			results: [
				{
					agent: "explorer",
					task: "find it with [REDACTED]",
					exitCode: 0,
					usage,
					sessionFile: "/sessions/s.jsonl",
					output: "The answer.",
					displayItems: [],
					confinement: "tools-only",
					agentSource: "builtin",
					model: "acme/real",
					thinking: "high",
					toolCalls: 3,
					durationMs: 12,
				},
			],
		});
		expect(result.usage).toEqual({
			input: 1,
			output: 2,
			cacheRead: 3,
			cacheWrite: 4,
			totalTokens: 10,
			cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 },
		});
	});

	it("that failed says why, where it was, and with which model it was to run", () => {
		const result = run({ verdict: FAILURE, collected: { lastEvent: "tool-start read" } });
		expect(result.isError).toBe(true);
		expect(textOf(result)).toContain("**Status:** ERROR");
		expect(result.details.error).toEqual({
			code: "SUBAGENT_TIMEOUT",
			message: "It took too long with [REDACTED].",
			cause: { kind: "idle" },
		});
		expect(result.details.results).toMatchObject([
			{
				exitCode: 124,
				error: "It took too long with [REDACTED].",
				timeoutReason: "idle",
				lastEvent: "tool-start read",
				model: "acme/planned",
			},
		]);
		expect(result.details.results[0]).not.toHaveProperty("output");
	});

	it("that failed quotes what the child wrote to its error output", () => {
		const verdict = { ...FAILURE, stderrTail: `Use --list-models\n${SECRET}\n` };
		expect(run({ verdict }).details.error?.message).toBe(
			"It took too long with [REDACTED].\n\nIts last error output:\nUse pi --list-models\n[REDACTED]",
		);
	});

	it.each<[string, Parameters<typeof run>[0], string]>([
		["why the session was not kept", { notice: `no session for ${SECRET}` }, "no session for [REDACTED]"],
		[
			"what the agent did not get",
			{ plan: { notGranted: ["bash", "write"] } },
			"Not granted to explorer: bash, write.",
		],
		[
			"which models refused, and which one went on",
			{
				collected: { model: "acme/third" },
				failedModels: [
					{ cause: { kind: "overloaded" } },
					{ model: "acme/second", cause: { kind: "unauthorized" } },
				],
			},
			"Not available: The first model (overloaded), acme/second (unauthorized). The run went on with acme/third.",
		],
		[
			"that another model went on",
			{ failedModels: [{ model: "acme/first", cause: { kind: "overloaded" } }] },
			"Not available: acme/first (overloaded). The run went on with another model.",
		],
	])("says %s", (_name, parts, note) => {
		expect(textOf(run(parts))).toContain(note);
		expect(textOf(run())).not.toContain(note);
	});

	it("names what the agent did not get and the models that refused, for programs", () => {
		const failedModels = [{ model: "acme/first", cause: { kind: "overloaded" } }] as const;
		expect(run({ plan: { notGranted: ["bash"] }, failedModels }).details.results).toMatchObject([
			{ notGranted: ["bash"], failedModels },
		]);
		for (const name of ["notGranted", "failedModels"])
			expect(run().details.results[0]).not.toHaveProperty(name);
	});

	it("names no session that cannot be continued", () => {
		const result = run({ resumable: false });
		expect(result.details).not.toHaveProperty("sessionId");
		expect(result.details.results[0]).not.toHaveProperty("sessionFile");
		expect(textOf(result)).not.toContain("Session");
	});

	it.each<[string, Collected["finalization"], unknown]>([
		[
			"an answer",
			{ status: "SUCCESS", result: `uses ${SECRET}` },
			{ status: "SUCCESS", result: "uses [REDACTED]" },
		],
		[
			"data",
			{ status: "SUCCESS", result: "{}", data: { key: SECRET, count: 1 } },
			{ status: "SUCCESS", result: "{}", data: { key: "[REDACTED]", count: 1 } },
		],
		[
			"an error",
			{ status: "ERROR", error: `no ${SECRET}`, result: "half" },
			{ status: "ERROR", error: "no [REDACTED]", result: "half" },
		],
		["an error alone", { status: "ERROR", error: "no" }, { status: "ERROR", error: "no" }],
	])("has what was handed over, redacted: %s", (_name, finalization, expected) => {
		expect(run({ collected: finalization ? { finalization } : {} }).details.finalized).toEqual(expected);
	});

	it("that was cut says so and is no failure; what was kept is whole for programs", () => {
		const answer = "line\n".repeat(2000);
		const verdict = { kind: "success", finalization: { status: "SUCCESS", result: answer } } as const;
		const result = run({ verdict }, { maxResultBytes: 2000 });
		expect(Buffer.byteLength(textOf(result))).toBeLessThanOrEqual(2100);
		expect(result.isError).toBe(false);
		expect(result.details.error).toEqual({
			code: "SUBAGENT_OUTPUT_TRUNCATED",
			message:
				"The output was too long for the text and was truncated there; details.results[0].output contains what was kept.",
		});
		expect(result.details.results[0]?.output).toBe(answer);
	});

	it("says what the child wrote and nobody could read", () => {
		const lost = { ...SUCCESS, lostOutput: "a message of 17 MB" };
		expect(run({ verdict: lost }).details.error).toEqual({
			code: "SUBAGENT_OUTPUT_TRUNCATED",
			message:
				"The child wrote a message of 17 MB, which is more than can be read at once (16 MiB) and was skipped.",
		});
		expect(run({ verdict: { ...FAILURE, lostOutput: "a line of 17 MB" } }).details.error?.message).toMatch(
			/\. The child wrote a line of 17 MB, .* was skipped\. That may be what is missing here\.$/,
		);
	});

	it.each<[string, Partial<Collected>, string]>([
		["nothing", {}, "The child ended without handing over its answer: it forgot."],
		[
			"a text",
			{ texts: ["words"] },
			'The child ended without handing over its answer: it forgot. What it wrote is in the output. To accept plain text as the answer, set subagents.finalize.mode to "text" in deputize.json.',
		],
		[
			"a handover that was refused",
			{ texts: ["words"], refusedWords: "other words" },
			"The child ended without handing over its answer: it forgot. What it wanted to hand over is in the output.",
		],
		[
			"nothing after one correction",
			{ corrections: 1 },
			"The child ended without handing over its answer: it forgot, also after 1 correction.",
		],
		[
			"nothing after more corrections than it was told",
			{ corrections: 3 },
			"The child ended without handing over its answer: it forgot, also after 2 corrections.",
		],
	])("without a handover says what there is: %s", (_name, collected, message) => {
		const result = run({ verdict: { kind: "not-finalized", reason: "it forgot" }, collected });
		expect(result.details.error).toEqual({
			code: "SUBAGENT_FAILED",
			message,
			cause: { kind: "not_finalized" },
		});
		expect(result.details.results[0]?.exitCode).toBe(1);
	});
});

describe("calls that were refused", () => {
	it("are named for the model and for programs, redacted, also when the run succeeded", () => {
		const blockedCalls = [
			{ name: "bash", args: { command: "rm -rf src", timeout: 5 }, reason: "The user\nsaid no." },
		];
		const result = run({ collected: { blockedCalls } });
		expect(result.isError).toBe(false);
		expect(textOf(result)).toMatch(/The answer\.\n\nRefused, not done: bash rm -rf src: The user said no\.$/);
		expect(result.details.results[0]?.refused).toEqual(["bash rm -rf src: The user said no."]);
	});
});

describe("a refusal before anything ran", () => {
	it.each([
		["SUBAGENT_DEPTH_EXCEEDED", "management"],
		["SUBAGENTS_DISABLED", "management"],
		["UNKNOWN_AGENT", "single"],
	] as const)("has its code, its words redacted and no cost: %s", (code, mode) => {
		const result = toRefusedResult(new DelegationError(code, `no ${SECRET}`), redact);
		expect(result).toMatchObject({
			isError: true,
			details: { mode, results: [], error: { code, message: "no [REDACTED]" } },
			usage: { totalTokens: 0, cost: { total: 0 } },
		});
		expect(textOf(result)).toContain("no [REDACTED]");
	});

	it("has its cause where there is one", () => {
		const error = new DelegationError("SUBAGENT_FAILED", "no", { kind: "cancelled" });
		expect(toRefusedResult(error, redact).details.error).toEqual({
			code: "SUBAGENT_FAILED",
			message: "no",
			cause: { kind: "cancelled" },
		});
	});
});

it("says that the whole of a long answer could not be kept", () => {
	const verdict = { ...SUCCESS, finalization: { status: "SUCCESS", result: "x".repeat(30_000) } } as const;
	const keepAnswer = (): string => {
		throw Object.assign(new Error("no space"), { code: "ENOSPC" });
	};
	const result = run({ verdict }, { keepAnswer });
	expect(textOf(result)).toContain("The whole could not be written to a file (ENOSPC).");
	expect(result.details.error?.message).toContain("details.results[0].output contains what was kept");
	expect(result.details.results[0]).not.toHaveProperty("outputFile");
});
