import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Report } from "../../../../../../src/commands/report.ts";
import type { DelegationDetails, RedactedText } from "../../../../../../src/contract/result.ts";
import { drawCall } from "../../../../../../src/hosts/pi/parent/render/draw-call.ts";
import {
	drawAround,
	drawCollapsed,
	summarize,
} from "../../../../../../src/hosts/pi/parent/render/draw-result.ts";
import {
	drawRunning,
	drawRunningShort,
	drawWaiting,
} from "../../../../../../src/hosts/pi/parent/render/draw-running.ts";
import { formatArguments } from "../../../../../../src/hosts/pi/parent/render/format-arguments.ts";
import { createPen, type Pen } from "../../../../../../src/hosts/pi/parent/render/pen.ts";
import { shortenPaths } from "../../../../../../src/hosts/pi/parent/render/shorten-paths.ts";
import { drawReport } from "../../../../../../src/hosts/pi/parent/toolkit/draw-report.ts";

const theme: Pen["theme"] = {
	fg: (_color, text) => `\u001b[38;5;1m${text}\u001b[39m`,
	bold: (text) => `\u001b[1m${text}\u001b[22m`,
};
const pen = (width: number): Pen =>
	createPen({ truncateToWidth, visibleWidth, wrapTextWithAnsi }, theme, width);
const plain = (lines: readonly string[]): string =>
	// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken away here
	lines.map((line) => line.replace(/\u001b\[[0-9;]*m/g, "")).join("\n");

const usage = { input: 12_000, output: 2200, cacheRead: 0, cacheWrite: 0, cost: 0.0213, turns: 2 };

function createDetails(text: string): DelegationDetails {
	const redacted = text as RedactedText;
	return {
		mode: "single",
		runId: "abcd1234",
		sessionId: "284e41de-64da-46d9-8262-bbd1b4de1266",
		results: [
			{
				agent: "explorer",
				task: redacted,
				exitCode: 0,
				usage,
				output: redacted,
				sessionFile: `/home/${text}/x.jsonl`,
				displayItems: [
					{ type: "toolCall", name: "grep", args: { pattern: text, path: "." } },
					{ type: "text", text: redacted },
				],
				confinement: "tools-only",
				agentSource: "builtin",
				durationMs: 14_200,
			},
		],
		error: { code: "SUBAGENT_FAILED", message: redacted },
	};
}

const hostile = fc.oneof(
	fc.string({ unit: "grapheme", maxLength: 300 }),
	fc.constantFrom(
		"日本語".repeat(60),
		"👩‍👩‍👧‍👦 family".repeat(20),
		"\u001b[31mred\u001b[2J",
		"a\tb\r\nc\u0007",
		"é".repeat(200),
	),
);

describe("what is drawn", () => {
	it("is never wider than the terminal, whatever the texts are", () => {
		fc.assert(
			fc.property(hostile, fc.integer({ min: 10, max: 120 }), fc.boolean(), (text, width, expanded) => {
				const tool = { name: text, args: { text } };
				const streaming = { displayItems: [], usage, turnCount: 1, currentTool: tool };
				const details = createDetails(text);
				const around = drawAround(details, expanded, pen(width));
				const report: Report = {
					title: text,
					sections: [{ heading: text, lines: [{ status: "fail", text, remedy: text }, { text }] }],
					data: null,
				};
				const lines = [
					...drawCall({ agent: text, task: text, state: "running" }, expanded, pen(width)),
					...drawRunning({ streaming, text, elapsedMs: 1234 }, pen(width)),
					...drawRunningShort({ streaming, text, elapsedMs: 1234 }, pen(width)),
					...drawRunningShort({ streaming: undefined, text, elapsedMs: 1234 }, pen(width)),
					...drawWaiting(pen(width)),
					...drawCollapsed(details, expanded, "(ctrl+o to expand)", pen(width)),
					...around.above,
					...around.below,
					...drawReport(report, pen(width)),
				];
				for (const line of lines) {
					expect(visibleWidth(line)).toBeLessThanOrEqual(width);
					expect(line).not.toMatch(/[\n\r\t]/);
				}
			}),
			{ numRuns: 300 },
		);
	});

	it("of a running child always has the same height", () => {
		fc.assert(
			fc.property(hostile, fc.integer({ min: 10, max: 120 }), (text, width) => {
				expect(drawRunning({ streaming: undefined, text, elapsedMs: 0 }, pen(width))).toHaveLength(5);
			}),
		);
	});

	it("keeps sequences that would move the cursor out", () => {
		const lines = drawCall(
			{ agent: "a", task: "x\u001b[2Jy\u001b]0;title\u0007z", state: "pending" },
			false,
			pen(80),
		);
		expect(plain(lines)).toBe(" ○ a  xyz");
	});
});

describe("a running child", () => {
	it("tells turn, time, tokens, cost, the tool and the last lines of text", () => {
		const streaming = {
			displayItems: [],
			usage,
			turnCount: 2,
			currentTool: { name: "grep", args: { pattern: "retry", path: "src" } },
		};
		const text = "one\ntwo\nthree\nfour";
		expect(plain(drawRunning({ streaming, text, elapsedMs: 12_900 }, pen(60)))).toBe(
			"   turn 2 · 12 s · 14.2k tokens · $0.021\n   ▸ grep retry src\n   │ two\n   │ three\n   │ four",
		);
	});

	it("that has not said anything is starting", () => {
		const lines = drawRunning({ streaming: undefined, text: "", elapsedMs: 400 }, pen(60));
		expect(plain(lines)).toContain("starting · 0 s");
	});

	it("that thinks is in the turn it is about to finish", () => {
		const streaming = { displayItems: [], usage, turnCount: 2 };
		const lines = drawRunning({ streaming, text: "", elapsedMs: 65_000 }, pen(60));
		expect(plain(lines)).toContain("turn 3 · 1 min 5 s");
		expect(plain(lines)).toContain("▸ thinking");
	});
});

describe("a finished run", () => {
	it("fits in 60 columns with all its figures", () => {
		const lines = drawCollapsed(createDetails("Found it."), false, "(ctrl+o to expand)", pen(60));
		expect(plain(lines)).toBe("   Found it.\n   done · 2 turns · 14.2k tokens · $0.021 · 14 s · 284e41de");
	});

	it("shows the whole session id and how to expand where there is room", () => {
		const lines = drawCollapsed(createDetails("Found it."), false, "(ctrl+o to expand)", pen(140));
		expect(plain(lines)).toContain("session 284e41de-64da-46d9-8262-bbd1b4de1266  (ctrl+o to expand)");
	});

	it("tells how to expand rather than the whole session id", () => {
		const lines = drawCollapsed(createDetails("Found it."), false, "(ctrl+o to expand)", pen(90));
		expect(plain(lines)).toContain("session 284e41de  (ctrl+o to expand)");
	});

	it("that was cancelled says that", () => {
		const details = createDetails("The run was cancelled.");
		const cancelled = { ...details, results: details.results.map((one) => ({ ...one, exitCode: 130 })) };
		const lines = drawCollapsed(cancelled, true, "", pen(80));
		expect(plain(lines)).toMatch(/^ {3}The run was cancelled\.\n {3}cancelled · 2 turns/);
	});

	it("shows paths as a person in the directory writes them", () => {
		const details = createDetails("/home/me/code/.pi/agents/a.md is not trusted");
		const shown = shortenPaths(
			{
				...details,
				results: details.results.map((one) => ({ ...one, sessionFile: "/home/me/.pi/x.jsonl" })),
			},
			{ cwd: "/home/me/code", home: "/home/me" },
		);
		expect(shown.error?.message).toBe(".pi/agents/a.md is not trusted");
		expect(shown.results[0]?.sessionFile).toBe("~/.pi/x.jsonl");
		expect(shown.results[0]?.output).toBe(details.results[0]?.output);
	});

	it("that failed says why", () => {
		const lines = drawCollapsed(createDetails("The model refused."), true, "", pen(80));
		expect(plain(lines)).toContain("   The model refused.\n");
		expect(plain(lines)).toContain("failed · 2 turns");
	});

	it("expanded tells every call, where it ran and where its session is", () => {
		const { above, below } = drawAround(createDetails("word"), true, pen(80));
		expect(plain(above)).toContain("▸ grep word .");
		expect(plain(below)).toContain("SUBAGENT_FAILED: word");
		expect(plain(below)).toContain("agent: builtin · confinement: tools-only");
		expect(plain(below)).toContain("session: 284e41de-64da-46d9-8262-bbd1b4de1266");
		expect(plain(below)).toContain("   /home/word/x.jsonl");
	});
});

describe("the summary of an answer", () => {
	it.each([
		["## Answer\nIt is in `a.ts:1`.", "It is in a.ts:1."],
		["1. **Answer**: in **a.ts**", "1. Answer: in a.ts"],
		["\n\n> quoted\nrest", "quoted"],
		["Answer", "Answer"],
		["", "(no text)"],
	])("%j", (output, expected) => {
		expect(summarize(output)).toBe(expected);
	});
});

describe("the arguments of a call", () => {
	it("are shown by their values, each cut", () => {
		expect(formatArguments({ a: "x", b: "", c: undefined, d: [1], e: "y".repeat(100) })).toBe(
			`x [1] ${"y".repeat(80)}…`,
		);
	});
});
