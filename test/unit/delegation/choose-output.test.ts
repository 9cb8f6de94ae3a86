import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/contract/limits.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import { chooseOutput } from "../../../src/delegation/choose-output.ts";
import {
	type Collected,
	collectOutput,
	NOTHING_COLLECTED,
	startNextAttempt,
} from "../../../src/delegation/collect-output.ts";
import { describeFailure } from "../../../src/delegation/describe-failure.ts";
import type { Verdict } from "../../../src/delegation/judge-attempt.ts";
import { createRedact } from "../../../src/delegation/redact.ts";

const redact = createRedact({ env: {}, home: "/home/me", agentDirectory: "/nowhere", depth: 0 });
const NOT_FINALIZED: Verdict = { kind: "not-finalized", reason: "it was not called" };
const FAILURE: Verdict = {
	kind: "failure",
	code: "SUBAGENT_FAILED",
	exitCode: 1,
	message: "broke",
	crashed: false,
	cause: { kind: "provider" },
};
const say = (...texts: string[]): Collected =>
	texts.reduce(
		(before, text) =>
			collectOutput(before, {
				type: "assistant-message",
				text,
				toolCalls: [],
				stopReason: "stop",
				usage: NO_USAGE,
			}),
		NOTHING_COLLECTED,
	);

describe("chooseOutput", () => {
	it("puts the longest text of a failed handover first and the others behind it, in order", () => {
		expect(chooseOutput(say("Looking.", "The complete answer.", "It is above."), NOT_FINALIZED, redact)).toBe(
			"The complete answer.\n\n---\n\nIts other texts, in order:\n\n---\n\nLooking.\n\n---\n\nIt is above.",
		);
	});

	it.each([
		[{ status: "DONE", result: "Found in a.ts." }, "Found in a.ts."],
		[{ status: "SUCCESS", data: { file: 5 } }, '{\n  "file": 5\n}'],
	])("shows what a refused handover would have handed over: %j", (args, words) => {
		const refuse = (before: Collected, id: string, refused: object): Collected => {
			const call = { id, name: "subagent_finalize" };
			const started = collectOutput(before, { type: "tool-start", ...call, args: { ...refused } });
			return collectOutput(started, { type: "tool-end", ...call, isError: true });
		};
		const refused = refuse(refuse(say("Looking around here."), "1", args), "2", { status: "SUCCESS" });
		for (const collected of [refused, startNextAttempt(refused)]) {
			expect(chooseOutput(collected, NOT_FINALIZED, redact)).toBe(
				`${words}\n\n---\n\nIts other texts, in order:\n\n---\n\nLooking around here.`,
			);
			expect(describeFailure(NOT_FINALIZED, collected, 0)?.message).toBe(
				"The child ended without handing over its answer: it was not called. What it wanted to hand over is in the output.",
			);
			expect(describeFailure(NOT_FINALIZED, collected, 1)?.message).toContain(", also after 1 correction.");
		}
	});

	it("shows a single text as it is, and a repeated one once", () => {
		expect(chooseOutput(say("Only this."), NOT_FINALIZED, redact)).toBe("Only this.");
		expect(chooseOutput(say("Same.", "Same."), NOT_FINALIZED, redact)).toBe("Same.");
	});

	it("keeps all texts when something else fails after a correction", () => {
		const corrected = { ...say("The complete answer.", "Above."), corrections: 1 };
		expect(chooseOutput(corrected, FAILURE, redact)).toMatch(/^The complete answer\..*Above\.$/s);
	});

	it("shows the last text of any other failure, unfinished or not", () => {
		expect(chooseOutput(say("A long first text.", "last"), FAILURE, redact)).toBe("last");
		const writing = collectOutput(say("first"), { type: "text-delta", text: "half" });
		expect(chooseOutput(writing, FAILURE, redact)).toBe("half");
	});

	it("leaves out the end of a text that was cut where it may be a piece of a secret", () => {
		const writing = collectOutput(say("first"), {
			type: "text-delta",
			text: "I found it.\n\nThe password: hunterzebra",
		});
		expect(chooseOutput(writing, FAILURE, redact)).toBe("I found it.\n\nThe");
		const again = startNextAttempt(writing);
		expect(chooseOutput({ ...again, corrections: 1 }, FAILURE, redact)).not.toContain("hunter");
		expect(chooseOutput(startNextAttempt({ ...writing, text: "" }), FAILURE, redact)).toBe(
			"I found it.\n\nThe ",
		);
	});

	it("prefers a partial result that was handed over", () => {
		const collected: Collected = {
			...say("text"),
			finalization: { status: "ERROR", error: "e", result: "partial" },
		};
		expect(chooseOutput(collected, FAILURE, redact)).toBe("partial");
	});

	it("keeps a bounded amount of text, and drops short ones first", () => {
		const many = Array.from({ length: LIMITS.maxKeptTexts + 50 }, (_, index) => `note ${index}`);
		const { texts } = say("The complete answer of this run.", ...many);
		expect(texts).toHaveLength(LIMITS.maxKeptTexts);
		expect(texts[0]).toBe("The complete answer of this run.");
		expect(texts.at(-1)).toBe(many.at(-1));
		const huge = "x".repeat(LIMITS.maxKeptTextChars);
		expect(say(`${huge}1`, `2${huge}`, "end").texts).toEqual(["end"]);
	});
});
